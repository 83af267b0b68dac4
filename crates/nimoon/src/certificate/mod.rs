//! What shows that an answer is right, for somebody who trusts neither this crate nor its algorithms.
//!
//! Values with their order of assignment are shown by a [`Labelling`](crate::Labelling) itself; here is what else a certificate needs:
//!
//! | to show | use |
//! |---|---|
//! | who wins a sum, by a strategy that answers every move | [`strategy::strategy`] |
//! | outcomes beside every nim-heap, where no algebra is known | [`heaps::ranks`] |
//! | that a⁺ ≥ b⁺ holds or fails for loopy partizan games | [`survival::ge_plus`] |
//!
//! The crate `nimoon-check` says what is checked, and why that is enough; it shares no code with this one. Certificates are written by
//! `nimoon_formats::write::certificate`.

pub mod heaps;
pub mod strategy;
pub mod survival;
