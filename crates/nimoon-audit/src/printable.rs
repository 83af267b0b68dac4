//! The findings of an audit as text and JSON.

use std::fmt::Write as _;

use nimoon_formats::Names;
use nimoon_formats::write::JsonDigraph;
use schemars::JsonSchema;
use serde::Serialize;

use crate::audit::Algorithm;
use crate::report::{Counterexample, Report};

/// A report in the form that is printed.
///
/// ```
/// use nimoon_audit::{Algorithm, Audit, Plan, PrintableReport};
/// let report = Audit::new(Plan::exhaustive(1, None)).unwrap().run();
/// let printable = PrintableReport::new(&report, Algorithm::Engine);
/// assert!(printable.text().ends_with("wrong      0\n"));
/// ```
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Audit")]
pub struct PrintableReport {
    /// How many digraphs were checked.
    digraphs: u64,
    /// How many comparisons there were of a node beside a nim-heap or another known position.
    positions: u64,
    /// How many comparisons there were of a sum of two or three nodes.
    sums: u64,
    /// How many comparisons there were of the order of two nodes, in the general theory.
    #[serde(skip_serializing_if = "is_zero")]
    orders: u64,
    /// How many comparisons came out wrong.
    wrong: u64,
    /// The smallest counterexample that was found.
    counterexample: Option<JsonDigraph>,
    /// What the theory and brute force say about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    /// How many digraphs had a wrong comparison, and the counterexample as a `.game` file.
    #[serde(skip)]
    game: Option<(u64, String)>,
}

impl PrintableReport {
    /// The printable form of a report on this algorithm.
    pub fn new(report: &Report, algorithm: Algorithm) -> Self {
        let names = |example: &Counterexample| -> Names { example.names().iter().collect() };
        let example = report.counterexample.as_ref();
        Self {
            digraphs: report.digraphs,
            positions: report.positions,
            sums: report.sums,
            orders: report.orders,
            wrong: report.wrong,
            counterexample: example.map(|e| JsonDigraph::new(&e.digraph, &names(e))),
            because: example.map(|example| sentence(example, algorithm)),
            game: example.map(|example| (report.wrong_digraphs, example.game())),
        }
    }

    /// Some lines, with the smallest counterexample found.
    pub fn text(&self) -> String {
        let Self { digraphs, positions, sums, orders, wrong, .. } = self;
        let orders = if *orders == 0 { String::new() } else { format!("orders     {orders}\n") };
        let mut text = format!(
            "digraphs   {digraphs}\npositions  {positions}\nsums       {sums}\n{orders}wrong      {wrong}\n"
        );
        if let (Some((digraphs, game)), Some(because)) = (&self.game, &self.because) {
            let _ = write!(
                text,
                "wrong on   {digraphs} digraphs\n\n# The smallest counterexample found.\n# {because}\n{game}"
            );
        }
        text
    }
}

/// Serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The error, in a sentence.
fn sentence(example: &Counterexample, algorithm: Algorithm) -> String {
    let who = match algorithm {
        Algorithm::Engine => return example.to_string(),
        Algorithm::AsPrinted => "Algorithm 8 as printed",
        Algorithm::Frozen => "Algorithm 8 with assignments that never change",
    };
    let (theory, truth) = (&example.theory_says, &example.brute_force_says);
    format!("{who} says: {theory}. Brute force says: {truth}.")
}
