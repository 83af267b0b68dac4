//! What is known of a compound, as text and JSON.

use std::fmt::Write as _;

use nimoon::compound::{Answer, Compound, Guidance};
use nimoon::remoteness::Play;
use serde::Serialize;

use super::outcome_letter;
use super::terminal::{padded, visible, width};
use crate::names::Names;

/// The answer about a compound.
///
/// ```
/// use nimoon::compound::{Compound, Compounds, Kind};
/// use nimoon::{Budget, Digraph, remoteness::Play};
/// use nimoon_formats::{Names, write::CompoundReport};
/// let digraph = Digraph::new(2, [], vec![(1, 0)]).unwrap();
/// let names: Names = ["z", "a"].into_iter().collect();
/// let compound = Compound::new(Kind::Conjunctive, vec![1, 1]).unwrap();
/// let answer = Compounds::new(&digraph, Budget::DEFAULT).unwrap().solve(&compound, Play::Normal);
/// let report = CompoundReport::new(&compound, &names, Play::Normal, &answer);
/// let json = serde_json::to_string(&report).unwrap();
/// assert!(json.starts_with(r#"{"remoteness":1,"remoteness_by":"formula","outcome":"N","#));
/// assert!(report.text().contains("N: the next player wins, by formula"));
/// ```
#[derive(Clone, Debug, Default, Serialize)]
pub struct CompoundReport {
    remoteness: Option<u64>,
    remoteness_by: Option<&'static str>,
    outcome: Option<&'static str>,
    outcome_by: Option<&'static str>,
    distance: Option<u64>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    grundy: Option<SumRow>,
    turn: Option<TurnRow>,
    #[serde(skip)]
    misere: bool,
}

#[derive(Clone, Debug, Serialize)]
struct SumRow {
    g: Option<u64>,
    h: Option<u64>,
    j: Vec<u64>,
}

#[derive(Clone, Debug, Serialize)]
struct TurnRow {
    kind: &'static str,
    moves: Vec<MoveRow>,
    guide: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct MoveRow {
    component: usize,
    from: String,
    to: String,
}

impl CompoundReport {
    /// Names the nodes of an answer.
    pub fn new(compound: &Compound, names: &Names, play: Play, answer: &Answer) -> Self {
        let pieces = compound.pieces();
        let name = |node| names.name(node).into_owned();
        let turn = answer.turn.as_ref().map(|turn| TurnRow {
            kind: turn.kind.name(),
            moves: turn
                .steps
                .iter()
                .map(|step| MoveRow {
                    component: step.component,
                    from: name(pieces[step.component]),
                    to: name(step.to),
                })
                .collect(),
            guide: match turn.guide {
                Guidance::Remoteness => "remoteness",
                Guidance::Rule => "rule",
            },
        });
        Self {
            remoteness: answer.remoteness.and_then(|found| found.value),
            remoteness_by: answer.remoteness.map(|found| found.by.name()),
            outcome: answer.outcome.map(|found| outcome_letter(Some(found.value))),
            outcome_by: answer.outcome.map(|found| found.by.name()),
            distance: answer.distance,
            grundy: answer.grundy.as_ref().map(|sum| SumRow {
                g: sum.g,
                h: sum.h,
                j: sum.j.clone(),
            }),
            turn,
            misere: play == Play::Misere,
        }
    }

    /// The answer for people.
    pub fn text(&self) -> String {
        let number = |value: Option<u64>| value.map_or_else(|| "∞".to_owned(), |n| n.to_string());
        let by = |by: &str| format!(", by {by}");
        let outcome = match (self.outcome, self.outcome_by) {
            (Some(letter), Some(how)) => {
                let words = match letter {
                    "N" => "the next player wins",
                    "P" => "the previous player wins",
                    _ => "a draw",
                };
                format!("{letter}: {words}{}", by(how))
            }
            _ => "not known".to_owned(),
        };
        let remoteness = match self.remoteness_by {
            Some(how) => format!("{}{}", number(self.remoteness), by(how)),
            None => "not known".to_owned(),
        };
        let play = if self.misere { "misère: who moves last loses" } else { "normal" };
        let mut rows = vec![
            ("play", play.to_owned()),
            ("outcome", outcome),
            ("remoteness", remoteness),
            ("distance", number(self.distance)),
        ];
        if let Some(SumRow { g, h, j }) = &self.grundy {
            rows.push(("G", number(*g)));
            rows.push(("H", number(*h)));
            let j: Vec<String> = j.iter().map(u64::to_string).collect();
            rows.push(("J", format!("{{{}}}", j.join(","))));
        }
        let mut text = String::new();
        for (title, value) in rows {
            let _ = writeln!(text, "{title:<10}  {value}");
        }
        self.write_turn(&mut text);
        text
    }

    fn write_turn(&self, text: &mut String) {
        let Some(turn) = &self.turn else { return };
        let title = match (turn.kind, turn.guide) {
            ("none", _) => {
                text.push_str("\nThere is no move.\n");
                return;
            }
            ("winning", "remoteness") => "The fastest win",
            ("winning", _) => "A move that wins, by a rule that comes to an end",
            ("losing", "remoteness") => "All moves lose; this one lasts longest",
            ("losing", _) => "All moves lose",
            _ => "A move that holds the draw",
        };
        let _ = writeln!(text, "\n{title}:");
        let from: Vec<_> = turn.moves.iter().map(|step| visible(&step.from)).collect();
        let widest = from.iter().map(|name| width(name)).max().unwrap_or(0);
        for (step, from) in turn.moves.iter().zip(from) {
            let (from, to) = (padded(&from, widest), visible(&step.to));
            let _ = writeln!(text, "  component {}:  {from} → {to}", step.component);
        }
    }

    /// Whether everything was found.
    pub fn is_complete(&self) -> bool {
        self.remoteness_by.is_some() && self.outcome_by.is_some()
    }
}
