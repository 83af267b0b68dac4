//! The integration tests of `nimoon-session`, in one program: `cargo test -p nimoon-session --test
//! suite NAME`.

mod explore;
mod families;
mod judged;
mod large_sums;
mod papers;
mod partizan;
mod partizan_games;
mod positions;
mod scripts;
mod stopped;
