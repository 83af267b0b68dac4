//! Labelling of game digraphs that outgrow one machine, on timely dataflow.
//!
//! Nodes are sharded by the hash of their names. Each worker reads or explores its share, and has the rows of from where moves lead to its
//! nodes; what it finds out about them it tells the workers of those. All go in supersteps: what was
//! sent in one is heard in the next, and when nothing was sent anywhere, a fixpoint is reached. It is the same as on one
//! machine, since the rules are monotone and so have one least fixpoint, in whatever order they are applied.
//!
//! | part | what it does |
//! |---|---|
//! | `run`, `connect`, `hosts` | processes, their connections, and how a run ends |
//! | `exchange` | supersteps, on a dataflow of timely |
//! | `shards`, `build`, `input`, `explore` | which node belongs where; names and arcs from files and rulesets |
//! | `label` | the theories by messages: short, cyclic, entailing, carry-on; remoteness |
//! | `course` | what a run tells about itself, and when it is kept on disk |
//! | `checkpoint`, `records`, `resume` | what is kept on disk, and taken up again by any number of workers |
//! | `manifest`, `query` | shards, their manifest, and answers from it |
//!
//! `docs/cluster.md` tells how it is used and what it costs.

mod build;
mod checkpoint;
mod connect;
mod course;
mod error;
mod exchange;
mod explore;
mod hosts;
mod input;
mod label;
mod manifest;
mod plan;
mod query;
mod records;
mod resume;
mod rows;
mod run;
mod shards;
mod work;

pub use error::{ClusterError, End, Said};
pub use explore::nodes_of;
pub use hosts::read_hosts;
pub use manifest::{Checksum, Count, Manifest, ShardEntry, label_text};
pub use plan::{Checkpoints, Doing, Every, Input, Plan, Processes, Progress, Question};
pub use query::{Known, Labelled};
pub use run::{Watch, hush_connections, label};
