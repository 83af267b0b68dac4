//! Questions about combinatorial games and their answers, the same at every door.
//!
//! | module | what it holds |
//! |---|---|
//! | [`expression`] | the sum language: `ruleset:position + …` |
//! | [`explore`](mod@explore), [`followers`] | all positions that play can reach |
//! | [`condition`] | conditions on positions: `outcome = P` |
//! | [`search`](mod@search) | the first position that satisfies a condition |
//! | [`table`](mod@table) | the values of a family of positions |
//! | [`report`] | answers as plain data, with their JSON and text |
//! | [`impartial_order`] | the order of impartial values |
//! | [`loopy`], [`affine`], [`unicycle`] | partizan questions |
//! | [`certificate`] | what shows that an answer is right |
//! | [`kept`], [`rule_files`] | tables kept in a store, and the files that rules come from |

// In JSON a key can be absent, null or a value, and serde passes references to fields.
#![allow(clippy::option_option, clippy::ref_option, clippy::trivially_copy_pass_by_ref)]

pub mod affine;
mod answer;
mod ask;
pub mod certificate;
pub mod condition;
mod describe;
mod digraph_file;
mod error;
pub mod explore;
pub mod expression;
pub mod followers;
pub mod impartial_order;
pub mod kept;
mod library;
pub mod loopy;
mod ordinal_sum;
pub mod period;
mod question;
pub mod report;
mod request;
pub mod rule_files;
mod rulesets;
pub mod search;
mod session;
pub mod table;
pub mod unicycle;
mod value_game;

pub use answer::{Answer, Content};
pub use ask::check::{CheckReport, checked};
pub use ask::smith::is_partizan;
pub use describe::{Described, Schemas};
pub use digraph_file::DigraphFile;
pub use error::{Error, ErrorKind, ErrorReport};
pub use nimoon::Work;
pub use question::{Question, Report};
pub use request::Wanted;
pub use rulesets::{catalogue, find};
pub use session::{Door, Session, value};
