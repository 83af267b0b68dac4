//! What an audit found, as text and JSON.

use std::fmt::Write as _;

use nimoon_formats::Names;
use nimoon_formats::write::JsonDigraph;
use serde::Serialize;

use crate::audit::Algorithm;
use crate::report::{Counterexample, Report};

/// A report for people and programs.
///
/// ```
/// use nimoon_audit::{Algorithm, Audit, Plan, ToldReport};
/// let report = Audit::new(Plan::exhaustive(1, None)).unwrap().run();
/// let told = ToldReport::new(&report, Algorithm::Engine);
/// assert!(told.text().ends_with("wrong      0\n"));
/// ```
#[derive(Debug, Serialize)]
pub struct ToldReport<'a> {
    digraphs: u64,
    positions: u64,
    sums: u64,
    wrong: u64,
    counterexample: Option<JsonDigraph>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(skip)]
    report: &'a Report,
}

impl<'a> ToldReport<'a> {
    /// What there is to tell about the audit of this algorithm.
    pub fn new(report: &'a Report, algorithm: Algorithm) -> Self {
        let names = |example: &Counterexample| -> Names { example.names().iter().collect() };
        let example = report.counterexample.as_ref();
        Self {
            digraphs: report.digraphs,
            positions: report.positions,
            sums: report.sums,
            wrong: report.wrong,
            counterexample: example.map(|e| JsonDigraph::new(&e.digraph, &names(e))),
            because: example.map(|example| sentence(example, algorithm)),
            report,
        }
    }

    /// Some lines, with the smallest counterexample found.
    pub fn text(&self) -> String {
        let mut text = format!(
            "digraphs   {}\npositions  {}\nsums       {}\nwrong      {}\n",
            self.digraphs, self.positions, self.sums, self.wrong
        );
        if let (Some(example), Some(because)) = (&self.report.counterexample, &self.because) {
            let _ = write!(
                text,
                "wrong on   {} digraphs\n\n# The smallest counterexample found.\n# {because}\n{}",
                self.report.wrong_digraphs,
                example.game()
            );
        }
        text
    }
}

/// What went wrong, in a sentence.
fn sentence(example: &Counterexample, algorithm: Algorithm) -> String {
    let who = match algorithm {
        Algorithm::Engine => return example.to_string(),
        Algorithm::AsPrinted => "Algorithm 8 as printed",
        Algorithm::Frozen => "Algorithm 8 with assignments that never change",
    };
    let (theory, truth) = (&example.theory_says, &example.brute_force_says);
    format!("{who} says: {theory}. Brute force says: {truth}.")
}
