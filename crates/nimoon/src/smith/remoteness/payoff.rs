//! Ends of play that are worth something: generalized remoteness, or Q-functions.
//!
//! Abe and Barbara are Left and Right. Each terminal position pays Abe a number, and Barbara its
//! negative; 1, 0 and −1 stand for a win, a draw and a loss. For a number v let Abe *succeed* where
//! he is paid at least v, and Barbara at all other terminal positions. Q is the remoteness for
//! which the player who succeeds counts as the winner: a terminal position has Q = 0 if the
//! previous player succeeds there, and 1 if the next one does, as if one more move were to be made.
//!
//! With Abe to move, an odd Q means that Abe is sure of success within Q moves, an even Q that
//! Barbara is, and ∞ that either can keep the other from it, by play without end.
//!
//! An end of play pays the player who moved last, and the opponent the negative. Who moved last
//! depends on who began, so positions are nodes with a player to move. There is one Q-function for
//! each payoff v, and one for no payoff at all, which the other player needs. What is reported are
//! the goals that no better goal makes worthless ([`security`](super::security)).
//!
//! # How many moves it takes
//! Q counts a move that is never made where play ends with the success of the next player. Let T be
//! the least number of moves within which the player who can be sure of success is sure of it.
//!
//! *Theorem.* Q is T or T + 1: the one that is odd if the next player succeeds, and even if the
//! previous one does.
//!
//! *Proof.* The parity of Q says who succeeds. A strategy that lowers Q by one with each move
//! succeeds within Q moves, so T ≤ Q. Conversely a strategy that succeeds within T moves succeeds
//! within T + 1 moves of the game with the added moves, and Q is the least such bound there, its
//! remoteness; so Q ≤ T + 1. ∎
//!
//! Hence T cannot be read from Q, but Q from T and the player who succeeds, and these two are what
//! is kept. T is 0 at terminal positions; one more than the least T of the followers from which the
//! mover succeeds, if there are any; one more than the largest T of all followers, if the opponent
//! succeeds from each. A good move leads from T to T − 1; it then leads from Q to Q − 1 too, since
//! T and Q differ by as much before it as after it.
//!
//! *Example.* c → c, b; b → z; the player who moves last at z loses. From c the next player moves
//! to b and has won after 2 moves: T = 2, Q = 3.
//!
//! ## References
//! [Smith1966, §5 and §12]

use thiserror::Error;

use super::partizan::position;
use super::security::{Ending, SecurityLevel, security_levels, table_1};
use super::{Retrograde, distances, finite, good_by_success, successes};
use crate::graph::digraph::{Digraph, Node, Rows};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;
use crate::player::Player;

/// Why nodes, players and payoffs do not make a game.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayoffGameError {
    /// Players move in turn, so an arc leads from one player's node to the other's.
    #[error(
        "an arc leads from node {from} to node {to}, and both are {player}'s: players move in turn"
    )]
    SamePlayer {
        /// Where the arc begins.
        from: Node,
        /// Where it ends.
        to: Node,
        /// Whose nodes they are.
        player: Player,
    },
    /// A node with options that belongs to neither player.
    #[error("node {node} has options, but no player")]
    NoPlayer {
        /// The node.
        node: Node,
    },
    /// More nodes than positions can be numbered for.
    #[error("{len} nodes with two players are more than the limit")]
    TooManyNodes {
        /// The number of nodes.
        len: usize,
    },
}

/// A game in which each terminal position pays Abe something (Left), and Barbara (Right) the
/// negative.
///
/// ```
/// use nimoon::Digraph;
/// use nimoon::player::Player::{Left, Right};
/// use nimoon::smith::remoteness::PayoffGame;
/// // a → b, c and b → d. The player who moves last is paid 5 at c and 2 at d.
/// let [a, b, c, d] = [0, 1, 2, 3];
/// let digraph = Digraph::new(4, [], vec![(a, b), (a, c), (b, d)]).unwrap();
/// let game = PayoffGame::impartial(&digraph, |node| if node == c { 5 } else { 2 }).unwrap();
/// assert_eq!(game.payoffs(), [-5, -2, 2, 5]);
/// let five = game.generalized(Some(5));
/// assert_eq!(five.value(a, Left), Some(1));
/// assert_eq!(five.good_move(&game, a, Left), Some(c));
/// // From b Right moves last and is paid 2: Left is sure of -2 and no more.
/// assert_eq!(game.generalized(Some(-2)).value(b, Right), Some(2));
/// assert_eq!(game.generalized(Some(2)).value(b, Right), Some(1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoffGame {
    options: Rows,
    predecessors: Rows,
    /// What Abe is paid at each terminal position; 0 elsewhere.
    pays: Vec<i64>,
    payoffs: Vec<i64>,
    distance: Vec<u32>,
}

impl PayoffGame {
    /// Both players have the same moves, and the player who moves last is paid [Smith1966, §2].
    ///
    /// # Errors
    /// When there are too many nodes.
    pub fn impartial(
        digraph: &Digraph,
        pays: impl Fn(Node) -> i64,
    ) -> Result<Self, PayoffGameError> {
        Self::new(digraph, |_| None, pays)
    }

    /// Each node with options belongs to a player, who moves from there [Smith1966, §1].
    ///
    /// Terminal nodes may belong to either player or to neither. The player who moves last is paid.
    ///
    /// ```
    /// use nimoon::Digraph;
    /// use nimoon::player::Player::{Left, Right};
    /// use nimoon::smith::remoteness::{PayoffGame, PayoffGameError};
    /// let digraph = Digraph::new(3, [], vec![(0, 1), (1, 2)]).unwrap();
    /// let players = [Some(Left), Some(Right), None];
    /// assert!(PayoffGame::bicoloured(&digraph, |node| players[node as usize], |_| 1).is_ok());
    /// let wrong = PayoffGame::bicoloured(&digraph, |_| Some(Left), |_| 1);
    /// assert_eq!(wrong, Err(PayoffGameError::SamePlayer { from: 0, to: 1, player: Left }));
    /// ```
    ///
    /// # Errors
    /// When an arc joins two nodes of one player, or a node with options belongs to neither player.
    pub fn bicoloured(
        digraph: &Digraph,
        player: impl Fn(Node) -> Option<Player>,
        pays: impl Fn(Node) -> i64,
    ) -> Result<Self, PayoffGameError> {
        for (from, to) in digraph.arcs() {
            match player(from) {
                None => return Err(PayoffGameError::NoPlayer { node: from }),
                Some(mover) if player(to) == Some(mover) => {
                    return Err(PayoffGameError::SamePlayer { from, to, player: mover });
                }
                Some(_) => {}
            }
        }
        Self::new(digraph, player, pays)
    }

    fn new(
        digraph: &Digraph,
        player: impl Fn(Node) -> Option<Player>,
        pays: impl Fn(Node) -> i64,
    ) -> Result<Self, PayoffGameError> {
        let len = digraph.len();
        // Two positions a node, and two numbers for each length of play from a position.
        if len > Node::MAX as usize / 4 {
            return Err(PayoffGameError::TooManyNodes { len });
        }
        let moves = |mover: Player, node| player(node).is_none_or(|player| player == mover);
        let options = Rows::new(2 * len, || {
            digraph.arcs().flat_map(|(from, to)| {
                let movers = Player::BOTH.into_iter().filter(move |&mover| moves(mover, from));
                movers.map(move |mover| (position(from, mover), position(to, mover.opponent())))
            })
        });
        let predecessors = options.reversed();
        let mut abe = vec![0; 2 * len];
        let mut payoffs = Vec::new();
        for node in digraph.nodes().filter(|&node| digraph.options(node).is_empty()) {
            let paid = pays(node);
            // With Right to move, Left has moved last.
            for (next, pay) in [(Player::Right, paid), (Player::Left, paid.saturating_neg())] {
                if moves(next, node) {
                    abe[position(node, next) as usize] = pay;
                    payoffs.push(pay);
                }
            }
        }
        payoffs.sort_unstable();
        payoffs.dedup();
        let distance = distances(&options, &predecessors, &Work::endless())
            .unwrap_or_else(|_| unreachable!("nothing interrupts it"))
            .values;
        Ok(Self { options, predecessors, pays: abe, payoffs, distance })
    }

    /// What Abe can be paid at some terminal position, in increasing order.
    pub fn payoffs(&self) -> &[i64] {
        &self.payoffs
    }

    /// The number of positions and of arcs between them: the work of one Q-function.
    pub fn size(&self) -> u64 {
        (self.options.len() + self.options.entry_count()) as u64
    }

    /// The length of the longest play from a node when this player begins; none if there is no
    /// bound.
    pub fn distance(&self, node: Node, player: Player) -> Option<u32> {
        finite(self.distance[position(node, player) as usize])
    }

    /// The Q-function for which Abe succeeds where he is paid at least this; nowhere for none.
    pub fn generalized(&self, at_least: Option<i64>) -> Generalized {
        let found = self.try_generalized(at_least, &Work::endless());
        found.unwrap_or_else(|_| unreachable!("nothing interrupts it"))
    }

    fn try_generalized(
        &self,
        at_least: Option<i64>,
        work: &Work,
    ) -> Result<Generalized, Interrupted> {
        let succeeds = |pay: i64| at_least.is_some_and(|least| pay >= least);
        // Even positions have Left to move, so Right is their previous player.
        let previous = |at: Node| succeeds(self.pays[at as usize]) == (at % 2 == 1);
        let Retrograde { values, work } =
            successes(&self.options, &self.predecessors, previous, work)?;
        Ok(Generalized { successes: values, work })
    }
}

/// A Q-function of a [`PayoffGame`], for all positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generalized {
    /// Twice the number of moves until success, and one more if the next player succeeds.
    successes: Vec<u32>,
    work: u64,
}

impl Generalized {
    /// Q of a node when this player begins: odd if that player is sure to succeed, even if the
    /// other is, and none for ∞.
    pub fn value(&self, node: Node, player: Player) -> Option<u32> {
        let success = self.success(node, player)?;
        let moves = success / 2;
        Some(moves + u32::from(moves % 2 != success % 2))
    }

    /// The least number of moves within which either player is sure to succeed when this player
    /// begins; none if neither is.
    ///
    /// ```
    /// use nimoon::{Digraph, player::Player::Left, smith::remoteness::PayoffGame};
    /// // c → c, b; b → z; the player who moves last at z loses.
    /// let [c, b, z] = [0, 1, 2];
    /// let digraph = Digraph::new(3, [], vec![(c, c), (c, b), (b, z)]).unwrap();
    /// let game = PayoffGame::impartial(&digraph, |_| -1).unwrap();
    /// let win = game.generalized(Some(1));
    /// assert_eq!([c, b, z].map(|node| win.moves(node, Left)), [Some(2), Some(1), Some(0)]);
    /// assert_eq!([c, b, z].map(|node| win.value(node, Left)), [Some(3), Some(2), Some(1)]);
    /// ```
    pub fn moves(&self, node: Node, player: Player) -> Option<u32> {
        self.success(node, player).map(|success| success / 2)
    }

    fn success(&self, node: Node, player: Player) -> Option<u32> {
        finite(self.successes[position(node, player) as usize])
    }

    /// The good moves of a player from a node: those that succeed fastest, let the other one
    /// succeed slowest, or keep both from success.
    pub fn good_moves<'a>(
        &'a self,
        game: &'a PayoffGame,
        node: Node,
        player: Player,
    ) -> impl Iterator<Item = Node> + 'a {
        let position = position(node, player);
        good_by_success(&self.successes, &game.options, position).map(|to| to / 2)
    }

    /// The first good move of a player from a node; none from a terminal one.
    pub fn good_move(&self, game: &PayoffGame, node: Node, player: Player) -> Option<Node> {
        self.good_moves(game, node, player).next()
    }

    /// How many positions and arcs were visited.
    pub fn work(&self) -> u64 {
        self.work
    }
}

/// The Q-functions of a [`PayoffGame`] for all its payoffs, and what follows from them.
///
/// Payoffs are those of the player who receives them: Left's are those of the game, Right's their
/// negatives.
///
/// ```
/// use nimoon::{Digraph, Outcome};
/// use nimoon::player::Player::{Left, Right};
/// use nimoon::smith::remoteness::{PayoffGame, PayoffSolution};
/// // From a one moves to b, which is a draw, or to c, from where the opponent wins at d.
/// let [a, b, c, d] = [0, 1, 2, 3];
/// let digraph = Digraph::new(4, [], vec![(a, b), (a, c), (c, d)]).unwrap();
/// let game = PayoffGame::impartial(&digraph, |node| i64::from(node == d)).unwrap();
/// let solution = PayoffSolution::of_endings(&game);
/// assert_eq!(solution.outcome(a, Left), Outcome::D);
/// let sure = solution.levels(a, Left, Left);
/// assert_eq!((sure[0].goal.pay, sure[0].moves), (0, Some(1)));
/// assert_eq!(solution.good_move(sure[0].goal, a, Left), Some(b));
/// assert_eq!(solution.outcome(c, Left), Outcome::N);
/// assert!(solution.levels(c, Left, Right)[0].goal.pay == -1);
/// ```
#[derive(Clone, Debug)]
pub struct PayoffSolution<'a> {
    game: &'a PayoffGame,
    payoffs: Vec<i64>,
    /// The Q-function of each payoff, and that of no success at all.
    functions: Vec<Generalized>,
    is_of_endings: bool,
}

/// To be paid at least so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PayoffGoal {
    /// The payoff, as the player sees it.
    pub pay: i64,
    /// The Q-function that speaks of it.
    function: usize,
}

impl<'a> PayoffSolution<'a> {
    /// Solves a game for all its payoffs: as many Q-functions as there are payoffs, and one more.
    pub fn of_payoffs(game: &'a PayoffGame) -> Self {
        let solved = Self::try_of_payoffs(game, &Work::endless());
        solved.unwrap_or_else(|_| unreachable!("nothing interrupts it"))
    }

    /// The same within limits: four bytes for each position and payoff.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn try_of_payoffs(game: &'a PayoffGame, work: &Work) -> Result<Self, Interrupted> {
        Self::new(game, game.payoffs.clone(), false, work)
    }

    /// Solves a game of wins, draws and losses, which pay 1, 0 and −1: Q₋₁, Q₀, Q₁ and Q₂.
    pub fn of_endings(game: &'a PayoffGame) -> Self {
        let solved = Self::try_of_endings(game, &Work::endless());
        solved.unwrap_or_else(|_| unreachable!("nothing interrupts it"))
    }

    /// The same within limits.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn try_of_endings(game: &'a PayoffGame, work: &Work) -> Result<Self, Interrupted> {
        Self::new(game, vec![-1, 0, 1], true, work)
    }

    fn new(
        game: &'a PayoffGame,
        payoffs: Vec<i64>,
        is_of_endings: bool,
        work: &Work,
    ) -> Result<Self, Interrupted> {
        let values = (game.options.len() as u64).saturating_mul(payoffs.len() as u64 + 1);
        work.hold(values.saturating_mul(4))?;
        let levels = payoffs.iter().copied().map(Some).chain([None]);
        let functions = levels.map(|least| game.try_generalized(least, work));
        let functions = functions.collect::<Result<_, _>>()?;
        Ok(Self { game, payoffs, functions, is_of_endings })
    }

    /// The goals of a player from the best to the worst, which is any end of play.
    fn goals(&self, viewer: Player) -> Vec<PayoffGoal> {
        let all = 0..self.payoffs.len();
        match viewer {
            Player::Left => {
                all.rev().map(|i| PayoffGoal { pay: self.payoffs[i], function: i }).collect()
            }
            // Right succeeds where Left is not paid more than this.
            Player::Right => all
                .map(|i| PayoffGoal { pay: self.payoffs[i].saturating_neg(), function: i + 1 })
                .collect(),
        }
    }

    /// What a player can be sure of from a node when `mover` begins, with the least bounds on the
    /// moves.
    pub fn levels(
        &self,
        node: Node,
        mover: Player,
        viewer: Player,
    ) -> Vec<SecurityLevel<PayoffGoal, u32>> {
        let mut levels = self.levels_by_q(node, mover, viewer);
        // Q may count one move more than are made [Smith1966, §5].
        for level in &mut levels {
            let function = &self.functions[level.goal.function];
            level.moves = level.moves.and_then(|_| function.moves(node, mover));
        }
        levels
    }

    fn levels_by_q(
        &self,
        node: Node,
        mover: Player,
        viewer: Player,
    ) -> Vec<SecurityLevel<PayoffGoal, u32>> {
        let goals = self.goals(viewer);
        let q = |goal: PayoffGoal| self.functions[goal.function].value(node, mover);
        if !self.is_of_endings {
            return security_levels(goals.into_iter().map(|goal| (goal, q(goal))), viewer == mover);
        }
        let values = [goals[0], goals[1], goals[2]].map(q);
        let levels = table_1(values, viewer == mover).into_iter();
        let goal = |ending| match ending {
            Ending::Win => goals[0],
            Ending::Draw => goals[1],
            Ending::Loss => goals[2],
        };
        levels
            .map(|level| {
                let SecurityLevel { goal: ending, assurance, moves } = level;
                // What the player is sure of may be less than what the strategy aims at.
                let pay = goal(level.ending()).pay;
                SecurityLevel { goal: PayoffGoal { pay, ..goal(ending) }, assurance, moves }
            })
            .collect()
    }

    /// A good move for a goal, for the player who begins at a node; none from a terminal one.
    pub fn good_move(&self, goal: PayoffGoal, node: Node, mover: Player) -> Option<Node> {
        self.functions[goal.function].good_move(self.game, node, mover)
    }

    /// The remoteness when `mover` begins, none if neither player can be sure to win: Q of the win
    /// of the player who can, odd if that is `mover`. To win is to be paid more than 0. As in
    /// misère play, one move more counts where the player who moves last loses.
    pub fn remoteness(&self, node: Node, mover: Player) -> Option<u32> {
        let q = |function: usize| self.functions[function].value(node, mover);
        let above = |least: i64| self.payoffs.partition_point(|&pay| pay < least);
        // Left wins by Q₁, Right by Q₀; the mover has the odd values.
        let [left, right] = [q(above(1)), q(above(0))];
        let parity = u32::from(mover == Player::Left);
        left.filter(|q| q % 2 == parity).or(right.filter(|q| q % 2 != parity))
    }

    /// Who wins when `mover` begins; endless play is a draw, and so is a payoff of 0.
    pub fn outcome(&self, node: Node, mover: Player) -> Outcome {
        super::outcome(self.remoteness(node, mover).map(u64::from))
    }
}
