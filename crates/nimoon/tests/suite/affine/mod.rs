//! Affine forms [LNS2021], compared with plain play by `nimoon_oracle::affine`.

mod common;
mod convert;
mod examples;
mod forms;
mod impartial;
mod order;
