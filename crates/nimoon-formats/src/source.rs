//! What a digraph file says: names, gray nodes, arcs and what some theories need beside them.

use nimoon::graph::digraph::DigraphError;
use nimoon::solve::solution::PositionDigraph;
use nimoon::{Digraph, Node};
use thiserror::Error;

use crate::Names;
use crate::read::excerpt;

/// What the end of play on a terminal node means for the player who moved last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terminal {
    /// The player who moved last wins: normal play, and what holds where nothing is said.
    Win,
    /// The player who moved last loses: misère play.
    Lose,
    /// Neither player wins.
    Draw,
    /// The player who moved last is paid this much.
    Payoff(i64),
}

/// The player who moves from a node, where two colours are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Left moves.
    Left,
    /// Right moves.
    Right,
}

/// What a file declares of a node beside its arcs and its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Declared {
    /// How play ends there.
    Ending,
    /// Who moves from there.
    Player,
}

/// A digraph that is not of the requested kind, because of what is declared of a node.
///
/// [`crate::read::unfit`] finds the place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct Unfit {
    /// What is declared.
    pub declared: Declared,
    /// The name of the node.
    pub name: String,
    /// Why that does not fit, and what to do.
    pub message: String,
}

impl Unfit {
    /// `message` is made from the name, which is cut short and made harmless for it.
    pub fn new(declared: Declared, name: &str, message: impl FnOnce(String) -> String) -> Self {
        Self { declared, name: name.to_owned(), message: message(excerpt(name)) }
    }
}

/// Refuses what values and sums know nothing of.
fn check_impartial(
    names: &Names,
    terminals: &[(Node, Terminal)],
    players: &[(Node, Player)],
) -> Result<(), Unfit> {
    if let Some((node, _)) = terminals.iter().find(|(_, end)| *end != Terminal::Win) {
        return Err(Unfit::new(Declared::Ending, &names.name(*node), |name| {
            format!(
                "play does not end with a win for the last player at `{name}`: values and sums are \
                 for normal play; leave out the ends of play, or see `remoteness`"
            )
        }));
    }
    if let Some((node, _)) = players.first() {
        return Err(Unfit::new(Declared::Player, &names.name(*node), |name| {
            format!(
                "only one player may move at `{name}`: values and sums are for impartial games; \
                 leave out the players, or see `remoteness`"
            )
        }));
    }
    Ok(())
}

/// The contents of a digraph file, with the arcs as a plain list.
///
/// Every node in the lists is below `names.len()`. An arc may be in the list more than once; a
/// gray node, a terminal and a player are there once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The names of the nodes.
    pub names: Names,
    /// The gray nodes in the order of the file.
    pub gray: Vec<Node>,
    /// The arcs in the order of the file.
    pub arcs: Vec<(Node, Node)>,
    /// The terminal nodes of which the file says how play ends there.
    pub terminals: Vec<(Node, Terminal)>,
    /// The nodes of which the file says who moves.
    pub players: Vec<(Node, Player)>,
}

/// A digraph with the names of its nodes and what some theories need beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The digraph.
    pub digraph: Digraph,
    /// The names of its nodes.
    pub names: Names,
    /// The terminal nodes of which the file says how play ends there.
    pub terminals: Vec<(Node, Terminal)>,
    /// The nodes of which the file says who moves.
    pub players: Vec<(Node, Player)>,
}

impl Source {
    /// Builds the adjacency.
    ///
    /// ```
    /// use nimoon_formats::read::{Format, read};
    /// let source = read(Format::Game, b"gray g\na: g b\n").unwrap();
    /// let game = source.into_game().unwrap();
    /// assert_eq!(game.digraph.options(0), [1, 2]);
    /// assert!(game.digraph.is_gray(1));
    /// assert_eq!(game.names.name(2), "b");
    /// ```
    ///
    /// # Errors
    /// When a gray node or an arc end is not below `names.len()`, which the readers never leave so.
    pub fn into_game(self) -> Result<Game, DigraphError> {
        let Self { names, gray, arcs, terminals, players } = self;
        let digraph = Digraph::new(names.len(), gray, arcs)?;
        Ok(Game { digraph, names, terminals, players })
    }

    /// Refuses other ends of play than a win for the last player, and players: values and sums are for
    /// impartial games in normal play.
    ///
    /// ```
    /// use nimoon_formats::read::{Format, read};
    /// assert!(read(Format::Game, b"win z\na: z\n").unwrap().check_impartial().is_ok());
    /// let error = read(Format::Game, b"lose z\na: z\n").unwrap().check_impartial().unwrap_err();
    /// assert_eq!(error.name, "z");
    /// ```
    ///
    /// # Errors
    /// With the first node of which something else is declared.
    pub fn check_impartial(&self) -> Result<(), Unfit> {
        check_impartial(&self.names, &self.terminals, &self.players)
    }
}

impl From<PositionDigraph> for Game {
    fn from(PositionDigraph { digraph, names, .. }: PositionDigraph) -> Self {
        let names = names.iter().collect();
        Self { digraph, names, terminals: Vec::new(), players: Vec::new() }
    }
}

impl Game {
    /// As [`Source::check_impartial`].
    ///
    /// # Errors
    /// With the first node of which something else is declared.
    pub fn check_impartial(&self) -> Result<(), Unfit> {
        check_impartial(&self.names, &self.terminals, &self.players)
    }
}
