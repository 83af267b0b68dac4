//! What there is to say about a sum: components, value, outcome and the turn to play.

use std::fmt::Write as _;

use nimoon::impartial::turn::{Ply, Tree};
use nimoon::solve::solution::{PlyInWords, TreeInWords, TurnInWords};
use nimoon::{AnyValue, Guide, Kind, Label, Outcome, Theory, Turn, TurnKind};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use nimoon_formats::write::json::{Json, is_false, is_true, label_or_null, shaped};
use nimoon_formats::write::terminal::{cell_width, padded_cell, visible};

/// One component of a sum.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Component")]
pub struct ComponentReport {
    /// The position, in the notation it was given in.
    pub position: String,
    /// What the theory says about it; none if a budget was hit.
    #[serde(flatten, serialize_with = "label_or_null")]
    #[schemars(with = "Json<Label>")]
    pub label: Option<Label>,
    /// Who wins it alone; null where that is not known.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<Outcome>>")]
    pub outcome: Option<Outcome>,
}

/// One step of a turn.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Ply")]
pub struct PlyReport {
    /// The number of the component, from 0 on.
    pub component: usize,
    /// What it was before.
    pub from: String,
    /// What it is after.
    pub to: String,
    /// Whether it is a reply that the opponent has no say in; left out if not.
    #[serde(skip_serializing_if = "is_false")]
    pub forced: bool,
    /// Who moves then, and what the player does, for a position of a ruleset.
    #[serde(flatten, serialize_with = "said")]
    #[schemars(with = "Option<JsonWords>")]
    pub words: Option<(Kind, String)>,
}

/// What a player does in a position, and who moves then.
#[derive(Serialize, JsonSchema)]
struct JsonWords<'a> {
    /// True if the same player moves again; left out if not.
    #[serde(skip_serializing_if = "is_false")]
    again: bool,
    /// True if the opponent must answer in the same component; left out if not.
    #[serde(skip_serializing_if = "is_false")]
    entails: bool,
    /// What the player does, in words.
    words: &'a str,
}

fn said<S: Serializer>(words: &Option<(Kind, String)>, serializer: S) -> Result<S::Ok, S::Error> {
    let words = words.as_ref().map(|(kind, words)| JsonWords {
        again: *kind == Kind::Again,
        entails: *kind == Kind::Entailing,
        words,
    });
    words.serialize(serializer)
}

impl PlyReport {
    /// A step between nodes with names.
    fn of_nodes(ply: &Ply, name: impl Fn(u32) -> String) -> Self {
        let &Ply { component, from, to, forced } = ply;
        Self { component, from: name(from), to: name(to), forced, words: None }
    }

    /// The step on a line, in words.
    fn line(&self) -> String {
        let (from, to) = (visible(&self.from), visible(&self.to));
        let (words, then) = self.said();
        let words = if words.is_empty() { words } else { format!("{words}:  ") };
        format!("component {}:  {words}{from} → {to}{then}", self.component)
    }
}

impl From<PlyInWords> for PlyReport {
    fn from(ply: PlyInWords) -> Self {
        let PlyInWords { component, from, to, kind, forced, words } = ply;
        Self { component, from, to, forced, words: Some((kind, words)) }
    }
}

/// A turn as a list of steps.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Turn")]
pub struct TurnReport {
    /// What it achieves.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<TurnKind>")]
    pub kind: TurnKind,
    /// The steps.
    pub plies: Vec<PlyReport>,
    /// Whether they repeat for ever; left out if not.
    #[serde(skip_serializing_if = "is_false")]
    pub endless: bool,
    /// What it was chosen by; none for one of a list.
    #[serde(flatten, serialize_with = "shaped")]
    #[schemars(with = "Json<Option<Guide>>")]
    pub guide: Option<Guide>,
    /// What to answer to every choice of the opponent, where a winning turn is not over after the
    /// steps; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeReport>,
}

/// A winning turn with an answer to every choice of the opponent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tree")]
pub struct TreeReport {
    /// What the player does.
    pub ply: PlyReport,
    /// How the turn goes on after a carry-on move in a position; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub then: Option<Box<TreeReport>>,
    /// Every reply of the opponent within the turn; none where the turn is over.
    pub replies: Vec<ReplyReport>,
}

/// A reply of the opponent, and how the turn goes on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Reply")]
pub struct ReplyReport {
    /// What the opponent does.
    pub ply: PlyReport,
    /// How the turn goes on; null where there is too much to list.
    pub then: Option<TreeReport>,
}

impl TreeReport {
    /// A tree on nodes with names.
    pub fn of_nodes(tree: &Tree, name: &impl Fn(u32) -> String) -> Self {
        let replies = tree.replies.iter().map(|reply| ReplyReport {
            ply: PlyReport::of_nodes(&reply.ply, name),
            then: reply.then.as_ref().map(|then| Self::of_nodes(then, name)),
        });
        let replies = replies.collect();
        Self { ply: PlyReport::of_nodes(&tree.ply, name), then: None, replies }
    }

    /// The lines of the tree after its first so many steps.
    fn lines(&self, skipped: usize, depth: usize, lines: &mut Vec<String>) {
        let indent = "  ".repeat(depth);
        if skipped == 0 {
            lines.push(format!("{indent}move  {}", self.ply.line()));
        }
        let skipped = skipped.saturating_sub(1);
        if let Some(then) = &self.then {
            then.lines(skipped, depth, lines);
        }
        if let [ReplyReport { ply, then: Some(then) }] = &self.replies[..] {
            if skipped == 0 {
                lines.push(format!("{indent}the opponent must reply  {}", ply.line()));
            }
            return then.lines(skipped.saturating_sub(1), depth, lines);
        }
        for ReplyReport { ply, then } in &self.replies {
            lines.push(format!("{indent}if the reply is  {}", ply.line()));
            match then {
                Some(then) => then.lines(0, depth + 1, lines),
                None => lines.push(format!("{indent}  …")),
            }
        }
    }
}

impl From<TreeInWords> for TreeReport {
    fn from(tree: TreeInWords) -> Self {
        let TreeInWords { ply, then, replies } = tree;
        let replies = replies
            .into_iter()
            .map(|reply| ReplyReport { ply: reply.ply.into(), then: reply.then.map(Self::from) });
        let replies = replies.collect();
        Self { ply: ply.into(), then: then.map(|then| Box::new(Self::from(*then))), replies }
    }
}

impl TurnReport {
    /// A turn on nodes with names.
    pub fn of_nodes(turn: &Turn, name: impl Fn(u32) -> String, guide: Option<Guide>) -> Self {
        let plies = turn.plies.iter().map(|ply| PlyReport::of_nodes(ply, &name));
        let (plies, tree) = (plies.collect(), None);
        Self { kind: turn.kind, plies, endless: turn.endless, guide, tree }
    }

    /// A turn in positions of rulesets.
    pub fn of_positions(turn: TurnInWords, guide: Option<Guide>) -> Self {
        let TurnInWords { kind, plies, endless } = turn;
        let plies = plies.into_iter().map(PlyReport::from).collect();
        Self { kind, plies, endless, guide, tree: None }
    }

    /// The same with an answer to every choice of the opponent.
    #[must_use]
    pub fn with_tree(self, tree: Option<TreeReport>) -> Self {
        Self { tree, ..self }
    }
}

/// Everything about a sum of impartial positions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sum")]
pub struct SumReport {
    /// The theory used; null if a limit was hit before one was chosen.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<Theory>>")]
    pub theory: Option<Theory>,
    /// False where a limit cut the labels short; left out otherwise.
    #[serde(skip_serializing_if = "is_true")]
    pub complete: bool,
    /// The components.
    pub components: Vec<ComponentReport>,
    /// The value; null where no algebra is known or a piece stands on a gray node.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<AnyValue>>")]
    pub value: Option<AnyValue>,
    /// Who wins; null if a limit was hit.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<Outcome>>")]
    pub outcome: Option<Outcome>,
    /// The turn to play; null if a limit was hit.
    pub turn: Option<TurnReport>,
    /// The winning turns, or in a draw those that hold it, where they were requested.
    #[serde(flatten)]
    pub turns: Option<TurnList>,
}

/// The winning turns of a sum, or in a draw those that hold it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TurnList {
    /// The turns.
    pub turns: Vec<TurnReport>,
    /// Whether there may be more; left out if not.
    #[serde(skip_serializing_if = "is_false")]
    pub truncated: bool,
}

impl SumReport {
    /// The answer in words, for a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let names: Vec<_> = self.components.iter().map(|c| visible(&c.position)).collect();
        let widest = names.iter().map(|name| cell_width(name)).max().unwrap_or(0);
        for (i, (component, name)) in self.components.iter().zip(&names).enumerate() {
            let said = match &component.label {
                Some(Label::White(value)) => value.to_string(),
                Some(Label::Gray(Some(cover))) => format!("gray, covers {cover}"),
                Some(Label::Gray(None)) => "gray".to_owned(),
                None => "not known".to_owned(),
            };
            let outcome = component.outcome.map_or("?".to_owned(), |outcome| outcome.to_string());
            let name = padded_cell(name, widest);
            let _ = writeln!(text, "{i:>4}  {name}  {outcome}  {said}");
        }
        if !self.complete {
            text.push_str("      (interrupted by a limit: unknown beside larger heaps)\n");
        }
        let _ = write!(text, "\n sum  ");
        if let Some(value) = &self.value {
            let _ = write!(text, "{value}, ");
        }
        text.push_str(outcome_words(self.outcome));
        if let Some(theory) = self.theory {
            let _ = write!(text, " ({theory} theory)");
        }
        text.push('\n');
        if let (Some(turn), Some(theory)) = (&self.turn, self.theory) {
            let _ = write!(text, "\n{}", turn.text(theory));
        }
        if let Some(TurnList { turns, truncated }) = &self.turns {
            let _ = write!(text, "\n{}", turns_text(turns, *truncated));
        }
        text
    }
}

/// A list of turns in words, a line for each, and whether it was cut. All of them win, or all of them
/// hold a draw.
///
/// ```
/// use nimoon_session::report::turns_text;
/// assert_eq!(turns_text(&[], false), "No winning turn\n");
/// ```
pub fn turns_text(turns: &[TurnReport], truncated: bool) -> String {
    let what = match turns.first() {
        Some(turn) if turn.kind == TurnKind::Drawing => "turn that holds the draw",
        _ => "winning turn",
    };
    let heading = match turns.len() {
        0 if truncated => "No winning turn was listed".to_owned(),
        0 => "No winning turn".to_owned(),
        1 => format!("1 {what}"),
        count => format!("{count} {}", what.replacen("turn", "turns", 1).replace("holds", "hold")),
    };
    let more = if truncated { " (the list is cut, there may be more)" } else { "" };
    let mut text = format!("{heading}{more}\n");
    for turn in turns {
        let _ = writeln!(text, "  {}", turn.one_line());
    }
    text
}

/// Who wins, in words.
///
/// ```
/// use nimoon::Outcome;
/// use nimoon_session::report::outcome_words;
/// assert_eq!(outcome_words(Some(Outcome::P)), "P: the previous player wins");
/// ```
pub fn outcome_words(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::N) => "N: the next player wins",
        Some(Outcome::P) => "P: the previous player wins",
        Some(Outcome::D) => "D: a draw",
        None => "outcome not known",
    }
}

impl TurnReport {
    /// The turn as a list of steps, in words.
    pub fn text(&self, theory: Theory) -> String {
        let Self { kind, plies, endless, guide, tree } = self;
        let mut text = String::new();
        let heading = match kind {
            TurnKind::Winning => "A winning turn",
            TurnKind::Drawing => "A turn that keeps the draw",
            TurnKind::Losing if matches!(guide, Some(Guide::Search { .. })) => {
                "Every turn loses; this one lasts longest"
            }
            TurnKind::Losing => "Every turn loses; one that lasts",
            TurnKind::None => return "There is no move.\n".to_owned(),
        };
        let guide = match guide {
            // In rulesets nobody counts the replies to carry-on moves, which remoteness does.
            Some(Guide::Search { remoteness: Some(plies) })
                if matches!(theory, Theory::Short | Theory::Cyclic)
                    || plies_have_no_words(&self.plies) =>
            {
                let plies = if *plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
                format!(", by search: the game ends after {plies} of good play")
            }
            Some(Guide::Search { .. }) => ", by search".to_owned(),
            Some(Guide::Measure) if *kind == TurnKind::Drawing => {
                ", by the values of the components".to_owned()
            }
            Some(Guide::Measure) => ", by a measure that falls with each turn".to_owned(),
            None => String::new(),
        };
        let _ = writeln!(text, "{heading}{guide}:");
        for ply in plies {
            let who = if ply.forced { "the opponent must reply" } else { "move" };
            let _ = writeln!(text, "  {who:23}  {}", ply.line());
        }
        if let Some(tree) = tree {
            /// More lines tell nobody anything.
            const LINES: usize = 60;
            let mut lines = Vec::new();
            tree.lines(plies.len(), 1, &mut lines);
            let more = lines.len().saturating_sub(LINES);
            for line in lines.iter().take(LINES) {
                let _ = writeln!(text, "{line}");
            }
            if more > 0 {
                let _ = writeln!(text, "  … and {more} more lines");
            }
        }
        if *endless {
            let _ = writeln!(text, "  and so on for ever");
        }
        text
    }

    fn one_line(&self) -> String {
        let steps = self.plies.iter().map(|ply| {
            let forced = if ply.forced { "forced " } else { "" };
            let (from, to) = (visible(&ply.from), visible(&ply.to));
            match ply.said() {
                (words, _) if words.is_empty() => {
                    format!("{forced}{}: {from} → {to}", ply.component)
                }
                (words, then) => format!("{forced}{}: {words} → {to}{then}", ply.component),
            }
        });
        steps.collect::<Vec<_>>().join(";  ")
    }
}

fn plies_have_no_words(plies: &[PlyReport]) -> bool {
    plies.iter().all(|ply| ply.words.is_none())
}

impl PlyReport {
    /// What the player does, if there are words for it, and what happens then.
    fn said(&self) -> (String, &'static str) {
        match &self.words {
            None => (String::new(), ""),
            Some((kind, words)) => {
                let then = match kind {
                    Kind::Ordinary => "",
                    Kind::Again => "; move again",
                    Kind::Entailing => "; the answer must be there",
                };
                (visible(words).into_owned(), then)
            }
        }
    }
}
