//! Remoteness, as tables and JSON, node by node.

use std::io::{self, BufWriter, Write};

use nimoon::smith::grundy::GrundyPair;
use nimoon::smith::remoteness::PayoffGame;
use nimoon::smith::remoteness::security::{Assurance, SecurityLevel};
use nimoon::smith::remoteness::{PartizanRemoteness, PayoffGoal, PayoffSolution, Remoteness};
use nimoon::{Digraph, Node, Outcome};
use nimoon::{partizan::Graph, player::Player};
use schemars::JsonSchema;
use serde::Serialize;

use nimoon_formats::Names;
use nimoon_formats::write::outcome_letter;
use nimoon_formats::write::terminal::{cell_width, visible, width};
use nimoon_formats::write::write_row;

/// Something that is written as a table for people, or as a JSON list, with a row for each node.
pub trait NodeRows {
    /// What JSON has for a node.
    type Row: Serialize + JsonSchema;

    /// The number of nodes.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the columns.
    fn header(&self) -> Vec<String>;

    /// The cells of a node.
    fn cells(&self, node: Node) -> Vec<String>;

    /// What JSON has for a node.
    fn row(&self, node: Node) -> Self::Row;
}

/// Writes a row for each node, below a header.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_node_table(report: &impl NodeRows, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let header = report.header();
    let mut widths: Vec<usize> = header.iter().map(|cell| width(cell)).collect();
    for node in 0..report.len() as Node {
        for (widest, cell) in widths.iter_mut().zip(report.cells(node)) {
            *widest = (*widest).max(cell_width(&cell));
        }
    }
    write_row(&header, &widths, &mut out)?;
    let lines: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
    write_row(&lines, &widths, &mut out)?;
    for node in 0..report.len() as Node {
        write_row(&report.cells(node), &widths, &mut out)?;
    }
    out.flush()
}

/// Writes a JSON list with an entry for each node.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_node_json(report: &impl NodeRows, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    out.write_all(b"[")?;
    for node in 0..report.len() as Node {
        if node > 0 {
            out.write_all(b",\n ")?;
        }
        serde_json::to_writer(&mut out, &report.row(node))?;
    }
    out.write_all(b"]\n")?;
    out.flush()
}

/// A number or ∞.
fn number<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "∞".to_owned(), |value| value.to_string())
}

fn letter(outcome: Outcome) -> &'static str {
    outcome_letter(Some(outcome))
}

/// Terminal distance, remoteness and outcome.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Solved")]
pub struct SolvedRow {
    /// The length of the longest play; null if it is infinite.
    distance: Option<u32>,
    /// How long play takes if the winner hurries and the loser delays; null if it is infinite.
    remoteness: Option<u32>,
    /// Who wins: N, P, or D for a draw.
    outcome: &'static str,
    /// A good move, where it was asked for; null if there is no move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    good_move: Option<Option<String>>,
}

impl SolvedRow {
    fn cells(&self) -> Vec<String> {
        let mut cells =
            vec![number(self.distance), number(self.remoteness), self.outcome.to_owned()];
        if let Some(to) = &self.good_move {
            cells.push(to.as_deref().map_or_else(|| "-".to_owned(), |to| visible(to).into_owned()));
        }
        cells
    }
}

/// The remoteness of all nodes of a digraph.
///
/// ```
/// use nimoon::{Digraph, smith::remoteness::{Play, Remoteness}};
/// use nimoon_formats::Names;
/// use nimoon_session::report::{RemotenessReport, write_node_json, write_node_table};
/// let digraph = Digraph::new(2, [], vec![(1, 0)]).unwrap();
/// let names: Names = ["z", "a"].into_iter().collect();
/// let remoteness = Remoteness::new(&digraph, Play::Normal);
/// let (strategy, pair) = (false, None);
/// let report =
///     RemotenessReport { digraph: &digraph, names: &names, remoteness: &remoteness, strategy, pair };
/// let mut out = Vec::new();
/// write_node_json(&report, &mut out).unwrap();
/// let text = String::from_utf8(out).unwrap();
/// assert!(text.starts_with(r#"[{"node":"z","distance":0,"remoteness":0,"outcome":"P"},"#));
/// let mut out = Vec::new();
/// write_node_table(&report, &mut out).unwrap();
/// assert!(String::from_utf8(out).unwrap().ends_with("a     1         1           N\n"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RemotenessReport<'a> {
    /// The digraph.
    pub digraph: &'a Digraph,
    /// The names of its nodes.
    pub names: &'a Names,
    /// The remoteness of its nodes.
    pub remoteness: &'a Remoteness,
    /// Whether to tell a good move from each node.
    pub strategy: bool,
    /// G and H, where they are asked for.
    pub pair: Option<&'a GrundyPair>,
}

/// A row of a [`RemotenessReport`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Remoteness")]
pub struct RemotenessRow {
    /// The node.
    node: String,
    #[serde(flatten)]
    solved: SolvedRow,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    grundy: Option<GrundyRow>,
}

/// Smith's functions of a node.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct GrundyRow {
    /// G, the strict Sprague–Grundy function; null if it is infinite.
    g: Option<u32>,
    /// H, the least function beside it; null if it is infinite.
    h: Option<u32>,
    /// J, the values G of the options.
    j: Vec<u32>,
}

impl NodeRows for RemotenessReport<'_> {
    type Row = RemotenessRow;

    fn len(&self) -> usize {
        self.digraph.len()
    }

    fn header(&self) -> Vec<String> {
        let mut header = vec!["node", "distance", "remoteness", "outcome"];
        header.extend(self.strategy.then_some("good move"));
        if self.pair.is_some() {
            header.extend(["G", "H", "J"]);
        }
        header.into_iter().map(str::to_owned).collect()
    }

    fn cells(&self, node: Node) -> Vec<String> {
        let row = self.row(node);
        let mut cells = vec![visible(&row.node).into_owned()];
        cells.extend(row.solved.cells());
        if let Some(GrundyRow { g, h, j }) = row.grundy {
            let j: Vec<String> = j.iter().map(u32::to_string).collect();
            cells.extend([number(g), number(h), format!("{{{}}}", j.join(","))]);
        }
        cells
    }

    fn row(&self, node: Node) -> RemotenessRow {
        let name = |node| self.names.name(node).into_owned();
        let good_move =
            self.strategy.then(|| self.remoteness.good_move(self.digraph, node).map(name));
        RemotenessRow {
            node: name(node),
            solved: SolvedRow {
                distance: self.remoteness.distance(node),
                remoteness: self.remoteness.remoteness(node),
                outcome: letter(self.remoteness.outcome(node)),
                good_move,
            },
            grundy: self.pair.map(|pair| GrundyRow {
                g: pair.g(node),
                h: pair.h(node),
                j: pair.j(self.digraph, node),
            }),
        }
    }
}

/// The remoteness of all vertices of a graph with Left and Right edges, for either player to begin.
#[derive(Clone, Copy, Debug)]
pub struct PartizanRemotenessReport<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The names of its vertices.
    pub names: &'a Names,
    /// The remoteness of its vertices.
    pub remoteness: &'a PartizanRemoteness,
    /// Whether to tell a good move from each vertex.
    pub strategy: bool,
}

/// A row of a [`PartizanRemotenessReport`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PartizanRemoteness")]
pub struct PartizanRemotenessRow {
    /// The vertex.
    node: String,
    /// What is known if Left begins.
    left: SolvedRow,
    /// What is known if Right begins.
    right: SolvedRow,
}

impl NodeRows for PartizanRemotenessReport<'_> {
    type Row = PartizanRemotenessRow;

    fn len(&self) -> usize {
        self.graph.len()
    }

    fn header(&self) -> Vec<String> {
        let mut header = vec!["node".to_owned()];
        for player in Player::BOTH {
            header.push(format!("{player} first: distance"));
            header.extend(["remoteness", "outcome"].map(str::to_owned));
            header.extend(self.strategy.then(|| "good move".to_owned()));
        }
        header
    }

    fn cells(&self, node: Node) -> Vec<String> {
        let PartizanRemotenessRow { node, left, right } = self.row(node);
        let mut cells = vec![visible(&node).into_owned()];
        cells.extend(left.cells());
        cells.extend(right.cells());
        cells
    }

    fn row(&self, node: Node) -> PartizanRemotenessRow {
        let name = |node| self.names.name(node).into_owned();
        let solved = |player| SolvedRow {
            distance: self.remoteness.distance(node, player),
            remoteness: self.remoteness.remoteness(node, player),
            outcome: letter(self.remoteness.outcome(node, player)),
            good_move: self.strategy.then(|| self.remoteness.good_move(node, player).map(name)),
        };
        let [left, right] = Player::BOTH.map(solved);
        PartizanRemotenessRow { node: name(node), left, right }
    }
}

/// What the players can be sure of at each node of a game with payoffs, or with wins, draws and
/// losses.
pub struct PayoffReport<'a> {
    /// The names of the nodes.
    pub names: &'a Names,
    /// The game.
    pub game: &'a PayoffGame,
    /// What is known of it.
    pub solution: &'a PayoffSolution<'a>,
    /// Who moves from each node; none where either may.
    pub players: &'a dyn Fn(Node) -> Option<Player>,
    /// Whether to tell wins, draws and losses, and not numbers.
    pub endings: bool,
    /// Whether each node with options belongs to a player.
    pub bicoloured: bool,
}

/// A row of a [`PayoffReport`].
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Security")]
pub struct PayoffRow {
    /// The node.
    node: String,
    /// Who moves from it, where nodes belong to players: `left` or `right`.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<&'static str>,
    #[serde(flatten)]
    solved: SolvedRow,
    /// What the next player can be sure of.
    next: Vec<LevelRow>,
    /// What the previous player can be sure of.
    previous: Vec<LevelRow>,
}

/// One thing that a player is sure of.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Level")]
struct LevelRow {
    /// What the player gets at least.
    at_least: Payment,
    /// `bounded` by a number of moves, `terminated` some time, or `unterminated`: that or endless
    /// play.
    assurance: &'static str,
    /// The least number of moves that it takes; null without a bound.
    moves: Option<u32>,
    /// A move that keeps it, for the next player.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

/// A payoff, or an ending.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Payment {
    /// An ending: `win`, `draw` or `lose`.
    Ending(&'static str),
    /// A payoff.
    Payoff(i64),
}

impl LevelRow {
    fn text(&self) -> String {
        let what = match self.at_least {
            Payment::Ending("lose") => "an end".to_owned(),
            Payment::Ending(ending) => format!("a {ending}"),
            Payment::Payoff(pay) => pay.to_string(),
        };
        let how = match (self.assurance, self.moves) {
            (_, Some(moves)) => format!("{what} within {moves}"),
            ("terminated", None) => what,
            (_, None) => format!("{what} or endless play"),
        };
        match &self.to {
            Some(to) => format!("{how} by {}", visible(to)),
            None => how,
        }
    }
}

impl PayoffReport<'_> {
    fn mover(&self, node: Node) -> Player {
        (self.players)(node).unwrap_or(Player::Left)
    }

    fn levels(&self, node: Node, is_next: bool) -> Vec<LevelRow> {
        let mover = self.mover(node);
        let viewer = if is_next { mover } else { mover.opponent() };
        let reply = |level: SecurityLevel<PayoffGoal, u32>| {
            let to = self.solution.good_move(level.goal, node, mover).filter(|_| is_next);
            LevelRow {
                at_least: match (self.endings, level.goal.pay) {
                    (false, pay) => Payment::Payoff(pay),
                    (true, 1) => Payment::Ending("win"),
                    (true, 0) => Payment::Ending("draw"),
                    (true, _) => Payment::Ending("lose"),
                },
                assurance: match level.assurance {
                    Assurance::Bounded => "bounded",
                    Assurance::Terminated => "terminated",
                    Assurance::Unterminated => "unterminated",
                },
                moves: level.moves,
                to: to.map(|to| self.names.name(to).into_owned()),
            }
        };
        self.solution.levels(node, mover, viewer).into_iter().map(reply).collect()
    }
}

impl NodeRows for PayoffReport<'_> {
    type Row = PayoffRow;

    fn len(&self) -> usize {
        self.names.len()
    }

    fn header(&self) -> Vec<String> {
        let player = self.bicoloured.then_some("player");
        let rest = ["distance", "remoteness", "outcome", "next is sure of", "previous is sure of"];
        ["node"].into_iter().chain(player).chain(rest).map(str::to_owned).collect()
    }

    fn cells(&self, node: Node) -> Vec<String> {
        let row = self.row(node);
        let text = |levels: &[LevelRow]| match levels {
            [] => "nothing".to_owned(),
            levels => levels.iter().map(LevelRow::text).collect::<Vec<_>>().join("; "),
        };
        let mut cells = vec![visible(&row.node).into_owned()];
        cells.extend(self.bicoloured.then(|| row.player.unwrap_or("-").to_owned()));
        cells.extend(row.solved.cells());
        cells.extend([text(&row.next), text(&row.previous)]);
        cells
    }

    fn row(&self, node: Node) -> PayoffRow {
        let mover = self.mover(node);
        PayoffRow {
            node: self.names.name(node).into_owned(),
            player: (self.players)(node).map(|player| match player {
                Player::Left => "left",
                Player::Right => "right",
            }),
            solved: SolvedRow {
                distance: self.game.distance(node, mover),
                remoteness: self.solution.remoteness(node, mover),
                outcome: letter(self.solution.outcome(node, mover)),
                good_move: None,
            },
            next: self.levels(node, true),
            previous: self.levels(node, false),
        }
    }
}
