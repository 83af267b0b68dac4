//! For tests of rulesets: values by the definition, where there are no cycles and no entailing
//! moves; and text that need not be a position.

use std::collections::{BTreeSet, HashMap};

use nimoon::impartial::value::EntailingValue;
use nimoon::ruleset::{Kind, Notation, Ruleset};

/// A ruleset with the values that were found so far.
pub(crate) struct Evaluator<R: Ruleset> {
    ruleset: R,
    values: HashMap<R::Position, EntailingValue>,
}

impl<R: Ruleset> Evaluator<R> {
    pub(crate) fn new(ruleset: R) -> Self {
        Self { ruleset, values: HashMap::new() }
    }

    /// The value of any position, as the sum of its parts.
    pub(crate) fn value(&mut self, position: &R::Position) -> EntailingValue {
        let mut sum = EntailingValue::Nimber(0);
        for part in self.ruleset.components(position.clone()) {
            let part = self.ruleset.canonical(part);
            sum = sum + self.value_of_part(&part);
        }
        sum
    }

    fn value_of_part(&mut self, part: &R::Position) -> EntailingValue {
        use EntailingValue::{Moon, Nimber};
        if let Some(&value) = self.values.get(part) {
            return value;
        }
        let options: Vec<_> = self.ruleset.options(part).collect();
        let (mut numbers, mut again) = (BTreeSet::new(), BTreeSet::new());
        for option in options {
            let value = self.value(&option.to);
            match (option.kind, value) {
                (Kind::Ordinary, Nimber(n)) => _ = numbers.insert(n),
                (Kind::Ordinary, Moon) => {}
                (Kind::Again, value) => _ = again.insert(value),
                (Kind::Entailing, _) => unreachable!("tests of other rulesets"),
            }
        }
        // Moving again to a number covers all other numbers, and to a moon covers all.
        let value = match again.first() {
            None => Nimber(numbers.iter().zip(0..).take_while(|(a, b)| **a == *b).count() as u64),
            Some(&Nimber(n)) if again.len() == 1 && !numbers.contains(&n) => Nimber(n),
            Some(_) => Moon,
        };
        self.values.insert(part.clone(), value);
        value
    }
}

/// Reads any text. A position must be written as it is read, and it must be drawn and described; an
/// error must point into the text.
pub(crate) fn read_or_refuse<R: Notation>(ruleset: &R, text: &str) {
    match ruleset.read(text) {
        Ok(position) => {
            assert!(ruleset.read(&ruleset.write(&position)).is_ok_and(|read| read == position));
            assert!(!ruleset.board(&position).is_empty());
            for (number, option) in ruleset.options(&position).enumerate().take(100) {
                assert!(ruleset.read(&ruleset.write(&option.to)).is_ok_and(|to| to == option.to));
                assert!(!ruleset.words(&position, number, &option).is_empty());
            }
        }
        Err(error) => {
            assert!(text.is_char_boundary(error.at), "{text:?}: {error:?}");
            assert!(!error.message.is_empty());
        }
    }
}
