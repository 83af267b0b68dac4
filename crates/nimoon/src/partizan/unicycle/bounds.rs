//! What is certain about a unicycle while its exits are not all chosen.
//!
//! Each vertex has a set of exits that are still possible. A statement about the vertices is *true*
//! or *false* if it is so for all choices that the sets leave, as far as is seen, and else
//! *unknown*. Where every set has a single member nothing is unknown.
//!
//! - sᵢ against a loopfree y: sᵢ ≥ y exactly if no Right option of sᵢ is ≤ y and no Left option of
//!   y is ≥ sᵢ, and so for ≤. The questions for y go from an L to a next R and from an R to a next
//!   L, so they end at the next two equal letters, and otherwise in options of y.
//! - sᵢ against sⱼ: Left must survive the difference, where endless play survives. That is the
//!   greatest fixed point over the states; false < unknown < true, "and" is the least and "or" the
//!   greatest, so one fixed point shows both what survives for sure and what may survive.

use super::loopfree::LoopFree;
use super::pattern::Pattern;
use crate::limits::{Interrupted, Work};
use crate::partizan::stoppers::{Stopper, Stoppers};
use crate::player::Player;

/// Three values, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Truth {
    False,
    Unknown,
    True,
}

use Truth::{False, True, Unknown};

impl Truth {
    fn not(self) -> Self {
        match self {
            False => True,
            Unknown => Unknown,
            True => False,
        }
    }
}

/// A set of exits, by their places in the list of those that may be chosen.
pub(super) type Set = u64;

/// The vertices at which (LR) and (RL) are known to hold.
pub(super) type Settled = u128;

const _: () = assert!(Pattern::MOST <= Settled::BITS as usize);

/// Whether all members of a set are in another, or none.
fn all(set: Set, of: Set) -> Truth {
    match set & of {
        0 => False,
        common if common == set => True,
        _ => Unknown,
    }
}

/// The exits that may be chosen, with all their followers, and their order.
pub(super) struct Exits {
    loopfree: LoopFree,
    /// The places of the exits among the followers.
    places: Vec<usize>,
    /// For each follower the exits that are less or equal.
    below: Vec<Set>,
    /// For each follower the exits that are greater or equal.
    above: Vec<Set>,
}

impl Exits {
    /// At most as many exits as a [`Set`] has room for.
    pub(super) fn new(
        exits: &[Stopper],
        loopfree: LoopFree,
        stoppers: &mut Stoppers,
        work: &mut Work,
    ) -> Result<Self, Interrupted> {
        let places = exits.iter().map(|&exit| loopfree.place(exit)).collect();
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for &game in &loopfree.games {
            let (mut less, mut greater) = (0, 0);
            for (i, &exit) in exits.iter().enumerate() {
                work.count()?;
                less |= Set::from(stoppers.ge(game, exit, work)?) << i;
                greater |= Set::from(stoppers.ge(exit, game, work)?) << i;
            }
            below.push(less);
            above.push(greater);
        }
        Ok(Self { loopfree, places, below, above })
    }
}

/// Where sᵢ stands against the exits that may be chosen: those for which something is true for
/// sure, and those for which it is false for sure.
#[derive(Clone, Copy, Debug, Default)]
struct Against {
    sure: Set,
    never: Set,
}

impl Against {
    fn note(&mut self, exit: usize, truth: Truth) {
        match truth {
            True => self.sure |= 1 << exit,
            False => self.never |= 1 << exit,
            Unknown => {}
        }
    }

    /// For an exit of which only a set is known.
    fn on(self, set: Set) -> Truth {
        if set & !self.sure == 0 {
            True
        } else if set & !self.never == 0 {
            False
        } else {
            Unknown
        }
    }
}

/// What is certain; it is computed again for every choice of sets, in the same memory.
pub(super) struct Bounds {
    pattern: Pattern,
    /// A place with the same letter as the next.
    double: usize,
    exits: Exits,
    /// sᵢ ≥ y, and sᵢ ≤ y, by the place of y, then by i.
    ge: Vec<Truth>,
    le: Vec<Truth>,
    ge_exit: Vec<Against>,
    le_exit: Vec<Against>,
    /// Whether Left survives sᵢ − sⱼ, by i, j, and who moves first, if it was met in this
    /// generation.
    survives: Vec<Truth>,
    seen: Vec<u64>,
    generation: u64,
    list: Vec<usize>,
}

/// What a move in a difference of vertices leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    To(usize),
    /// To an exit, and whether Left survives then.
    End(Truth),
}

impl Bounds {
    /// For a pattern that does not strictly alternate: `double` is a place with the same letter as
    /// the next.
    pub(super) fn new(pattern: &Pattern, double: usize, exits: Exits) -> Self {
        let len = pattern.len();
        let size = len * exits.loopfree.games.len();
        Self {
            pattern: pattern.clone(),
            double,
            exits,
            ge: vec![Unknown; size],
            le: vec![Unknown; size],
            ge_exit: vec![Against::default(); len],
            le_exit: vec![Against::default(); len],
            survives: vec![Unknown; 2 * len * len],
            seen: vec![0; 2 * len * len],
            generation: 0,
            list: Vec::new(),
        }
    }

    /// Takes away exits that cannot be chosen, until no more are seen. False if a place is left
    /// without any, or a condition cannot hold.
    pub(super) fn propagate(
        &mut self,
        sets: &mut [Set],
        settled: &mut Settled,
        work: &mut Work,
    ) -> Result<bool, Interrupted> {
        loop {
            self.compare_with_loopfree(sets, work)?;
            let mut changed = false;
            for (i, set) in sets.iter_mut().enumerate() {
                let possible = self.possible(i, *set);
                changed |= possible != *set;
                *set = possible;
                if possible == 0 {
                    return Ok(false);
                }
            }
            if !changed {
                break;
            }
        }
        self.generation += 1;
        for i in 0..sets.len() {
            if *settled >> i & 1 == 1 {
                continue;
            }
            let reversible = match self.reversible(i) {
                Some(state) => self.survives(state, sets, work)?,
                None => False,
            };
            match reversible {
                True => return Ok(false),
                Unknown => {}
                // That stays so whatever is chosen.
                False => *settled |= 1 << i,
            }
        }
        Ok(true)
    }

    fn index(&self, vertex: usize, game: usize) -> usize {
        game * self.pattern.len() + vertex
    }

    fn compare_with_loopfree(&mut self, sets: &[Set], work: &mut Work) -> Result<(), Interrupted> {
        let len = sets.len();
        for game in 0..self.exits.loopfree.games.len() {
            // Those that end at an exit.
            for (i, &set) in sets.iter().enumerate() {
                work.count()?;
                let at = self.index(i, game);
                match self.pattern.at(i) {
                    Player::Left => {
                        let leaves = all(set, self.exits.below[game]).not();
                        self.ge[at] = leaves.min(self.no_left_option_ge(i, game));
                    }
                    Player::Right => {
                        let leaves = all(set, self.exits.above[game]).not();
                        self.le[at] = leaves.min(self.no_right_option_le(i, game));
                    }
                }
            }
            // Those that go on to the next vertex, which is done before, as the first is at a
            // double letter.
            for back in 0..len {
                work.count()?;
                let i = (self.double + len - back) % len;
                let (at, next) = (self.index(i, game), self.index((i + 1) % len, game));
                match self.pattern.at(i) {
                    Player::Left => {
                        self.le[at] = self.ge[next].not().min(self.no_right_option_le(i, game));
                    }
                    Player::Right => {
                        self.ge[at] = self.le[next].not().min(self.no_left_option_ge(i, game));
                    }
                }
            }
        }
        for i in 0..len {
            let (mut ge, mut le) = (Against::default(), Against::default());
            for (exit, &game) in self.exits.places.iter().enumerate() {
                ge.note(exit, self.ge[self.index(i, game)]);
                le.note(exit, self.le[self.index(i, game)]);
            }
            self.ge_exit[i] = ge;
            self.le_exit[i] = le;
        }
        Ok(())
    }

    /// Whether no Left option of a loopfree game is ≥ sᵢ.
    fn no_left_option_ge(&self, vertex: usize, game: usize) -> Truth {
        let options = self.exits.loopfree.options[game][Player::Left.index()].iter();
        options.map(|&option| self.le[self.index(vertex, option)].not()).min().unwrap_or(True)
    }

    /// Whether no Right option of a loopfree game is ≤ sᵢ.
    fn no_right_option_le(&self, vertex: usize, game: usize) -> Truth {
        let options = self.exits.loopfree.options[game][Player::Right.index()].iter();
        options.map(|&option| self.ge[self.index(vertex, option)].not()).min().unwrap_or(True)
    }

    /// The exits that (X) allows at a vertex, and (LL) or (RR) at the one before.
    fn possible(&self, vertex: usize, set: Set) -> Set {
        let len = self.pattern.len();
        let (before, player) = ((vertex + len - 1) % len, self.pattern.at(vertex));
        let mut possible = set;
        if self.pattern.at(before) == player {
            possible &= !match player {
                Player::Left => self.ge_exit[before].sure,
                Player::Right => self.le_exit[before].sure,
            };
        }
        for (exit, &game) in self.exits.places.iter().enumerate() {
            let irreversible = || match player {
                Player::Left => self.no_left_option_ge(vertex, game),
                Player::Right => self.no_right_option_le(vertex, game),
            };
            if possible >> exit & 1 == 1 && irreversible() == False {
                possible &= !(1 << exit);
            }
        }
        possible
    }

    fn state(&self, a: usize, b: usize, first: Player) -> usize {
        2 * (a * self.pattern.len() + b) + first.index()
    }

    /// Whether Left survives a difference of vertices.
    ///
    /// Only states that decide the answer are visited; that is a window of the cycle, however long
    /// it is.
    fn survives(
        &mut self,
        start: usize,
        sets: &[Set],
        work: &mut Work,
    ) -> Result<Truth, Interrupted> {
        if self.seen[start] == self.generation {
            return Ok(self.survives[start]);
        }
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        list.push(start);
        self.meet(start);
        let mut next = 0;
        while let Some(&state) = list.get(next) {
            next += 1;
            work.count()?;
            let moves = self.moves(state, sets);
            // One move may be enough.
            let enough = if state.is_multiple_of(2) { True } else { False };
            if moves.contains(&Move::End(enough)) {
                self.survives[state] = enough;
                continue;
            }
            for to in moves {
                if let Move::To(to) = to
                    && self.seen[to] != self.generation
                {
                    self.meet(to);
                    list.push(to);
                }
            }
        }
        // The greatest fixed point. What was met for an earlier question keeps its answer.
        loop {
            let mut changed = false;
            for &state in list.iter().rev() {
                work.count()?;
                let moves = self.moves(state, sets).map(|to| match to {
                    Move::To(to) => self.survives[to],
                    Move::End(truth) => truth,
                });
                let survives = if state.is_multiple_of(2) {
                    moves[0].max(moves[1])
                } else {
                    moves[0].min(moves[1])
                };
                changed |= survives != self.survives[state];
                self.survives[state] = survives;
            }
            if !changed {
                break;
            }
        }
        self.list = list;
        Ok(self.survives[start])
    }

    fn meet(&mut self, state: usize) {
        self.seen[state] = self.generation;
        self.survives[state] = True;
    }

    /// The move in a, and that in b, of a state of a − b.
    fn moves(&self, state: usize, sets: &[Set]) -> [Move; 2] {
        let len = sets.len();
        let (a, b) = (state / 2 / len, state / 2 % len);
        let first = Player::BOTH[state % 2];
        let next = |vertex: usize| if vertex + 1 == len { 0 } else { vertex + 1 };
        let in_first = match (first, self.pattern.at(a)) {
            (Player::Left, Player::Right) => Move::End(self.le_exit[b].on(sets[a])),
            (Player::Right, Player::Left) => Move::End(self.ge_exit[b].on(sets[a]).not()),
            _ => Move::To(self.state(next(a), b, first.opponent())),
        };
        // In −b the players have each other's moves.
        let in_second = match (first, self.pattern.at(b)) {
            (Player::Left, Player::Left) => Move::End(self.ge_exit[a].on(sets[b])),
            (Player::Right, Player::Right) => Move::End(self.le_exit[a].on(sets[b]).not()),
            _ => Move::To(self.state(a, next(b), first.opponent())),
        };
        [in_first, in_second]
    }

    /// The state that Left survives exactly if (LR) or (RL) fails at a vertex; none if they require
    /// nothing.
    fn reversible(&self, vertex: usize) -> Option<usize> {
        let after = (vertex + 2) % self.pattern.len();
        match (self.pattern.at(vertex), self.pattern.at(vertex + 1)) {
            (Player::Left, Player::Right) => Some(self.state(vertex, after, Player::Right)),
            (Player::Right, Player::Left) => Some(self.state(after, vertex, Player::Right)),
            _ => None,
        }
    }
}
