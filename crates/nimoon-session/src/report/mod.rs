//! Answers as plain data, with their JSON and their text.
//!
//! Sums of impartial positions have a [`SumReport`], those with partizan positions a [`PartizanSumReport`]. Why a node
//! has its label is an [`ExplanationReport`], and a game that is played a [`PlayReport`]. Remoteness has a
//! [`RemotenessReport`] and its kin, a compound a [`CompoundReport`], an ordinal expression an [`OrdinalReport`].

mod answer;
mod compound;
mod explained;
mod explanation;
mod explored;
mod ordinal;
mod partizan_answer;
mod partizan_placement;
mod partizan_play;
mod payoffs;
mod placement;
mod play;
mod reason;
mod remoteness;
mod wide;

pub use answer::{
    ComponentReport, PlyReport, ReplyReport, SumReport, TreeReport, TurnList, TurnReport,
    outcome_words, turns_text,
};
pub use compound::CompoundReport;
pub use explained::{ExplainedSum, Lacks, Reasons};
pub use explanation::ExplanationReport;
pub use explored::{
    ExploreReport, ExploredCells, ExploredMove, ExploredRow, MoveKind, PartizanExploredMove,
    PartizanExploredRow, PartizanRemotenessPair, loopy_fact, outcome_class, value_fact,
};
pub use ordinal::OrdinalReport;
pub use partizan_answer::{
    LoopyValue, PartizanComponentReport, PartizanOutcome, PartizanSumReport, PartizanTurnReport,
    PartizanTurns,
};
pub(crate) use partizan_placement::{outcome as partizan_outcome, value as partizan_value};
pub use partizan_play::PartizanPlayReport;
pub use payoffs::{Payoffs, PayoffsError};
pub use placement::{Missing, NodesAnswer};
pub use play::PlayReport;
pub use reason::{AdditionReport, AdditionStep, TurnReasonReport};
pub use remoteness::{
    NodeRows, PartizanRemotenessReport, PartizanRemotenessRow, PayoffReport, PayoffRow,
    RemotenessReport, RemotenessRow, write_node_json, write_node_table,
};
pub use wide::WideReport;
