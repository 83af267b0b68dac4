//! Terms of the free lattice: shared, compared by Whitman's rules, made canonical, added.
//!
//! Terms are numbered in a pool; equal canonical terms have equal numbers, so a subterm that occurs
//! twice is stored once. Names can be exponentially longer than their terms are many.
//!
//! Nothing here calls itself: terms may be as deep as digraphs are long, and the stack is not. A
//! question that needs the answer to another one first puts that on a list ([`Terms::settle`]).

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::impartial::nimbers::NimberSet;
use crate::limits::{Interrupted, Work};

/// A term of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Term(u32);

impl Term {
    /// The place of a term in its pool.
    pub(crate) fn index(self) -> u32 {
        self.0
    }

    /// The term at a place of a pool.
    pub(crate) fn at(index: u32) -> Self {
        Self(index)
    }
}

/// How a term is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// `j`: the mover stays in control and the component stands on the number j.
    Keep(u64),
    /// `>k`: the mover hands over, and the component stands on the number k.
    Hand(u64),
    /// The mover chooses. Without members it is the bottom, `[]`.
    Join(Box<[Term]>),
    /// The opponent chooses. Without members it is the top, `(win)`.
    Meet(Box<[Term]>),
}

/// What kept a question from being answered: another one, or a limit.
enum Missing<Q> {
    First(Q),
    Interrupted(Interrupted),
}

impl<Q> From<Interrupted> for Missing<Q> {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

type Pair = (Term, Term);

/// A pool of terms.
#[derive(Default)]
pub(crate) struct Terms {
    shapes: Vec<Shape>,
    places: FxHashMap<Shape, Term>,
    below: FxHashMap<Pair, bool>,
    compared: FxHashMap<Pair, Ordering>,
    sums: FxHashMap<Pair, Term>,
    /// The heaps beside which terms win.
    wins: FxHashMap<Term, NimberSet>,
}

impl Terms {
    pub(crate) fn known_wins(&self, term: Term) -> Option<&NimberSet> {
        self.wins.get(&term)
    }

    pub(crate) fn keep_wins(&mut self, term: Term, wins: NimberSet) {
        self.wins.insert(term, wins);
    }

    pub(crate) fn shape(&self, term: Term) -> &Shape {
        &self.shapes[term.0 as usize]
    }

    fn intern(&mut self, shape: Shape) -> Term {
        let shapes = &mut self.shapes;
        *self.places.entry(shape).or_insert_with_key(|shape| {
            shapes.push(shape.clone());
            Term(shapes.len() as u32 - 1)
        })
    }

    pub(crate) fn keep(&mut self, n: u64) -> Term {
        self.intern(Shape::Keep(n))
    }

    pub(crate) fn hand(&mut self, n: u64) -> Term {
        self.intern(Shape::Hand(n))
    }

    /// The members of a term as a join: a generator or a meet is the join of itself.
    pub(crate) fn joinands(&self, term: Term) -> Vec<Term> {
        match self.shape(term) {
            Shape::Join(members) => members.to_vec(),
            _ => vec![term],
        }
    }

    /// The members of a term as a meet.
    pub(crate) fn meetands(&self, term: Term) -> Vec<Term> {
        match self.shape(term) {
            Shape::Meet(members) => members.to_vec(),
            _ => vec![term],
        }
    }

    /// Answers a question after all those that it needs first.
    fn settle<Q: Copy, A>(
        &mut self,
        question: Q,
        answer: impl Fn(&mut Self, Q, &mut Work) -> Result<A, Missing<Q>>,
        keep: impl Fn(&mut Self, Q, &A),
        work: &mut Work,
    ) -> Result<A, Interrupted> {
        let mut stack = vec![question];
        loop {
            work.count()?;
            let Some(&question) = stack.last() else {
                unreachable!("the first question is answered last");
            };
            match answer(self, question, work) {
                Ok(answer) => {
                    keep(self, question, &answer);
                    stack.pop();
                    if stack.is_empty() {
                        return Ok(answer);
                    }
                }
                Err(Missing::First(other)) => stack.push(other),
                Err(Missing::Interrupted(interrupted)) => return Err(interrupted),
            }
        }
    }

    /// Whether one term is below another in the free lattice [Whitman 1941], over the order of
    /// generators with `>k` below `j` for k ≠ j [Dean 1956].
    pub(crate) fn is_below(
        &mut self,
        low: Term,
        high: Term,
        work: &mut Work,
    ) -> Result<bool, Interrupted> {
        if let Some(known) = self.known_below((low, high)) {
            return Ok(known);
        }
        let keep = |terms: &mut Self, pair, &is: &bool| {
            terms.below.insert(pair, is);
        };
        self.settle((low, high), |terms, pair, _| terms.try_below(pair), keep, work)
    }

    fn known_below(&self, (low, high): Pair) -> Option<bool> {
        if low == high { Some(true) } else { self.below.get(&(low, high)).copied() }
    }

    fn try_below(&self, (low, high): Pair) -> Result<bool, Missing<Pair>> {
        use Shape::{Hand, Join, Keep, Meet};
        let ask = |pair| self.known_below(pair).ok_or(Missing::First(pair));
        let all = |mut pairs: &mut dyn Iterator<Item = Pair>| -> Result<bool, Missing<Pair>> {
            for pair in &mut pairs {
                if !ask(pair)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let some = |mut pairs: &mut dyn Iterator<Item = Pair>| -> Result<bool, Missing<Pair>> {
            for pair in &mut pairs {
                if ask(pair)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        match (self.shape(low), self.shape(high)) {
            (Join(members), _) => all(&mut members.iter().map(|&member| (member, high))),
            (_, Meet(members)) => all(&mut members.iter().map(|&member| (low, member))),
            (Hand(k), Keep(j)) => Ok(k != j),
            // Equal generators are one term.
            (Keep(_) | Hand(_), Keep(_) | Hand(_)) => Ok(false),
            (Keep(_) | Hand(_), Join(members)) => {
                some(&mut members.iter().map(|&member| (low, member)))
            }
            (Meet(members), Keep(_) | Hand(_)) => {
                some(&mut members.iter().map(|&member| (member, high)))
            }
            (Meet(lower), Join(higher)) => {
                let mut lower = lower.iter().map(|&member| (member, high));
                let mut higher = higher.iter().map(|&member| (low, member));
                Ok(some(&mut lower)? || some(&mut higher)?)
            }
        }
    }

    /// The order in which members are written: `j` before `>k` before brackets, and smaller numbers
    /// first; a meet as the list of its members.
    pub(crate) fn compare(
        &mut self,
        a: Term,
        b: Term,
        work: &mut Work,
    ) -> Result<Ordering, Interrupted> {
        if let Some(known) = self.known_order((a, b)) {
            return Ok(known);
        }
        let keep = |terms: &mut Self, pair, &order: &Ordering| {
            terms.compared.insert(pair, order);
        };
        self.settle((a, b), |terms, pair, _| terms.try_compare(pair), keep, work)
    }

    fn known_order(&self, (a, b): Pair) -> Option<Ordering> {
        use Shape::{Hand, Join, Keep};
        match (self.shape(a), self.shape(b)) {
            _ if a == b => Some(Ordering::Equal),
            (Keep(i), Keep(j)) | (Hand(i), Hand(j)) => Some(i.cmp(j)),
            (Keep(_), Hand(_) | Join(_)) | (Hand(_), Join(_)) => Some(Ordering::Less),
            (Hand(_) | Join(_), Keep(_)) | (Join(_), Hand(_)) => Some(Ordering::Greater),
            _ => self.compared.get(&(a, b)).copied(),
        }
    }

    fn try_compare(&self, (a, b): Pair) -> Result<Ordering, Missing<Pair>> {
        let (left, right) = match (self.shape(a), self.shape(b)) {
            (Shape::Join(_), Shape::Join(_)) => (self.joinands(a), self.joinands(b)),
            _ => (self.meetands(a), self.meetands(b)),
        };
        for pair in left.iter().copied().zip(right.iter().copied()) {
            match self.known_order(pair).ok_or(Missing::First(pair))? {
                Ordering::Equal => {}
                unequal => return Ok(unequal),
            }
        }
        Ok(left.len().cmp(&right.len()))
    }

    /// The canonical form of a join of canonical terms.
    pub(crate) fn join(
        &mut self,
        members: Vec<Term>,
        work: &mut Work,
    ) -> Result<Term, Interrupted> {
        self.canonical(members, true, work)
    }

    /// The canonical form of a meet of canonical terms.
    pub(crate) fn meet(
        &mut self,
        members: Vec<Term>,
        work: &mut Work,
    ) -> Result<Term, Interrupted> {
        self.canonical(members, false, work)
    }

    /// Both are the same with the order turned around.
    fn canonical(
        &mut self,
        members: Vec<Term>,
        join: bool,
        work: &mut Work,
    ) -> Result<Term, Interrupted> {
        let make = |members: Vec<Term>| {
            let members = members.into_boxed_slice();
            if join { Shape::Join(members) } else { Shape::Meet(members) }
        };
        let mut list = self.flat(members, join);
        if list.len() > 1 {
            // The whole as it was given: comparing needs no canonical terms.
            let whole = self.intern(make(list.clone()));
            list = self.lowered(list, whole, join, work)?;
            list = self.undominated(&list, join, work)?;
        }
        if let [one] = list[..] {
            return Ok(one);
        }
        self.sort(&mut list, work)?;
        Ok(self.intern(make(list)))
    }

    /// A join of joins is one join; each member once.
    fn flat(&self, members: Vec<Term>, join: bool) -> Vec<Term> {
        let parts = |term| if join { self.joinands(term) } else { self.meetands(term) };
        let mut list: Vec<Term> = members.into_iter().flat_map(parts).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Replaces each joinand by one of its meetands that is below the whole, as long as there is
    /// one.
    fn lowered(
        &mut self,
        mut list: Vec<Term>,
        whole: Term,
        join: bool,
        work: &mut Work,
    ) -> Result<Vec<Term>, Interrupted> {
        loop {
            let mut changed = false;
            let mut next = Vec::with_capacity(list.len());
            for member in list {
                let parts = match (self.shape(member), join) {
                    (Shape::Meet(parts), true) | (Shape::Join(parts), false) => parts.to_vec(),
                    _ => Vec::new(),
                };
                let mut found = member;
                for part in parts {
                    let (low, high) = if join { (part, whole) } else { (whole, part) };
                    if self.is_below(low, high, work)? {
                        (found, changed) = (part, true);
                        break;
                    }
                }
                next.push(found);
            }
            list = self.flat(next, join);
            if !changed {
                return Ok(list);
            }
        }
    }

    /// Without the members that are below another one. No two of them are equal as values unless
    /// they are the same term, since all are canonical.
    pub(crate) fn undominated(
        &mut self,
        list: &[Term],
        join: bool,
        work: &mut Work,
    ) -> Result<Vec<Term>, Interrupted> {
        let mut kept = Vec::with_capacity(list.len());
        for &member in list {
            let mut dominated = false;
            for &other in list.iter().filter(|&&other| other != member) {
                let (low, high) = if join { (member, other) } else { (other, member) };
                if self.is_below(low, high, work)? {
                    dominated = true;
                    break;
                }
            }
            if !dominated {
                kept.push(member);
            }
        }
        Ok(kept)
    }

    fn sort(&mut self, list: &mut [Term], work: &mut Work) -> Result<(), Interrupted> {
        // Comparing may be interrupted, which the sorting of the standard library cannot be.
        for i in 0..list.len() {
            for j in i + 1..list.len() {
                self.compare(list[i], list[j], work)?;
            }
        }
        let known = |&a: &Term, &b: &Term| {
            let order = self.known_order((a, b));
            order.or_else(|| Some(self.known_order((b, a))?.reverse())).unwrap_or(Ordering::Equal)
        };
        list.sort_by(known);
        Ok(())
    }

    /// The value of a sum of two values that are not numbers (Theorem 7).
    pub(crate) fn add(&mut self, x: Term, y: Term, work: &mut Work) -> Result<Term, Interrupted> {
        let keep = |terms: &mut Self, pair, &sum: &Term| {
            terms.sums.insert(pair, sum);
        };
        self.settle(in_order(x, y), Self::try_add, keep, work)
    }

    fn try_add(&mut self, (x, y): Pair, work: &mut Work) -> Result<Term, Missing<Pair>> {
        if let Some(&known) = self.sums.get(&(x, y)) {
            return Ok(known);
        }
        // Each meet among the members, and what is added to all that it meets.
        let mut meets = Vec::new();
        for (a, b) in [(x, y), (y, x)] {
            for part in self.joinands(a) {
                if let Shape::Meet(parts) = self.shape(part) {
                    let sum = |&part| {
                        let pair = in_order(part, b);
                        self.sums.get(&pair).copied().ok_or(Missing::First(pair))
                    };
                    meets.push(parts.iter().map(sum).collect::<Result<Vec<Term>, _>>()?);
                }
            }
        }
        let mut members = Vec::new();
        for parts in meets {
            members.push(self.meet(parts, work)?);
        }
        for a in self.joinands(x) {
            for b in self.joinands(y) {
                let sum = match (self.shape(a), self.shape(b)) {
                    (&Shape::Keep(i), &Shape::Keep(j)) => self.keep(i ^ j),
                    (&Shape::Keep(i), &Shape::Hand(j)) | (&Shape::Hand(i), &Shape::Keep(j)) => {
                        self.hand(i ^ j)
                    }
                    _ => continue,
                };
                members.push(sum);
            }
        }
        Ok(self.join(members, work)?)
    }
}

fn in_order(x: Term, y: Term) -> Pair {
    if x <= y { (x, y) } else { (y, x) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    struct Pool(Terms, Work);

    impl Pool {
        fn new() -> Self {
            Self(Terms::default(), Work::endless())
        }

        fn join(&mut self, members: &[Term]) -> Term {
            self.0.join(members.to_vec(), &mut self.1).unwrap()
        }

        fn meet(&mut self, members: &[Term]) -> Term {
            self.0.meet(members.to_vec(), &mut self.1).unwrap()
        }

        fn is_below(&mut self, low: Term, high: Term) -> bool {
            self.0.is_below(low, high, &mut self.1).unwrap()
        }

        fn add(&mut self, x: Term, y: Term) -> Term {
            self.0.add(x, y, &mut self.1).unwrap()
        }
    }

    /// Over the number 0 there are six values, and they are the free lattice over two generators
    /// with bounds.
    #[test]
    fn two_generators_make_six_terms() {
        let mut pool = Pool::new();
        let mut all = vec![pool.0.keep(0), pool.0.hand(0), pool.join(&[]), pool.meet(&[])];
        for _ in 0..3 {
            for &a in &all.clone() {
                for &b in &all.clone() {
                    all.extend([pool.join(&[a, b]), pool.meet(&[a, b])]);
                }
            }
            all.sort_unstable();
            all.dedup();
        }
        assert_eq!(all.len(), 6);
    }

    /// The laws of lattices hold among all terms of two rounds over 0, 1, >0, >1.
    #[test]
    fn joins_and_meets_are_least_upper_and_greatest_lower_bounds() {
        let mut pool = Pool::new();
        let mut all = vec![pool.0.keep(0), pool.0.keep(1), pool.0.hand(0), pool.0.hand(1)];
        for _ in 0..2 {
            let some: Vec<Term> = all.iter().copied().step_by(1 + all.len() / 12).collect();
            for &a in &some {
                for &b in &some {
                    all.extend([pool.join(&[a, b]), pool.meet(&[a, b])]);
                }
            }
            all.sort_unstable();
            all.dedup();
        }
        let some: Vec<Term> = all.iter().copied().step_by(1 + all.len() / 24).collect();
        for &a in &some {
            for &b in &some {
                let (join, meet) = (pool.join(&[a, b]), pool.meet(&[a, b]));
                assert!(pool.is_below(a, join) && pool.is_below(meet, a));
                assert_eq!(pool.is_below(a, b) && pool.is_below(b, a), a == b);
                for &c in &some {
                    let upper = pool.is_below(a, c) && pool.is_below(b, c);
                    assert_eq!(upper, pool.is_below(join, c));
                    let lower = pool.is_below(c, a) && pool.is_below(c, b);
                    assert_eq!(lower, pool.is_below(c, meet));
                }
            }
        }
    }

    #[test]
    fn sums_of_ninny_sets_add_their_members() {
        let mut pool = Pool::new();
        let n: Vec<Term> = (0..4).map(|n| pool.0.keep(n)).collect();
        let low = pool.meet(&[n[0], n[1]]);
        let both = pool.meet(&n);
        let two = pool.meet(&[n[0], n[2]]);
        assert_eq!(pool.add(low, two), both);
        let bottom = pool.join(&[]);
        let exit = pool.0.hand(0);
        assert_eq!(pool.add(exit, exit), bottom);
        let top = pool.meet(&[]);
        assert_eq!(pool.add(top, bottom), top);
    }

    #[test]
    fn a_limit_ends_the_work() {
        let mut pool = Pool(Terms::default(), Work::new(Limits::new(3)));
        let members: Vec<Term> = (0..10).map(|n| pool.0.keep(n)).collect();
        assert!(pool.0.join(members, &mut pool.1).is_err());
    }
}
