//! The program from outside: what it prints, where, and how it ends.
//!
//! Outputs are kept as snapshots in `snapshots`; `INSTA_UPDATE=always cargo test -p nimoon-cli`
//! updates them; then read the difference line by line.

mod affine;
mod audit;
mod bad_input;
mod certificate;
mod cluster;
mod compare;
mod compound;
mod examples;
mod formats;
mod golden;
#[cfg(target_os = "linux")]
mod interrupted;
mod known;
mod label;
mod loopy;
mod memory;
mod ordinal;
mod partizan;
mod period;
mod play;
mod program;
mod remoteness;
mod repl;
mod representative;
mod rulesets;
mod scripts;
mod serve;
mod store;
mod streams;
mod sum;
mod table;
mod terminal;
mod unicycle;
mod value;
mod wide;
