//! Security levels: the best that a player can be sure of [Smith1966, §5 and Table 1].
//!
//! Let goals be given from the best to the worst, each including those before it: to win, to win or
//! draw, to end at all; or to be paid at least v, for falling v. For each goal there is a
//! Q-function ([`Generalized`](super::Generalized)), and its value at a position gives a player one
//! of these:
//!
//! | Q, if the player is to move | if the other one is | the player |
//! |---|---|---|
//! | finite and odd | finite and even | reaches the goal, with a bound on the moves: *bounded* |
//! | transfinite and odd | transfinite and even | reaches the goal, whatever the opponent does: *terminated* |
//! | ∞ | ∞ | reaches the goal or plays for ever: *unterminated* |
//! | even | odd | can be kept from it |
//!
//! A level is worth listing if no better goal is reached with the same assurance or a better one.
//! With three goals this is Table 1: for Abe from Q₁, Q₀ and Q₋₁, for Barbara from Q₀, Q₁ and Q₂.
//! Transfinite values need infinite games; everything here is generic over [`Length`], so that
//! ordinals fit in.
//!
//! # Departures
//! - The last row of Table 1, (even, even, even), cannot occur, since Abe always succeeds where
//!   play ends at all, and Q₋₁ is never even where he moves: read (even, even, ∞), where nothing is
//!   sure. The row (not odd, not odd, ∞) is to be read (not odd, ∞, ∞).
//! - In the cases (ii) and (iv) of §5 the strategies that hold the opponent are exchanged: Barbara
//!   keeps Abe from winning by σ₁, not by σ₀, and Abe keeps Barbara from winning by σ₀, not by σ₁.
//!   A player who follows the other one delays a defeat that is none, and may run into a real one:
//!   from c → c, y, z, where y is a draw and who moves last at z loses, both may. No game of two
//!   nodes shows it (`tests/remoteness_payoffs.rs`).
//! - Endless play is a draw, so a player who reaches a win or plays for ever is sure of an
//!   unterminated draw. The table has it in the column of σ₀; where Q₁ = ∞, σ₁ does it as well
//!   (case (v) of §5), and is what is reported here.

/// A number of moves, possibly transfinite.
pub trait Length {
    /// Whether it is odd; limit ordinals are even.
    fn is_odd(&self) -> bool;

    /// Whether it is a natural number.
    fn is_finite(&self) -> bool;
}

impl Length for u32 {
    fn is_odd(&self) -> bool {
        self % 2 == 1
    }

    fn is_finite(&self) -> bool {
        true
    }
}

/// How sure a player is to reach a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assurance {
    /// The goal is reached, or play never ends.
    Unterminated,
    /// The goal is reached in finitely many moves, but the opponent decides how many.
    Terminated,
    /// The goal is reached, with a bound on the number of moves.
    Bounded,
}

impl Assurance {
    /// What a value of Q means for a player who is to move, or is not; none if the player can be
    /// kept from the goal.
    ///
    /// ```
    /// use nimoon::smith::remoteness::security::Assurance;
    /// assert_eq!(Assurance::of(Some(&3), true), Some(Assurance::Bounded));
    /// assert_eq!(Assurance::of(Some(&3), false), None);
    /// assert_eq!(Assurance::of::<u32>(None, false), Some(Assurance::Unterminated));
    /// ```
    pub fn of<L: Length>(q: Option<&L>, to_move: bool) -> Option<Self> {
        match q {
            None => Some(Self::Unterminated),
            Some(q) if q.is_odd() != to_move => None,
            Some(q) if q.is_finite() => Some(Self::Bounded),
            Some(_) => Some(Self::Terminated),
        }
    }
}

/// One thing that a player can be sure of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SecurityLevel<G, L> {
    /// The goal; the strategy of its Q-function reaches it.
    pub goal: G,
    /// How sure it is.
    pub assurance: Assurance,
    /// A bound on the moves that it takes, both players' moves counted, if there is one. From Q it
    /// may be one too large; [`PayoffSolution::levels`](super::PayoffSolution::levels) gives the
    /// least.
    pub moves: Option<L>,
}

/// The levels worth listing: goals with their Q, from the best to the worst, where the last one is
/// that play ends at all.
///
/// ```
/// use nimoon::smith::remoteness::security::{Assurance, security_levels};
/// // Can be kept from winning, draws within 5 moves, and ends play within 3.
/// let levels = security_levels([("win", Some(4)), ("draw", Some(5)), ("end", Some(3))], true);
/// assert_eq!(levels.len(), 1);
/// assert_eq!((levels[0].goal, levels[0].moves), ("draw", Some(5)));
/// // Without a bound on the draw, the end within 3 moves is worth something.
/// let levels = security_levels([("win", Some(4)), ("draw", None), ("end", Some(3))], true);
/// assert_eq!(levels.iter().map(|level| level.goal).collect::<Vec<_>>(), ["draw", "end"]);
/// assert_eq!(levels[0].assurance, Assurance::Unterminated);
/// ```
pub fn security_levels<G, L: Length>(
    goals: impl IntoIterator<Item = (G, Option<L>)>,
    to_move: bool,
) -> Vec<SecurityLevel<G, L>> {
    let mut levels: Vec<SecurityLevel<G, L>> = Vec::new();
    let mut goals = goals.into_iter().peekable();
    while let Some((goal, q)) = goals.next() {
        let Some(assurance) = Assurance::of(q.as_ref(), to_move) else {
            continue;
        };
        // Play ends or does not in any case.
        let is_void = assurance == Assurance::Unterminated && goals.peek().is_none();
        let is_better = levels.last().is_none_or(|level| assurance > level.assurance);
        if is_better && !is_void {
            let moves = q.filter(Length::is_finite);
            levels.push(SecurityLevel { goal, assurance, moves });
        }
    }
    levels
}

/// How a play ends for a player; endless play is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// The player loses, but play ends.
    Loss,
    /// A draw or better.
    Draw,
    /// A win.
    Win,
}

impl<L> SecurityLevel<Ending, L> {
    /// What the player is sure of: a win or endless play is a draw.
    ///
    /// ```
    /// use nimoon::smith::remoteness::security::{Ending, table_1};
    /// let levels = table_1([None::<u32>, None, Some(3)], true);
    /// assert_eq!(levels[0].goal, Ending::Win);
    /// assert_eq!(levels[0].ending(), Ending::Draw);
    /// ```
    pub fn ending(&self) -> Ending {
        match self.assurance {
            Assurance::Unterminated => self.goal.min(Ending::Draw),
            _ => self.goal,
        }
    }
}

/// Table 1: what a player is sure of, from the Q-functions of a win, of a win or a draw, and of any
/// end.
///
/// For Abe these are Q₁, Q₀ and Q₋₁, for Barbara Q₀, Q₁ and Q₂.
///
/// ```
/// use nimoon::smith::remoteness::security::{Assurance, Ending, table_1};
/// let levels = table_1([Some(4), Some(3), Some(3)], true);
/// assert_eq!((levels[0].ending(), levels[0].assurance), (Ending::Draw, Assurance::Bounded));
/// ```
pub fn table_1<L: Length>(
    [win, draw, end]: [Option<L>; 3],
    to_move: bool,
) -> Vec<SecurityLevel<Ending, L>> {
    let goals = [(Ending::Win, win), (Ending::Draw, draw), (Ending::Loss, end)];
    let mut levels = security_levels(goals, to_move);
    // Endless play is a draw, so a draw of which the player is sure makes "a win or endless play"
    // worth nothing.
    if levels.len() > 1 && levels[0].ending() == levels[1].ending() {
        levels.remove(0);
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As much of an ordinal as counts here.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Kind {
        odd: bool,
        finite: bool,
    }

    impl Length for Kind {
        fn is_odd(&self) -> bool {
            self.odd
        }

        fn is_finite(&self) -> bool {
            self.finite
        }
    }

    const FINITE: Option<Kind> = Some(Kind { odd: true, finite: true });
    const TRANSFINITE: Option<Kind> = Some(Kind { odd: true, finite: false });
    const EVEN: Option<Kind> = Some(Kind { odd: false, finite: true });
    const LIMIT: Option<Kind> = Some(Kind { odd: false, finite: false });

    #[test]
    fn table_1_is_reproduced_row_by_row() {
        let win = |sure| (Ending::Win, sure);
        let draw = |sure| (Ending::Draw, sure);
        let loss = |sure| (Ending::Loss, sure);
        let [bounded, terminated, unterminated] =
            [Assurance::Bounded, Assurance::Terminated, Assurance::Unterminated];
        for not_odd in [EVEN, LIMIT, None] {
            let rows = [
                ([FINITE, FINITE, FINITE], vec![win(bounded)]),
                ([TRANSFINITE, FINITE, FINITE], vec![win(terminated), draw(bounded)]),
                ([TRANSFINITE, TRANSFINITE, FINITE], vec![win(terminated), loss(bounded)]),
                ([TRANSFINITE; 3], vec![win(terminated)]),
                ([not_odd, FINITE, FINITE], vec![draw(bounded)]),
                ([not_odd, TRANSFINITE, FINITE], vec![draw(terminated), loss(bounded)]),
                ([not_odd, TRANSFINITE, TRANSFINITE], vec![draw(terminated)]),
                ([not_odd, None, FINITE], vec![draw(unterminated), loss(bounded)]),
                ([not_odd, None, TRANSFINITE], vec![draw(unterminated), loss(terminated)]),
                ([not_odd, None, None], vec![draw(unterminated)]),
                ([EVEN, EVEN, FINITE], vec![loss(bounded)]),
                ([LIMIT, LIMIT, TRANSFINITE], vec![loss(terminated)]),
                ([EVEN, EVEN, None], vec![]),
            ];
            for (functions, expected) in rows {
                // Where Q₁ is ∞ already, the unterminated draw is listed once.
                let found = table_1(functions, true);
                let found: Vec<_> =
                    found.iter().map(|level| (level.ending(), level.assurance)).collect();
                assert_eq!(found, expected, "{functions:?}");
            }
        }
    }

    #[test]
    fn even_values_are_successes_of_the_previous_player() {
        let levels = table_1([EVEN, EVEN, EVEN], false);
        assert_eq!((levels.len(), levels[0].goal), (1, Ending::Win));
        assert!(table_1([FINITE, FINITE, None], false).is_empty());
    }
}
