//! Games whose files say how play ends, or who moves: solved and ready to be written.

use std::collections::BTreeMap;

use nimoon::Node;
use nimoon::limits::{Interrupted, Limit, Work};
use nimoon::player::Player;
use nimoon::smith::remoteness::{PayoffGame, PayoffGameError, PayoffSolution};
use thiserror::Error;

use super::PayoffReport;
use nimoon_formats::read::excerpt;
use nimoon_formats::source::{self, Declared, Terminal, Unfit};
use nimoon_formats::{Game, Names};

/// How many arcs each position of the budget allows.
const ARCS_PER_POSITION: u64 = 64;

/// Why a game with payoffs has no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayoffsError {
    /// Payoffs or players do not make a game.
    #[error("{0}")]
    Unfit(Unfit),
    /// The game is too large.
    #[error("{0}")]
    Game(PayoffGameError),
    /// There are too many payoffs, or the work was interrupted.
    #[error("{interrupted} by {payoffs} different payoffs on {size} positions and arcs")]
    Interrupted {
        /// How many different ones.
        payoffs: usize,
        /// Positions and arcs.
        size: u64,
        /// What ended it.
        interrupted: Interrupted,
    },
}

/// A game with payoffs, or with wins, draws and losses.
///
/// ```
/// use nimoon::Limits;
/// use nimoon::Work;
/// use nimoon_formats::read::{Format, read};
/// use nimoon_session::report::{Payoffs, write_node_table};
/// let game = read(Format::Game, b"draw z\na: z\n").unwrap().into_game().unwrap();
/// let mut table = Vec::new();
/// let written = Payoffs::new(&game, &Work::new(Limits::new(1000))).unwrap().with_report(&game.names, |report| {
///     write_node_table(report, &mut table)
/// });
/// assert!(written.is_ok_and(|written| written.is_ok()) && String::from_utf8(table).unwrap().contains("draw"));
/// ```
pub struct Payoffs {
    game: PayoffGame,
    players: BTreeMap<Node, Player>,
    pays: bool,
    work: Work,
}

impl Payoffs {
    /// The game of a file, if the budget is enough for it.
    ///
    /// # Errors
    /// When only some terminal nodes have a payoff, players do not move in turn, or there are too
    /// many payoffs.
    pub fn new(game: &Game, work: &Work) -> Result<Self, PayoffsError> {
        let name = |node| game.names.name(node);
        let ends: BTreeMap<Node, Terminal> = game.terminals.iter().copied().collect();
        let is_paid = |end: &Terminal| matches!(end, Terminal::Payoff(_));
        let pays = ends.values().any(is_paid);
        for node in game.digraph.nodes().filter(|_| pays) {
            if game.digraph.options(node).is_empty() && !ends.get(&node).is_some_and(is_paid) {
                let paid = ends.iter().find(|(_, end)| is_paid(end)).map(|(&node, _)| name(node));
                let unpaid = excerpt(&name(node));
                let message = |paid| {
                    format!(
                        "play ends at `{unpaid}` without a payoff, and `{paid}` has one: give a payoff \
                         to all terminal nodes or to none"
                    )
                };
                let unfit = Unfit::new(Declared::Ending, &paid.unwrap_or_default(), message);
                return Err(PayoffsError::Unfit(unfit));
            }
        }
        let players: BTreeMap<Node, Player> = game
            .players
            .iter()
            .map(|&(node, player)| match player {
                source::Player::Left => (node, Player::Left),
                source::Player::Right => (node, Player::Right),
            })
            .collect();
        let player = |node: Node| players.get(&node).copied();
        let pay = |node: Node| match ends.get(&node) {
            None | Some(Terminal::Win) => 1,
            Some(Terminal::Draw) => 0,
            Some(Terminal::Lose) => -1,
            Some(Terminal::Payoff(pay)) => *pay,
        };
        let made = if players.is_empty() {
            PayoffGame::impartial(&game.digraph, pay)
        } else {
            PayoffGame::bicoloured(&game.digraph, player, pay)
        };
        let made = made.map_err(|error| match error {
            PayoffGameError::SamePlayer { from, to, player } => {
                let from = excerpt(&name(from));
                let message = |to| {
                    format!(
                        "`{from}` and `{to}` are both {player}'s, and an arc leads from one to the \
                         other: players move in turn"
                    )
                };
                PayoffsError::Unfit(Unfit::new(Declared::Player, &name(to), message))
            }
            PayoffGameError::NoPlayer { node } => {
                let without = excerpt(&name(node));
                let message = |with| {
                    format!(
                        "`{without}` has options and no player, and `{with}` has one: where players are \
                         given, each such node needs one"
                    )
                };
                let with = game.players.first().map(|&(node, _)| name(node));
                let unfit = Unfit::new(Declared::Player, &with.unwrap_or_default(), message);
                PayoffsError::Unfit(unfit)
            }
            error => PayoffsError::Game(error),
        })?;
        let (payoffs, size) = (made.payoffs().len(), made.size());
        let over = |interrupted| PayoffsError::Interrupted { payoffs, size, interrupted };
        work.admit_listed(game.digraph.len() as u64).map_err(over)?;
        let arcs = size.saturating_mul(payoffs as u64 + 1);
        let budget = work.limits().positions;
        if pays && arcs > budget.saturating_mul(ARCS_PER_POSITION) {
            let interrupted = Interrupted::OverBudget {
                limit: Limit::Positions,
                allowed: budget,
                needed: Some(arcs.div_ceil(ARCS_PER_POSITION)),
            };
            return Err(over(interrupted));
        }
        Ok(Self { game: made, players, pays, work: work.child(work.limits()) })
    }

    /// Solves the game and hands over what there is to tell.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn with_report<T>(
        &self,
        names: &Names,
        use_it: impl FnOnce(&PayoffReport<'_>) -> T,
    ) -> Result<T, PayoffsError> {
        let solution = if self.pays {
            PayoffSolution::try_of_payoffs(&self.game, &self.work)
        } else {
            PayoffSolution::try_of_endings(&self.game, &self.work)
        };
        let (payoffs, size) = (self.game.payoffs().len(), self.game.size());
        let solution = solution.map_err(|interrupted| PayoffsError::Interrupted {
            payoffs,
            size,
            interrupted,
        })?;
        let players = |node: Node| self.players.get(&node).copied();
        Ok(use_it(&PayoffReport {
            names,
            game: &self.game,
            solution: &solution,
            players: &players,
            endings: !self.pays,
            bicoloured: !self.players.is_empty(),
        }))
    }
}
