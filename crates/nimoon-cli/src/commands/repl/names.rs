//! Names for expressions.
//!
//! A name stands for a sum, and may be a term of one: with `x = nim:3 + nim:4`, the line `x +
//! kayles:5` has three components. A name stores the text of its expression, because each sum has
//! its own rulesets and its own numbers for positions. The text is never pasted into the line that
//! uses the name, so places in errors refer to what the user typed.
//!
//! A `+` may be part of a position. So a word counts as a name only if it was assigned before:
//! otherwise `digraph[FILE]:a+b` is the node `a+b`.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use nimoon_formats::read::nearest;
use nimoon_session::expression::{AnyExpression, ExpressionError, Library, MixedExpression};
use nimoon_session::{catalogue, find};

use super::line::{Command, Piece, is_identifier};
use crate::expressions::Rules;

/// The name of the last expression.
pub(super) const LAST: &str = "_";

/// The limit on components: names can double a sum with every line.
const MOST_COMPONENTS: usize = 10_000;

/// The text of a sum without names in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Assigned {
    /// One or more terms each.
    texts: Vec<Rc<str>>,
    components: usize,
}

impl fmt::Display for Assigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts.join(" + "))
    }
}

/// All assigned names.
#[derive(Debug, Default)]
pub(super) struct Names {
    assigned: BTreeMap<String, Assigned>,
    last: Option<Assigned>,
}

/// A part of an expression.
enum Part<'a> {
    /// Terms of rulesets.
    Terms(Piece<'a>),
    /// A name and its expression.
    Name(Piece<'a>, &'a Assigned),
}

impl Names {
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Assigned)> {
        self.assigned.iter().map(|(name, assigned)| (name.as_str(), assigned))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Assigned> {
        if name == LAST { self.last.as_ref() } else { self.assigned.get(name) }
    }

    pub(super) fn assign(&mut self, name: &str, assigned: Assigned) {
        self.assigned.insert(name.to_owned(), assigned);
    }

    pub(super) fn answered(&mut self, assigned: Assigned) {
        self.last = Some(assigned);
    }

    /// Reads an expression with names in it; places in errors count from the start of the line.
    pub(super) fn read(
        &self,
        expression: Piece<'_>,
        rules: &mut Rules,
    ) -> Result<(AnyExpression, Assigned), ExpressionError> {
        let mut sum = MixedExpression::default();
        let mut assigned = Assigned::default();
        for part in self.parts(expression, rules)? {
            let before = sum.terms.len();
            match part {
                Part::Terms(terms) => {
                    let read = sum.extend(terms.text, rules);
                    read.map_err(|error| self.blame(error, terms, rules))?;
                    sum.terms[before..].iter_mut().for_each(|term| term.at += terms.at);
                    assigned.texts.push(terms.text.trim().into());
                }
                Part::Name(name, stands_for) => {
                    if sum.terms.len() + stands_for.components > MOST_COMPONENTS {
                        let message = format!("more than {MOST_COMPONENTS} components");
                        return Err(wrong(name.at, message));
                    }
                    for text in &stands_for.texts {
                        // The text was valid before, but a file that it names may have changed.
                        sum.extend(text, rules).map_err(|error| match error {
                            ExpressionError::Text { message, .. } => {
                                wrong(name.at, format!("in `{}`: {message}", name.text))
                            }
                            ExpressionError::Limit { message, .. } => {
                                ExpressionError::Limit { at: name.at, message }
                            }
                            error => error,
                        })?;
                    }
                    sum.terms[before..].iter_mut().for_each(|term| term.at = name.at);
                    assigned.texts.extend(stands_for.texts.iter().cloned());
                }
            }
        }
        assigned.components = sum.terms.len();
        Ok((sum.into(), assigned))
    }

    /// Splits the expression at each `+` beside an assigned name.
    fn parts<'a>(
        &'a self,
        expression: Piece<'a>,
        rules: &Rules,
    ) -> Result<Vec<Part<'a>>, ExpressionError> {
        let mut parts = Vec::new();
        let mut terms: Option<Piece<'a>> = None;
        let whole = |from: Piece<'a>, to: Piece<'a>| {
            expression.part(from.at - expression.at, to.end() - expression.at)
        };
        for piece in summands(expression) {
            let word = piece.trimmed();
            if let Some(stands_for) = self.get(word.text) {
                parts.extend(terms.take().map(Part::Terms));
                parts.push(Part::Name(word, stands_for));
            } else if let Some(before) = terms {
                terms = Some(whole(before, piece));
            } else if is_identifier(word.text) {
                return Err(self.unknown(word, rules));
            } else if word.text.is_empty() {
                return Err(wrong(
                    word.at,
                    "expected `ruleset:position`, as in `nim:5`, or a name",
                ));
            } else {
                terms = Some(piece);
            }
        }
        parts.extend(terms.map(Part::Terms));
        Ok(parts)
    }

    /// The error for invalid terms: the cause may be an unknown name.
    fn blame(&self, error: ExpressionError, terms: Piece<'_>, rules: &Rules) -> ExpressionError {
        let ExpressionError::Text { at, message } = error else { return error };
        let at = terms.at + at;
        let words = summands(terms).map(Piece::trimmed);
        let mut names = words.filter(|word| is_identifier(word.text) && word.at >= at);
        match names.next() {
            // Only the sign may stand between the error and the name.
            Some(name) if terms.part(at - terms.at, name.at - terms.at).trimmed().text == "+" => {
                self.unknown(name, rules)
            }
            _ => wrong(at, message),
        }
    }

    /// The error for a single word that is not a name.
    fn unknown(&self, word: Piece<'_>, rules: &Rules) -> ExpressionError {
        let name = word.text;
        if name == LAST {
            return wrong(word.at, "no expression was answered yet");
        }
        let scripts = rules.names();
        if scripts.iter().any(|script| script == name) {
            return wrong(word.end(), format!("expected `:` and a position, as in `{name}:…`"));
        }
        if let Some(entry) = find(name) {
            let message = format!("expected `:` and a position, as in `{}`", entry.example);
            return wrong(word.end(), message);
        }
        let names = self.assigned.keys().map(String::as_str);
        let words = names.chain(Command::ALL.map(Command::name)).chain(known(&scripts));
        let remedy = nearest(words, name).map_or_else(
            || format!("`{name} = …` gives this name to an expression"),
            |near| format!("did you mean `{near}`?"),
        );
        wrong(word.at, format!("nothing is called `{name}`; {remedy}"))
    }

    /// Checks a new name; places count from the start of the line.
    pub(super) fn check(name: Piece<'_>, rules: &Rules) -> Result<(), ExpressionError> {
        let word = name.text;
        if word.is_empty() {
            return Err(wrong(name.at, "expected a name before the `=`"));
        }
        if !is_identifier(word) {
            let letter = |(i, c): (usize, char)| {
                c == '_' || c.is_alphabetic() || (i > 0 && c.is_alphanumeric())
            };
            let good = word.char_indices().take_while(|&place| letter(place));
            let good: usize = good.map(|(_, c)| c.len_utf8()).sum();
            let message = "a name is one word of letters, digits and `_`, with no digit in front";
            return Err(wrong(name.at + good, message));
        }
        if word == LAST {
            return Err(wrong(name.at, "`_` is always the last expression that was answered"));
        }
        if Command::named(word).is_some() {
            return Err(wrong(name.at, format!("`{word}` is a command; take another name")));
        }
        if known(&rules.names()).any(|ruleset| ruleset == word) {
            return Err(wrong(name.at, format!("`{word}` is a ruleset; take another name")));
        }
        Ok(())
    }
}

fn wrong(at: usize, message: impl Into<String>) -> ExpressionError {
    ExpressionError::Text { at, message: message.into() }
}

/// The names of all rulesets, with those of scripts.
pub(super) fn known(scripts: &[String]) -> impl Iterator<Item = &str> {
    catalogue().into_iter().map(|entry| entry.name).chain(scripts.iter().map(String::as_str))
}

/// Splits the expression at every `+` outside of brackets.
fn summands(expression: Piece<'_>) -> impl Iterator<Item = Piece<'_>> {
    let mut depth = 0_usize;
    let signs = expression.text.char_indices().filter(move |&(_, c)| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '+' && depth == 0
    });
    let ends = signs.map(|(at, _)| at).chain([expression.text.len()]);
    ends.scan(0, move |start, end| {
        let piece = expression.part(*start, end);
        *start = end + 1;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names given in lines such as `x = nim:3`.
    fn names(lines: &[(&str, &str)]) -> Names {
        let mut names = Names::default();
        for (name, text) in lines {
            let (_, assigned) = names.read(Piece::new(text, 0), &mut Rules::default()).unwrap();
            names.assign(name, assigned);
        }
        names
    }

    fn read(names: &Names, text: &str) -> Result<(usize, String), (usize, String)> {
        match names.read(Piece::new(text, 0), &mut Rules::default()) {
            Ok((sum, assigned)) => {
                let count = match sum {
                    AnyExpression::Impartial(sum) => sum.terms.len(),
                    AnyExpression::Mixed(sum) => sum.terms.len(),
                };
                Ok((count, assigned.to_string()))
            }
            Err(ExpressionError::Text { at, message }) => Err((at, message)),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn names_stand_for_sums() {
        let names = names(&[("x", "nim:3 + nim:4"), ("y", "x + kayles:2 + x")]);
        assert_eq!(read(&names, "y").unwrap().0, 5);
        let (count, text) = read(&names, " slide[-2,+1;20]:7+x + nim:1 ").unwrap();
        assert_eq!((count, text.as_str()), (4, "slide[-2,+1;20]:7 + nim:3 + nim:4 + nim:1"));
    }

    #[test]
    fn terms_of_partizan_sums_know_where_they_stand_in_the_line() {
        let names = names(&[("x", "nim:3 + backsliding:t.f")]);
        let read = names.read(Piece::new("nim:1 + x + nim:2", 5), &mut Rules::default());
        let Ok((AnyExpression::Mixed(sum), _)) = read else { panic!("it is partizan") };
        let places: Vec<usize> = sum.terms.iter().map(|term| term.at).collect();
        assert_eq!(places, [5, 13, 13, 17]);
    }

    #[test]
    fn a_name_is_what_it_was_when_it_was_used() {
        let names = names(&[("x", "nim:3"), ("y", "x"), ("x", "nim:4")]);
        assert_eq!(read(&names, "x + y").unwrap().1, "nim:4 + nim:3");
    }

    #[test]
    fn errors_point_into_what_was_typed() {
        let names = names(&[("long", "nim:3 + nim:4 + nim:5")]);
        let at = |text: &str| read(&names, text).unwrap_err().0;
        assert_eq!(at("long + nim:x"), 11);
        assert_eq!(at("nim:1 + long + nym:2"), 15);
        assert_eq!(at("long + nim:1 + lung"), 15);
        assert_eq!(at("lung + long"), 0);
        assert_eq!(at("long +"), 6);
        assert_eq!(at("+ long"), 0);
        assert_eq!(at("nim:1 + _"), 8);
        assert_eq!(at("long + 3"), 8);
        assert_eq!(at("long nim:3"), 0);
        assert_eq!(at(""), 0);
    }

    #[test]
    fn an_unknown_word_is_reported_with_the_nearest_name() {
        let names = names(&[("heap", "nim:3")]);
        let message = |text: &str| read(&names, text).unwrap_err().1;
        assert_eq!(message("nim:2 + heep"), "nothing is called `heep`; did you mean `heap`?");
        assert_eq!(message("hlp"), "nothing is called `hlp`; did you mean `help`?");
        assert!(message("nim:2 + other").contains("`other = …`"));
        assert_eq!(message("nim + heap"), "expected `:` and a position, as in `nim:5`");
    }

    #[test]
    fn sums_do_not_double_for_ever() {
        let mut names = names(&[("x", "nim:1")]);
        let error = (0..20).find_map(|_| {
            match names.read(Piece::new("x + x", 0), &mut Rules::default()) {
                Ok((_, assigned)) => names.assign("x", assigned),
                Err(error) => return Some(error),
            }
            None
        });
        assert_eq!(error, Some(wrong(4, "more than 10000 components")));
    }

    #[test]
    fn words_with_another_meaning_are_not_names() {
        let at = |name: &str| match Names::check(Piece::new(name, 7), &Rules::default()) {
            Err(ExpressionError::Text { at, .. }) => Some(at),
            _ => None,
        };
        assert_eq!(at("x1"), None);
        for name in ["nim", "value", "exit", "_", "", "1x"] {
            assert_eq!(at(name), Some(7), "{name}");
        }
        assert_eq!((at("a-b"), at("a b")), (Some(8), Some(8)));
    }
}
