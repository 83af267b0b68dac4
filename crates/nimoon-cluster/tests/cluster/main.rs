//! Workers against one machine.

mod checkpoints;
mod common;
mod labels;
mod processes;
mod rulesets;
