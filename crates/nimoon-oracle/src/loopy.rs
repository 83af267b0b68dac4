//! Partizan games with cycles, solved from the definitions.
//!
//! A player who cannot move loses, and endless play is a draw. Everything here is a fixpoint over
//! all positions, computed by sweeps over all of them until nothing changes. Sums are written out
//! in full. That is slow, but short and easily checked.
//!
//! Left *survives* a difference a − b if Left gets the last move, or if play is endless in a way
//! that is not a loss: see [`Endless`]. As a fixpoint this is νX.μY: the largest set X from which
//! Left can force a move that counts, to X again, or the last move, after finitely many moves that
//! do not count.
//!
//! ## References
//! [Siegel2009, §2] for survival and the order.

/// Left or Right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Player {
    /// Left and Right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other player.
    ///
    /// ```
    /// use nimoon_oracle::loopy::Player;
    /// assert_eq!(Player::Left.opponent(), Player::Right);
    /// ```
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A graph with Left and Right edges, as the lists of options of each vertex.
///
/// ```
/// use nimoon_oracle::loopy::{Partizan, Player};
/// // over = {0|over}
/// let over = Partizan { left: vec![vec![1], vec![]], right: vec![vec![0], vec![]] };
/// assert_eq!(over.outcomes()[0], [Some(Player::Left), Some(Player::Left)]);
/// assert!(over.is_stopper(0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partizan {
    /// Left's options of each vertex.
    pub left: Vec<Vec<usize>>,
    /// Right's options, for the same vertices.
    pub right: Vec<Vec<usize>>,
}

impl Partizan {
    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// The options of a player.
    pub fn options(&self, vertex: usize, player: Player) -> &[usize] {
        match player {
            Player::Left => &self.left[vertex],
            Player::Right => &self.right[vertex],
        }
    }

    /// Left and Right exchanged.
    #[must_use]
    pub fn negative(&self) -> Self {
        Self { left: self.right.clone(), right: self.left.clone() }
    }

    /// Who wins from each vertex if Left starts, and if Right starts; none in a draw.
    ///
    /// ```
    /// use nimoon_oracle::loopy::Partizan;
    /// // dud = {dud|dud}
    /// let dud = Partizan { left: vec![vec![0]], right: vec![vec![0]] };
    /// assert_eq!(dud.outcomes(), [[None, None]]);
    /// ```
    pub fn outcomes(&self) -> Vec<[Option<Player>; 2]> {
        let [left, right] = Player::BOTH.map(|winner| self.won_by(winner));
        let winner = |vertex: usize, first: usize| match (left[vertex][first], right[vertex][first])
        {
            (true, _) => Some(Player::Left),
            (_, true) => Some(Player::Right),
            _ => None,
        };
        (0..self.len()).map(|vertex| [winner(vertex, 0), winner(vertex, 1)]).collect()
    }

    /// The least set of states that this player wins: by a move into the set, or because the
    /// opponent can only move into the set.
    fn won_by(&self, winner: Player) -> Vec<[bool; 2]> {
        let mut won = vec![[false; 2]; self.len()];
        loop {
            let before = won.clone();
            for vertex in 0..self.len() {
                for (first, player) in Player::BOTH.into_iter().enumerate() {
                    let mut options = self.options(vertex, player).iter();
                    won[vertex][first] = if player == winner {
                        options.any(|&to| won[to][1 - first])
                    } else {
                        options.all(|&to| won[to][1 - first])
                    };
                }
            }
            if won == before {
                return won;
            }
        }
    }

    /// Whether every play with alternating moves from a follower of a vertex ends, if either player
    /// starts.
    pub fn is_stopper(&self, start: usize) -> bool {
        let mut reached = vec![false; self.len()];
        reached[start] = true;
        loop {
            let before = reached.clone();
            for vertex in (0..self.len()).filter(|&vertex| before[vertex]) {
                for &to in self.left[vertex].iter().chain(&self.right[vertex]) {
                    reached[to] = true;
                }
            }
            if reached == before {
                break;
            }
        }
        let endless = self.endless();
        !(0..self.len()).any(|vertex| reached[vertex] && (endless[vertex][0] || endless[vertex][1]))
    }

    /// The largest set of states from which an alternating walk can stay in the set.
    fn endless(&self) -> Vec<[bool; 2]> {
        let mut endless = vec![[true; 2]; self.len()];
        loop {
            let before = endless.clone();
            for vertex in 0..self.len() {
                for (first, player) in Player::BOTH.into_iter().enumerate() {
                    endless[vertex][first] =
                        self.options(vertex, player).iter().any(|&to| endless[to][1 - first]);
                }
            }
            if endless == before {
                return endless;
            }
        }
    }
}

/// A sum, written out.
///
/// ```
/// use nimoon_oracle::loopy::{Partizan, Player, Sum};
/// let one = Partizan { left: vec![vec![1], vec![]], right: vec![vec![], vec![]] };
/// let sum = Sum::new(&[&one, &one.negative()]);
/// let start = sum.place(&[0, 0]);
/// assert_eq!(sum.graph.outcomes()[start], [Some(Player::Right), Some(Player::Left)]);
/// ```
#[derive(Clone, Debug)]
pub struct Sum {
    /// All positions of the sum.
    pub graph: Partizan,
    sizes: Vec<usize>,
}

impl Sum {
    /// The sum of these graphs.
    pub fn new(terms: &[&Partizan]) -> Self {
        let sizes: Vec<usize> = terms.iter().map(|term| term.len()).collect();
        let mut sum =
            Self { graph: Partizan { left: Vec::new(), right: Vec::new() }, sizes: sizes.clone() };
        for place in 0..sizes.iter().product() {
            let mut vertices = Vec::new();
            let mut rest = place;
            for size in sizes.iter().rev() {
                vertices.insert(0, rest % size);
                rest /= size;
            }
            let [left, right] = Player::BOTH.map(|player| {
                let mut options = Vec::new();
                for (i, term) in terms.iter().enumerate() {
                    for &to in term.options(vertices[i], player) {
                        let mut moved = vertices.clone();
                        moved[i] = to;
                        options.push(sum.place(&moved));
                    }
                }
                options
            });
            sum.graph.left.push(left);
            sum.graph.right.push(right);
        }
        sum
    }

    /// The position of these vertices.
    pub fn place(&self, vertices: &[usize]) -> usize {
        vertices.iter().zip(&self.sizes).fold(0, |place, (vertex, size)| place * size + vertex)
    }
}

/// Which endless play of a − b is not a loss for Left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// Play with infinitely many moves in a, as in a⁺ − b⁺.
    InFirst,
    /// Play with infinitely many moves in b, as in a⁻ − b⁻.
    InSecond,
    /// All, as in a − b where a draw is survival.
    Any,
    /// None: Left must win.
    Never,
}

/// Who survives a − b, for all vertices of two graphs.
///
/// ```
/// use nimoon_oracle::loopy::{Difference, Endless, Partizan, Player};
/// // on = {on|} and dud = {dud|dud}: dud⁺ = on⁺, but not dud⁻ = on⁻.
/// let on = Partizan { left: vec![vec![0]], right: vec![vec![]] };
/// let dud = Partizan { left: vec![vec![0]], right: vec![vec![0]] };
/// assert!(Difference::new(&dud, &on, Endless::InFirst).survives(0, 0, Player::Right));
/// assert!(!Difference::new(&dud, &on, Endless::InSecond).survives(0, 0, Player::Right));
/// ```
#[derive(Clone, Debug)]
pub struct Difference {
    width: usize,
    survives: Vec<[bool; 2]>,
}

impl Difference {
    /// Finds all survivors.
    pub fn new(a: &Partizan, b: &Partizan, endless: Endless) -> Self {
        let (in_first, in_second) = match endless {
            Endless::InFirst => (true, false),
            Endless::InSecond => (false, true),
            Endless::Any => (true, true),
            Endless::Never => (false, false),
        };
        let place = |u: usize, v: usize| u * b.len() + v;
        // νX.μY: moves that count must lead to X, and the others to Y.
        let mut largest = vec![[true; 2]; a.len() * b.len()];
        loop {
            let mut least = vec![[false; 2]; largest.len()];
            loop {
                let before = least.clone();
                for u in 0..a.len() {
                    for v in 0..b.len() {
                        for (first, player) in Player::BOTH.into_iter().enumerate() {
                            let moves =
                                a.options(u, player).iter().map(|&to| (place(to, v), in_first));
                            let other = b.options(v, player.opponent()).iter();
                            let other = other.map(|&to| (place(u, to), in_second));
                            let mut good = moves.chain(other).map(|(to, counts)| {
                                (if counts { &largest } else { &least })[to][1 - first]
                            });
                            let now = match player {
                                Player::Left => good.any(|good| good),
                                Player::Right => good.all(|good| good),
                            };
                            least[place(u, v)][first] = now;
                        }
                    }
                }
                if least == before {
                    break;
                }
            }
            if least == largest {
                return Self { width: b.len(), survives: largest };
            }
            largest = least;
        }
    }

    /// Whether Left survives the difference of these vertices if `first` moves first.
    pub fn survives(&self, a: usize, b: usize, first: Player) -> bool {
        self.survives[a * self.width + b][usize::from(first == Player::Right)]
    }
}

/// The order of all vertices of two graphs, one way.
///
/// ```
/// use nimoon_oracle::loopy::{Order, Partizan};
/// let on = Partizan { left: vec![vec![0]], right: vec![vec![]] };
/// let zero = Partizan { left: vec![vec![]], right: vec![vec![]] };
/// assert!(Order::new(&on, &zero).ge(0, 0));
/// assert!(!Order::new(&zero, &on).ge(0, 0));
/// ```
#[derive(Clone, Debug)]
pub struct Order {
    plus: Difference,
    minus: Difference,
}

impl Order {
    /// Compares all vertices of a with all of b.
    pub fn new(a: &Partizan, b: &Partizan) -> Self {
        let [plus, minus] =
            [Endless::InFirst, Endless::InSecond].map(|endless| Difference::new(a, b, endless));
        Self { plus, minus }
    }

    /// Whether a⁺ ≥ b⁺.
    pub fn ge_plus(&self, a: usize, b: usize) -> bool {
        self.plus.survives(a, b, Player::Right)
    }

    /// Whether a⁻ ≥ b⁻.
    pub fn ge_minus(&self, a: usize, b: usize) -> bool {
        self.minus.survives(a, b, Player::Right)
    }

    /// Whether a ≥ b.
    pub fn ge(&self, a: usize, b: usize) -> bool {
        self.ge_plus(a, b) && self.ge_minus(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0, 1, −1, *, on, off, over, under, dud, tis = {tisn|} and tisn = {|tis}.
    fn named() -> (Partizan, [usize; 11]) {
        let mut graph = Partizan { left: vec![vec![]; 11], right: vec![vec![]; 11] };
        for (from, to) in [(1, 0), (3, 0), (4, 4), (6, 0), (7, 7), (8, 8), (9, 10)] {
            graph.left[from].push(to);
        }
        for (from, to) in [(2, 0), (3, 0), (5, 5), (6, 6), (7, 0), (8, 8), (10, 9)] {
            graph.right[from].push(to);
        }
        (graph, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }

    #[test]
    fn known_games_are_ordered_as_known() {
        let (graph, [zero, one, minus_one, star, on, off, over, under, dud, tis, tisn]) = named();
        let order = Order::new(&graph, &graph);
        let chain = [off, minus_one, under, zero, over, one, on];
        for (i, &less) in chain.iter().enumerate() {
            for (j, &more) in chain.iter().enumerate() {
                assert_eq!(order.ge(more, less), i <= j, "{more} {less}");
            }
        }
        assert!(order.ge(over, star) && !order.ge(star, over));
        assert!(!order.ge(star, zero) && !order.ge(zero, star));
        // dud = on & off, tis = 1 & 0 and tisn = 0 & −1.
        let sided = [(dud, on, off), (tis, one, zero), (tisn, zero, minus_one)];
        for (game, onside, offside) in sided {
            assert!(order.ge_plus(game, onside) && order.ge_plus(onside, game));
            assert!(order.ge_minus(game, offside) && order.ge_minus(offside, game));
        }
        assert!(!graph.is_stopper(dud) && !graph.is_stopper(tis) && graph.is_stopper(over));
        assert!(graph.is_stopper(under));
    }

    /// All graphs of two vertices: a ≥ 0 exactly if Left, moving second, survives in each reading
    /// of endless play; and a ≥ b implies that a + x is at least as good as b + x for Left.
    #[test]
    fn the_order_is_that_of_outcomes_in_all_sums_of_two_vertices() {
        let all: Vec<Partizan> = (0..256_usize)
            .map(|bits| {
                let list = |shift: usize| {
                    (0..2).filter(|to| bits >> (shift + to) & 1 == 1).collect::<Vec<usize>>()
                };
                Partizan { left: vec![list(0), list(2)], right: vec![list(4), list(6)] }
            })
            .collect();
        let rank = |winner: Option<Player>| match winner {
            Some(Player::Left) => 2,
            None => 1,
            Some(Player::Right) => 0,
        };
        for a in all.iter().step_by(3) {
            for b in all.iter().step_by(7) {
                let order = Order::new(a, b);
                for x in all.iter().step_by(37) {
                    let [with_a, with_b] = [a, b].map(|graph| Sum::new(&[graph, x]));
                    let [of_a, of_b] = [&with_a, &with_b].map(|sum| sum.graph.outcomes());
                    for vertices in 0..8_usize {
                        let [u, v, w] = [vertices & 1, vertices >> 1 & 1, vertices >> 2];
                        let [u_w, v_w] = [with_a.place(&[u, w]), with_b.place(&[v, w])];
                        for first in 0..2 {
                            let ge = rank(of_a[u_w][first]) >= rank(of_b[v_w][first]);
                            assert!(ge || !order.ge(u, v), "{a:?} {u} {b:?} {v} {x:?} {w}");
                        }
                    }
                }
            }
        }
    }
}
