//! Affine forms [LNS2021], held against plain play by `nimoon_oracle::affine`.

mod common;
mod convert;
mod examples;
mod forms;
mod impartial;
mod order;
