//! A sum with the reasons for its value and its turn.

use nimoon::solve::solution::{AnswerError, Placement, Solution};
use schemars::JsonSchema;
use serde::Serialize;

use super::{AdditionReport, ExplanationReport, Missing, SumReport, TurnReasonReport};

/// A sum and, where they were asked for, the reasons.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExplainedSum {
    /// The sum itself.
    #[serde(flatten)]
    pub sum: SumReport,
    /// Why it is so.
    #[serde(flatten)]
    pub reasons: Option<Reasons>,
}

/// Why a sum has its value and its turn.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reasons {
    /// Why each component has its value.
    pub explanations: Vec<ExplanationReport>,
    /// How the values add; null where some component has no value, or there is no algebra.
    pub addition: Option<AdditionReport>,
    /// Why the turn is the one to play; null if there is no turn.
    pub reason: Option<TurnReasonReport>,
}

/// What is missing from a sum and from its reasons.
pub type Lacks = (Option<Missing<AnswerError>>, Option<AnswerError>);

impl ExplainedSum {
    /// A sum as far as the limits of the solution allow, with at most so many winning turns and
    /// with the reasons, if these are asked for; and what is missing.
    pub fn new(
        solution: &mut Solution,
        placement: &Placement,
        turns: Option<usize>,
        explain: bool,
    ) -> (Self, Lacks) {
        let (sum, missing) = SumReport::of_placement(solution, placement, turns);
        if !explain {
            return (Self { sum, reasons: None }, (missing, None));
        }
        let (explanations, unexplained) = ExplanationReport::of_placement(solution, placement);
        let addition = AdditionReport::new(&sum);
        // Without a turn there is nothing to give a reason for, and that it is missing is said
        // already.
        let reason = TurnReasonReport::new(solution, placement).ok().flatten();
        let reasons = Some(Reasons { explanations, addition, reason });
        (Self { sum, reasons }, (missing, unexplained))
    }

    /// The sum in words, and why each component has its value.
    pub fn text(&self) -> String {
        let parts = self.reasons.iter().flat_map(|reasons| &reasons.explanations);
        let mut texts = vec![self.sum.text()];
        texts.extend(parts.map(|part| part.text().to_owned()));
        texts.join("\n")
    }
}
