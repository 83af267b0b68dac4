//! Terms in place of the components of a won sum, by which a turn is planned.

use rustc_hash::FxHashMap;

use crate::impartial::control::Control;
use crate::impartial::control::automaton::Place;
use crate::impartial::control::term::{Shape, Term, Terms};
use crate::impartial::value::AnyValue;
use crate::limits::{Interrupted, Work};

/// What stands in place of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Virtual {
    Number(u64),
    Term(Term),
}

/// A pool of terms, and which of them are below the values that occur.
pub(crate) struct Virtuals {
    terms: Terms,
    below: FxHashMap<(Term, AnyValue), bool>,
    work: Work,
}

impl Virtuals {
    pub(crate) fn new(work: &Work) -> Self {
        let work = work.child(work.limits());
        Self { terms: Terms::default(), below: FxHashMap::default(), work }
    }

    /// Terms below these values, whose sum is won if theirs is; none if it is not.
    pub(crate) fn of_values(
        &mut self,
        values: &[AnyValue],
    ) -> Result<Option<Vec<Virtual>>, Interrupted> {
        let mut controls = Vec::with_capacity(values.len());
        for value in values {
            let Some(control) = value.control() else { return Ok(None) };
            controls.push(control);
        }
        let is_cyclic = controls.iter().any(Control::is_cyclic);
        // The sum is won with approximants of some depth if it is won at all.
        let mut depth = 1;
        loop {
            let mut found = Vec::with_capacity(controls.len());
            for control in &controls {
                found.push(match control.as_number() {
                    Some(n) => Virtual::Number(n),
                    None => Virtual::Term(control.below(depth, &mut self.terms, &mut self.work)?),
                });
            }
            if self.is_won(&found)? {
                return Ok(Some(found));
            }
            if !is_cyclic {
                return Ok(None);
            }
            depth += 1;
        }
    }

    /// The nim-sum of numbers and the sum of terms beside it.
    fn add(
        &mut self,
        (number, sum): (u64, Option<Term>),
        other: Virtual,
    ) -> Result<(u64, Option<Term>), Interrupted> {
        Ok(match (other, sum) {
            (Virtual::Number(n), sum) => (number ^ n, sum),
            (Virtual::Term(term), None) => (number, Some(term)),
            (Virtual::Term(term), Some(sum)) => {
                (number, Some(self.terms.add(sum, term, &mut self.work)?))
            }
        })
    }

    fn wins(&mut self, (number, sum): (u64, Option<Term>)) -> Result<bool, Interrupted> {
        match sum {
            None => Ok(number != 0),
            Some(sum) => Ok(self.terms.wins(sum, &mut self.work)?.contains(number)),
        }
    }

    /// Whether the player in control wins the sum.
    fn is_won(&mut self, sum: &[Virtual]) -> Result<bool, Interrupted> {
        let mut total = (0, None);
        for &part in sum {
            total = self.add(total, part)?;
        }
        self.wins(total)
    }

    /// A component of a won sum and an action of its term, such that the sum is won with each of the
    /// results: one with few results.
    pub(crate) fn winning_action(
        &mut self,
        sum: &[Virtual],
    ) -> Result<Option<(usize, Vec<Virtual>)>, Interrupted> {
        let mut after = vec![(0, None)];
        for &part in sum.iter().skip(1).rev() {
            let last = after.last().copied().unwrap_or_default();
            after.push(self.add(last, part)?);
        }
        let mut before = (0, None);
        let mut best: Option<(usize, Vec<Virtual>)> = None;
        for ((component, &part), after) in sum.iter().enumerate().zip(after.into_iter().rev()) {
            let rest = match after.1 {
                Some(term) => self.add((before.0 ^ after.0, before.1), Virtual::Term(term))?,
                None => (before.0 ^ after.0, before.1),
            };
            if let Virtual::Term(term) = part {
                for member in self.terms.joinands(term) {
                    let results: Vec<Term> = match self.terms.shape(member) {
                        Shape::Hand(_) => continue,
                        Shape::Meet(results) => results.to_vec(),
                        Shape::Keep(_) | Shape::Join(_) => vec![member],
                    };
                    if best.as_ref().is_some_and(|(_, known)| known.len() <= results.len()) {
                        continue;
                    }
                    let results: Vec<Virtual> = results.into_iter().map(Virtual::Term).collect();
                    let mut wins = true;
                    for &result in &results {
                        let total = self.add(rest, result)?;
                        wins = wins && self.wins(total)?;
                    }
                    if wins {
                        best = Some((component, results));
                    }
                }
            }
            before = self.add(before, part)?;
        }
        Ok(best)
    }

    /// What takes the place of a term when the component stands on a node of this value: a number,
    /// or the first of the results of an action that is below the value. A number that is a result
    /// must be reached itself.
    pub(crate) fn reached(
        &mut self,
        results: &[Virtual],
        value: &AnyValue,
    ) -> Result<Option<Virtual>, Interrupted> {
        for &result in results {
            let Virtual::Term(term) = result else { continue };
            if let Some(n) = value.nimber() {
                let number = self.terms.keep(n);
                if self.terms.is_below(term, number, &mut self.work)? {
                    return Ok(Some(Virtual::Number(n)));
                }
            } else if !matches!(self.terms.shape(term), Shape::Keep(_))
                && self.is_below(term, value)?
            {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    fn is_below(&mut self, term: Term, value: &AnyValue) -> Result<bool, Interrupted> {
        let key = (term, value.clone());
        if let Some(&known) = self.below.get(&key) {
            return Ok(known);
        }
        let Some(high) = value.control() else { return Ok(false) };
        let low = Control::of_term(&self.terms, term, &mut self.work)?;
        let is_below = low.is_below(&high, &mut self.work)?;
        self.below.insert(key, is_below);
        Ok(is_below)
    }
}

impl Control {
    /// A term below a value that is not a number: the value itself if it is a term, else an approximant
    /// of this depth.
    fn below(&self, depth: usize, terms: &mut Terms, work: &mut Work) -> Result<Term, Interrupted> {
        if !self.is_cyclic() {
            return self.term(terms, work);
        }
        let names = super::name::approximants(&self.automaton(), depth, terms, work)?;
        match self.start() {
            Place::Number(n) => Ok(terms.keep(n)),
            Place::State(state) => Ok(names[state as usize]),
        }
    }
}
