//! Which followers of a stopper have names, and in which order options are written.
//!
//! Followers are *ranked* by their shape alone, so that the text does not depend on the
//! [`Stoppers`]: those that lead to less come first, and what leads to each other is ordered by the
//! coarsest bisimulation.

use std::fmt;

use rustc_hash::FxHashMap;

use super::Dyadic;
use super::read::{MOST_NIMBER, MOST_UPS};
use crate::graph::components::strongly_connected;
use crate::partizan::stoppers::{Stopper, Stoppers, WITHIN, coarsest};

/// The followers of a stopper, by rank.
pub(super) struct Shape {
    /// The rank of the stopper itself.
    pub(super) start: u32,
    /// The options of each follower, in order.
    pub(super) options: Vec<[Vec<u32>; 2]>,
    pub(super) names: Vec<Option<Name>>,
}

/// A game that is written by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Sum(Sum),
    /// {G|−G}.
    Switch(Sum),
    /// {0||0|−G}.
    Tiny(Sum),
    /// {G|0||0}.
    Miny(Sum),
    /// A word, after a number that is added to it.
    Word(Dyadic, &'static str),
}

/// A number, ups (downs below 0) and a nimber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    number: Dyadic,
    ups: i64,
    nimber: u32,
}

impl Sum {
    fn negative(self) -> Self {
        Self { number: self.number.negative(), ups: -self.ups, ..self }
    }

    /// The number, if it is nothing else.
    fn as_number(self) -> Option<Dyadic> {
        (self.ups == 0 && self.nimber == 0).then_some(self.number)
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator)?;
        if self.exponent > 0 {
            write!(f, "/{}", 1_u64 << self.exponent)?;
        }
        Ok(())
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, ups, nimber } = *self;
        let none = ups == 0 && nimber == 0;
        if number != Dyadic::ZERO || none {
            write!(f, "{number}")?;
            // `1*2` would be a multiple.
            if !none && (ups, nimber) != (0, 1) {
                f.write_str("+")?;
            }
        }
        if ups != 0 {
            f.write_str(if ups > 0 { "^" } else { "v" })?;
        }
        if ups.abs() > 1 {
            write!(f, "{}", ups.abs())?;
        }
        match nimber {
            0 => Ok(()),
            1 => f.write_str("*"),
            n => write!(f, "*{n}"),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sum(sum) => sum.fmt(f),
            Self::Tiny(sum) => write!(f, "Tiny({sum})"),
            Self::Miny(sum) => write!(f, "Miny({sum})"),
            Self::Switch(sum) => {
                let text = sum.to_string();
                if text.contains('+') { write!(f, "+-({text})") } else { write!(f, "+-{text}") }
            }
            Self::Word(Dyadic::ZERO, word) => f.write_str(word),
            Self::Word(number, word) => write!(f, "{number}+{word}"),
        }
    }
}

impl Shape {
    pub(super) fn new(stoppers: &Stoppers, stopper: Stopper) -> Self {
        let followers = stoppers.followers(stopper);
        let number: FxHashMap<u32, u32> =
            (0..).zip(&followers).map(|(i, &follower)| (follower, i)).collect();
        let lists: Vec<[Vec<u32>; 2]> = followers
            .iter()
            .map(|&follower| {
                let both = &stoppers.options[follower as usize];
                [0, 1].map(|side: usize| both[side].iter().map(|to| number[to]).collect())
            })
            .collect();
        let ranks = ranks(&lists);
        let mut options = vec![[Vec::new(), Vec::new()]; lists.len()];
        for (both, &rank) in lists.iter().zip(&ranks) {
            options[rank as usize] = [0, 1].map(|side: usize| {
                let mut list: Vec<u32> = both[side].iter().map(|&to| ranks[to as usize]).collect();
                list.sort_unstable();
                list
            });
        }
        let mut shape = Self { start: ranks[0], options, names: Vec::new() };
        for rank in 0..shape.options.len() {
            let name = shape.name(rank as u32);
            shape.names.push(name);
        }
        shape
    }

    fn sum(&self, rank: u32) -> Option<Sum> {
        match self.names.get(rank as usize) {
            Some(&Some(Name::Sum(sum))) => Some(sum),
            _ => None,
        }
    }

    /// The name of the follower whose options are all named already, or itself.
    fn name(&self, rank: u32) -> Option<Name> {
        let [left, right] = [0, 1].map(|side: usize| &self.options[rank as usize][side][..]);
        if left.contains(&rank) || right.contains(&rank) {
            return self.word(rank, left, right);
        }
        // What is too large to be read back stays in braces.
        let option = |list: &[u32]| match *list {
            [] => Some(None),
            [only] => self.sum(only).and_then(Sum::as_number).map(Some),
            _ => None,
        };
        if let (Some(left), Some(right)) = (option(left), option(right))
            && let Some(number) = Dyadic::with_options(left, right)
        {
            return number.fits().then_some(Name::Sum(Sum { number, ups: 0, nimber: 0 }));
        }
        self.nimber(left, right)
            .or_else(|| self.ups(left, right, 1))
            .or_else(|| self.ups(right, left, -1))
            .map(Name::Sum)
            .or_else(|| self.threat(left, right))
    }

    /// x + *n = {x, …, x + *(n−1) | the same}.
    fn nimber(&self, left: &[u32], right: &[u32]) -> Option<Sum> {
        if left != right {
            return None;
        }
        let options: Option<Vec<Sum>> = left.iter().map(|&option| self.sum(option)).collect();
        let mut options = options?;
        options.sort_unstable_by_key(|option| option.nimber);
        let number = options.first()?.as_number()?;
        let all = (0..).zip(&options);
        let fits = options.len() as u64 <= MOST_NIMBER
            && all.into_iter().all(|(nimber, &sum)| sum == Sum { number, ups: 0, nimber });
        fits.then_some(Sum { number, ups: 0, nimber: options.len() as u32 })
    }

    /// x + ^n + *m = {x | x + ^(n−1) + *(m⊕1)} but x + ^ + * = {x, x + * | x}; with `sign` −1 for
    /// downs, whose options are exchanged.
    fn ups(&self, left: &[u32], right: &[u32], sign: i64) -> Option<Sum> {
        let [right] = right else { return None };
        let right = self.sum(*right)?;
        match left {
            [x] => {
                let number = self.sum(*x)?.as_number()?;
                let up = right.ups * sign;
                let fits = number == right.number
                    && (up > 0 || (up == 0 && right.nimber > 0))
                    && up.unsigned_abs() < MOST_UPS
                    && u64::from(right.nimber ^ 1) <= MOST_NIMBER;
                fits.then_some(Sum { number, ups: sign * (up + 1), nimber: right.nimber ^ 1 })
            }
            [x, y] => {
                let number = right.as_number()?;
                let star = Sum { number, ups: 0, nimber: 1 };
                let mut both = [self.sum(*x)?, self.sum(*y)?];
                both.sort_unstable_by_key(|sum| sum.nimber);
                (both == [right, star]).then_some(Sum { number, ups: sign, nimber: 1 })
            }
            _ => None,
        }
    }

    /// Switches and threats of positive games.
    fn threat(&self, left: &[u32], right: &[u32]) -> Option<Name> {
        let ([a], [b]) = (left, right) else { return None };
        let positive = |sum: Sum| (sum.number.numerator > 0).then_some(sum);
        let zero = |rank: u32| self.sum(rank).and_then(Sum::as_number) == Some(Dyadic::ZERO);
        if let (Some(a), Some(b)) = (self.sum(*a), self.sum(*b))
            && a.negative() == b
        {
            return positive(a).map(Name::Switch);
        }
        if zero(*a)
            && let [[x], [y]] = [0, 1].map(|side: usize| &self.options[*b as usize][side][..])
            && zero(*x)
        {
            return positive(self.sum(*y)?.negative()).map(Name::Tiny);
        }
        if zero(*b)
            && let [[x], [y]] = [0, 1].map(|side: usize| &self.options[*a as usize][side][..])
            && zero(*y)
        {
            return positive(self.sum(*x)?).map(Name::Miny);
        }
        // Options that lead back here have no names yet.
        let is = |rank: u32, word: &'static str| {
            self.names.get(rank as usize) == Some(&Some(Name::Word(Dyadic::ZERO, word)))
        };
        if zero(*a) && is(*b, "v[on]*") {
            return Some(Name::Word(Dyadic::ZERO, "^<on>"));
        }
        (zero(*b) && is(*a, "^[on]*")).then_some(Name::Word(Dyadic::ZERO, "v<on>"))
    }

    /// Names of games with a move to themselves.
    fn word(&self, rank: u32, left: &[u32], right: &[u32]) -> Option<Name> {
        let loops = [left, right].map(|side| side.contains(&rank));
        let [left, right] = [left, right].map(|side| {
            let others = side.iter().filter(|&&option| option != rank);
            others.map(|&option| self.sum(option)).collect::<Option<Vec<Sum>>>()
        });
        let (left, right) = (left?, right?);
        let (word, sum) = match (loops, &left[..], &right[..]) {
            ([true, false], [], []) => return Some(Name::Word(Dyadic::ZERO, "on")),
            ([false, true], [], []) => return Some(Name::Word(Dyadic::ZERO, "off")),
            ([false, true], [x], []) if x.nimber == 0 => ("over", *x),
            ([true, false], [], [x]) if x.nimber == 0 => ("under", *x),
            ([true, false], [], [x]) if x.nimber == 1 => ("upon", Sum { nimber: 0, ..*x }),
            ([false, true], [x], []) if x.nimber == 1 => ("v[on]", Sum { nimber: 0, ..*x }),
            ([true, false], [x], [y]) if x == y => ("^[on]*", *x),
            ([false, true], [x], [y]) if x == y => ("v[on]*", *x),
            _ => return None,
        };
        Some(Name::Word(sum.as_number()?, word))
    }
}

/// The rank of each vertex: a number of its own.
fn ranks(lists: &[[Vec<u32>; 2]]) -> Vec<u32> {
    let components = strongly_connected(lists.len(), |vertex, list| {
        list.extend(lists[vertex as usize].iter().flatten());
    });
    // The level of a component is above those of all components that it leads to.
    let mut level = vec![0_u32; lists.len()];
    let mut levels: Vec<Vec<u32>> = Vec::new();
    for component in components {
        let options = component.iter().flat_map(|&v| lists[v as usize].iter().flatten());
        // Within the component the levels are 0 still.
        let above = options.map(|&to| level[to as usize]).max().unwrap_or(0);
        if levels.len() <= above as usize {
            levels.push(Vec::new());
        }
        for vertex in component {
            level[vertex as usize] = above + 1;
            levels[above as usize].push(vertex);
        }
    }
    let mut ranks = vec![0_u32; lists.len()];
    let mut place = vec![u32::MAX; lists.len()];
    let mut next = 0;
    for vertices in levels {
        for (i, &vertex) in (0..).zip(&vertices) {
            place[vertex as usize] = i;
        }
        let local: Vec<[Vec<u32>; 2]> = vertices
            .iter()
            .map(|&vertex| {
                [0, 1].map(|side: usize| {
                    let list = lists[vertex as usize][side].iter().map(|&to| {
                        if level[to as usize] == level[vertex as usize] {
                            WITHIN | place[to as usize]
                        } else {
                            ranks[to as usize]
                        }
                    });
                    list.collect()
                })
            })
            .collect();
        for (&vertex, class) in vertices.iter().zip(coarsest(&local)) {
            ranks[vertex as usize] = next + class;
        }
        next += vertices.len() as u32;
    }
    ranks
}
