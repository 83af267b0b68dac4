//! What a digraph file says: names, gray nodes, arcs and what some theories need beside them.

use nimoon::digraph::DigraphError;
use nimoon::{Digraph, Node};

use crate::Names;

/// What the end of play on a terminal node means for the player who moved last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terminal {
    /// The player who moved last wins: normal play, and what holds where nothing is said.
    Win,
    /// The player who moved last loses: misère play.
    Lose,
    /// Nobody wins.
    Draw,
    /// The player who moved last is paid this much.
    Payoff(i64),
}

/// The player who moves from a node, where two colours are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Left moves.
    Left,
    /// Right moves.
    Right,
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
}
