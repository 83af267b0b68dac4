//! What is known of a compound, as text and JSON.

use std::fmt::Write as _;

use nimoon::smith::compound::{Answer, Compound, Guidance};
use nimoon::smith::remoteness::Play;
use schemars::JsonSchema;
use serde::Serialize;

use nimoon_formats::Names;
use nimoon_formats::write::outcome_letter;
use nimoon_formats::write::terminal::{cell_width, padded_cell, visible};

/// The answer about a compound.
///
/// ```
/// use nimoon::smith::compound::{Compound, Compounds, Kind};
/// use nimoon::{Work, Digraph, smith::remoteness::Play};
/// use nimoon_formats::Names;
/// use nimoon_session::report::CompoundReport;
/// let digraph = Digraph::new(2, [], vec![(1, 0)]).unwrap();
/// let names: Names = ["z", "a"].into_iter().collect();
/// let compound = Compound::new(Kind::Conjunctive, vec![1, 1]).unwrap();
/// let answer = Compounds::new(&digraph, &Work::default()).unwrap().solve(&compound, Play::Normal);
/// let report = CompoundReport::new(&compound, &names, Play::Normal, &answer);
/// let json = serde_json::to_string(&report).unwrap();
/// assert!(json.starts_with(r#"{"remoteness":1,"remoteness_by":"formula","outcome":"N","#));
/// assert!(report.text().contains("N: the next player wins, by formula"));
/// ```
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Compound")]
pub struct CompoundReport {
    /// How long play takes if the winner hurries and the loser delays; null if it is infinite or
    /// not known.
    remoteness: Option<u64>,
    /// How the remoteness was found, by `formula` or by `search`; null if it was not.
    remoteness_by: Option<&'static str>,
    /// Who wins: N, P, or D for a draw; null if that is not known.
    outcome: Option<&'static str>,
    /// How the outcome was found.
    outcome_by: Option<&'static str>,
    /// The length of the longest play; null if it is infinite.
    distance: Option<u64>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    grundy: Option<SumRow>,
    /// A turn to play; null if it is not known.
    turn: Option<TurnRow>,
    #[serde(skip)]
    misere: bool,
}

/// Smith's functions of a sum.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct SumRow {
    /// G; null if it is infinite.
    g: Option<u64>,
    /// H; null if it is infinite.
    h: Option<u64>,
    /// J, the values G of the options.
    j: Vec<u64>,
}

/// A turn in a compound.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "CompoundTurn")]
struct TurnRow {
    /// What it achieves: `winning`, `drawing`, `losing`, or `none` if there is no move.
    kind: &'static str,
    /// The moves, one in each component that is moved in.
    moves: Vec<MoveRow>,
    /// What it was chosen by: `remoteness`, or a `rule` that comes to an end.
    guide: &'static str,
}

/// A move in a component.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "CompoundMove")]
struct MoveRow {
    /// The number of the component.
    component: usize,
    /// The node that is left.
    from: String,
    /// The node that is moved to.
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
            _ => "A move that keeps the draw",
        };
        let _ = writeln!(text, "\n{title}:");
        let from: Vec<_> = turn.moves.iter().map(|step| visible(&step.from)).collect();
        let widest = from.iter().map(|name| cell_width(name)).max().unwrap_or(0);
        for (step, from) in turn.moves.iter().zip(from) {
            let (from, to) = (padded_cell(&from, widest), visible(&step.to));
            let _ = writeln!(text, "  component {}:  {from} → {to}", step.component);
        }
    }

    /// What was not found although a budget would have allowed more, in words; nothing if all was.
    pub fn missing(&self) -> Option<&'static str> {
        match (self.remoteness_by, &self.turn) {
            (None, None) => Some("the remoteness and a move are not known"),
            (None, Some(_)) => Some("the remoteness is not known"),
            (Some(_), None) => Some("a move is not known"),
            (Some(_), Some(_)) => None,
        }
    }

    /// Whether it is known who wins.
    pub fn has_outcome(&self) -> bool {
        self.outcome.is_some()
    }
}
