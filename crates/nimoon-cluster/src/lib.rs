//! Labels game digraphs that are too large for one machine, on timely dataflow.
//!
//! Nodes are sharded by the hash of their names. Each worker reads or explores its share, and
//! stores the sources of the arcs to its nodes. It sends its findings about a node to the workers
//! of these sources. All workers go in supersteps: messages that are sent in one arrive in the
//! next, and when no worker sends anything, a fixpoint is reached. It is the same as on one
//! machine: the rules are monotone, so they have one least fixpoint, in whatever order they are
//! applied.
//!
//! | part | what it does |
//! |---|---|
//! | `run`, `connect`, `hosts` | processes, their connections, and how a run ends |
//! | `exchange` | supersteps, on a dataflow of timely |
//! | `shards`, `build`, `input`, `explore` | which node belongs where; names and arcs from files and rulesets |
//! | `label` | the theories by messages: short, cyclic, entailing, carry-on; remoteness |
//! | `course` | progress reports, and when checkpoints are written |
//! | `checkpoint`, `records`, `resume` | checkpoints on disk, from which any number of workers can resume |
//! | `manifest`, `query` | shards, their manifest, and answers from it |
//!
//! `docs/cluster.md` describes its use and its cost.
//!
//! Workers must end together. A process that hits a limit, or gets a signal, requests a checkpoint
//! in the tally of the next round. When the checkpoint is written, all agree on the end. Memory is
//! measured here and not estimated, since no engine knows the memory of several workers.

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

pub use error::{ClusterError, End, RemoteError};
pub use explore::nodes_of;
pub use hosts::read_hosts;
pub use manifest::{Checksum, Count, Manifest, ShardEntry, label_text};
pub use plan::{Activity, Checkpoints, Every, Input, Plan, Processes, Progress, Question};
pub use query::{Known, Labelled};
pub use run::{Watch, hush_connections, label};
