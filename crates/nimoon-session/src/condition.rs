//! Conditions on positions: `outcome = P and remoteness > 5`.
//!
//! ```text
//!   condition  = all { "or" all }
//!   all        = one { "and" one }
//!   one        = [ "not" ] comparison
//!   comparison = sum ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) sum
//!   sum        = product { ( "+" | "-" | "xor" ) product }
//!   product    = atom { ( "*" | "/" | "%" ) atom }
//!   atom       = number | name | letter | value | "'" text "'" | "(" condition or sum ")"
//! ```
//!
//! Names are those of what is known of a position, such as `value` and `remoteness`, and of the parameters of
//! a table. A letter is an outcome: `N`, `P`, `D`, `L` or `R`. A value is `moon`, `ninny`, `oo` or `full-moon`,
//! with the nimbers in braces where a certain one is meant: `moon{0,2}`. Other values stand in quotes.
//!
//! What is not known satisfies no comparison, not even `!=`. A value without a number, such as a moon, differs
//! from all numbers, and is neither larger nor smaller than one.

use std::cmp::Ordering;

use nimoon::NotationError;
use nimoon_formats::read::nearest;

/// What is known of a position under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Nothing.
    Unknown,
    /// A number.
    Number(i128),
    /// No number is as large, as for the remoteness of a draw.
    Infinite,
    /// A text: an outcome, a position.
    Text(String),
    /// A value: as it is written in ASCII, and its number where it has one.
    Value(String, Option<i128>),
    /// A kind of value, such as any moon.
    Kind(&'static str),
}

/// A condition on positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    root: Tree,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Tree {
    Fact(Fact),
    Name(String),
    Not(Box<Tree>),
    Joined(Join, Box<Tree>, Box<Tree>),
    Compared(Relation, Box<Tree>, Box<Tree>),
    Computed(char, Box<Tree>, Box<Tree>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// Names of kinds of values.
const KINDS: [&str; 4] = ["full-moon", "moon", "ninny", "oo"];

/// Letters of outcomes.
const LETTERS: [&str; 5] = ["N", "P", "D", "L", "R"];

/// How deep brackets and `not` may stand inside each other.
const DEEPEST: usize = 100;

impl Condition {
    /// Reads a condition on what has these names.
    ///
    /// ```
    /// use nimoon_session::condition::{Condition, Fact};
    /// let condition = Condition::read("n > 2 and value != n", &["n", "value"]).unwrap();
    /// let facts = |name: &str| match name {
    ///     "n" => Fact::Number(5),
    ///     _ => Fact::Value("moon{0}".into(), None),
    /// };
    /// assert!(condition.holds(&facts));
    /// let error = Condition::read("n > 2 and vale = 3", &["n", "value"]).unwrap_err();
    /// assert_eq!(error.at, 10);
    /// assert!(error.message.contains("did you mean `value`?"));
    /// ```
    ///
    /// # Errors
    /// When the text is not a condition, with the place.
    pub fn read(text: &str, names: &[&str]) -> Result<Self, NotationError> {
        let mut reader = Reader { text, at: 0, names, depth: 0 };
        let start = reader.skip();
        let root = reader.any()?;
        let end = reader.skip();
        if end < text.len() {
            let message = "expected `and`, `or` or the end of the condition";
            return Err(NotationError::at(end, message));
        }
        truth(&root, start)?;
        Ok(Self { root })
    }

    /// Whether a position satisfies it.
    pub fn holds(&self, facts: &dyn Fn(&str) -> Fact) -> bool {
        holds(&self.root, facts)
    }
}

/// Checks that this is true or false.
fn truth(tree: &Tree, at: usize) -> Result<(), NotationError> {
    match tree {
        Tree::Fact(_) | Tree::Name(_) | Tree::Computed(..) => {
            Err(NotationError::at(at, "expected a comparison, as in `remoteness > 5`"))
        }
        _ => Ok(()),
    }
}

/// Checks that this can be compared.
fn datum(tree: &Tree, at: usize) -> Result<(), NotationError> {
    match truth(tree, at) {
        Err(_) => Ok(()),
        Ok(()) => Err(NotationError::at(at, "expected a number, a name or a value")),
    }
}

fn holds(tree: &Tree, facts: &dyn Fn(&str) -> Fact) -> bool {
    match tree {
        Tree::Not(inner) => !holds(inner, facts),
        Tree::Joined(Join::And, a, b) => holds(a, facts) && holds(b, facts),
        Tree::Joined(Join::Or, a, b) => holds(a, facts) || holds(b, facts),
        Tree::Compared(relation, a, b) => {
            compared(*relation, &evaluated(a, facts), &evaluated(b, facts))
        }
        Tree::Fact(_) | Tree::Name(_) | Tree::Computed(..) => false,
    }
}

fn evaluated(tree: &Tree, facts: &dyn Fn(&str) -> Fact) -> Fact {
    match tree {
        Tree::Fact(fact) => fact.clone(),
        Tree::Name(name) => facts(name),
        Tree::Computed(operator, a, b) => {
            let (a, b) = (number(&evaluated(a, facts)), number(&evaluated(b, facts)));
            let result = a.zip(b).and_then(|(a, b)| match operator {
                '+' => a.checked_add(b),
                '-' => a.checked_sub(b),
                '*' => a.checked_mul(b),
                '/' => a.checked_div_euclid(b),
                '%' => a.checked_rem_euclid(b),
                _ => Some(a ^ b),
            });
            result.map_or(Fact::Unknown, Fact::Number)
        }
        _ => Fact::Unknown,
    }
}

fn number(fact: &Fact) -> Option<i128> {
    match fact {
        Fact::Number(number) => Some(*number),
        Fact::Value(_, number) => *number,
        _ => None,
    }
}

fn compared(relation: Relation, a: &Fact, b: &Fact) -> bool {
    if *a == Fact::Unknown || *b == Fact::Unknown {
        return false;
    }
    match relation {
        Relation::Equal => equal(a, b),
        Relation::Unequal => !equal(a, b),
        _ => {
            let order = match (a, b) {
                (Fact::Infinite | Fact::Kind("oo"), Fact::Infinite | Fact::Kind("oo")) => {
                    Some(Ordering::Equal)
                }
                (Fact::Infinite | Fact::Kind("oo"), b) => number(b).map(|_| Ordering::Greater),
                (a, Fact::Infinite | Fact::Kind("oo")) => number(a).map(|_| Ordering::Less),
                (a, b) => number(a).zip(number(b)).map(|(a, b)| a.cmp(&b)),
            };
            order.is_some_and(|order| match relation {
                Relation::Less => order.is_lt(),
                Relation::AtMost => order.is_le(),
                Relation::Greater => order.is_gt(),
                _ => order.is_ge(),
            })
        }
    }
}

fn equal(a: &Fact, b: &Fact) -> bool {
    match (a, b) {
        (Fact::Infinite, Fact::Kind("oo")) | (Fact::Kind("oo"), Fact::Infinite) => true,
        (Fact::Kind(kind), Fact::Value(text, _)) | (Fact::Value(text, _), Fact::Kind(kind)) => {
            let of_kind = |text: &str| {
                text.strip_prefix(kind).is_some_and(|rest| rest.is_empty() || rest.starts_with('{'))
            };
            of_kind(text) || *kind == "moon" && text == "full-moon"
        }
        (Fact::Value(text, _), Fact::Text(other)) | (Fact::Text(other), Fact::Value(text, _)) => {
            let plain = |text: &str| text.replace(' ', "");
            plain(text) == plain(other)
        }
        (Fact::Value(a, _), Fact::Value(b, _)) => a == b,
        (Fact::Number(_) | Fact::Value(..), Fact::Number(_) | Fact::Value(..)) => {
            number(a).is_some() && number(a) == number(b)
        }
        (a, b) => a == b,
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    names: &'a [&'a str],
    depth: usize,
}

impl Reader<'_> {
    /// Goes on to what is next, and says where that is.
    fn skip(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    /// Takes one of these words or signs, if it is next.
    fn take(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let at = self.skip();
        let rest = &self.text[at..];
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let found = words.iter().copied().find(|word| {
            let behind = rest.strip_prefix(word);
            behind.is_some_and(|behind| !word.ends_with(is_word) || !behind.starts_with(is_word))
        });
        self.at += found.map_or(0, str::len);
        found
    }

    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, NotationError>,
    ) -> Result<T, NotationError> {
        if self.depth == DEEPEST {
            let message = format!("at most {DEEPEST} brackets may stand inside each other");
            return Err(NotationError::at(self.at, message));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    fn any(&mut self) -> Result<Tree, NotationError> {
        self.joined("or", Join::Or, |reader| reader.joined("and", Join::And, Self::one))
    }

    fn joined(
        &mut self,
        word: &'static str,
        join: Join,
        part: impl Fn(&mut Self) -> Result<Tree, NotationError>,
    ) -> Result<Tree, NotationError> {
        let start = self.skip();
        let mut tree = part(self)?;
        while self.take(&[word]).is_some() {
            truth(&tree, start)?;
            let at = self.skip();
            let next = part(self)?;
            truth(&next, at)?;
            tree = Tree::Joined(join, tree.into(), next.into());
        }
        Ok(tree)
    }

    fn one(&mut self) -> Result<Tree, NotationError> {
        if self.take(&["not"]).is_some() {
            let at = self.skip();
            let inner = self.deeper(Self::one)?;
            truth(&inner, at)?;
            return Ok(Tree::Not(inner.into()));
        }
        let start = self.skip();
        let left = self.sum()?;
        let relation = match self.take(&["!=", "<=", ">=", "==", "=", "<", ">"]) {
            None => return Ok(left),
            Some("=" | "==") => Relation::Equal,
            Some("!=") => Relation::Unequal,
            Some("<") => Relation::Less,
            Some("<=") => Relation::AtMost,
            Some(">") => Relation::Greater,
            Some(_) => Relation::AtLeast,
        };
        datum(&left, start)?;
        let at = self.skip();
        let right = self.sum()?;
        datum(&right, at)?;
        Ok(Tree::Compared(relation, left.into(), right.into()))
    }

    fn sum(&mut self) -> Result<Tree, NotationError> {
        self.computed(&["+", "-", "xor"], |reader| reader.computed(&["*", "/", "%"], Self::atom))
    }

    fn computed(
        &mut self,
        operators: &[&'static str],
        part: impl Fn(&mut Self) -> Result<Tree, NotationError>,
    ) -> Result<Tree, NotationError> {
        let start = self.skip();
        let mut tree = part(self)?;
        while let Some(operator) = self.take(operators) {
            datum(&tree, start)?;
            let at = self.skip();
            let next = part(self)?;
            datum(&next, at)?;
            let operator = operator.chars().next().unwrap_or('+');
            tree = Tree::Computed(operator, tree.into(), next.into());
        }
        Ok(tree)
    }

    fn atom(&mut self) -> Result<Tree, NotationError> {
        let at = self.skip();
        let rest = &self.text[at..];
        if self.take(&["("]).is_some() {
            let inner = self.deeper(Self::any)?;
            if self.take(&[")"]).is_none() {
                return Err(NotationError::at(self.skip(), "expected `)`"));
            }
            return Ok(inner);
        }
        if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '\'' | '"')) {
            let inside = &rest[1..];
            let end = inside
                .find(quote)
                .ok_or_else(|| NotationError::at(at, "this quote is not closed"))?;
            self.at += end + 2;
            return Ok(Tree::Fact(Fact::Text(inside[..end].to_owned())));
        }
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let digits = digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let length = digits + usize::from(rest.starts_with('-'));
            self.at += length;
            let number = rest[..length].parse().map_err(|_| {
                NotationError::at(at, "this number is too large: expected one below 2^127")
            })?;
            return Ok(Tree::Fact(Fact::Number(number)));
        }
        if rest.starts_with('∞') {
            self.at += '∞'.len_utf8();
            return Ok(Tree::Fact(Fact::Kind("oo")));
        }
        self.word(at)
    }

    /// A name, a letter, or a value.
    fn word(&mut self, at: usize) -> Result<Tree, NotationError> {
        let rest = &self.text[at..];
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if rest.starts_with("full-moon") {
            end = "full-moon".len();
        }
        let word = &rest[..end];
        if let Some(name) = self.names.iter().find(|name| **name == word) {
            self.at += end;
            return Ok(Tree::Name((*name).to_owned()));
        }
        if LETTERS.contains(&word) {
            self.at += end;
            return Ok(Tree::Fact(Fact::Text(word.to_owned())));
        }
        if let Some(kind) = KINDS.into_iter().find(|kind| *kind == word) {
            self.at += end;
            if !rest[end..].starts_with('{') {
                return Ok(Tree::Fact(Fact::Kind(kind)));
            }
            let close = rest[end..]
                .find('}')
                .ok_or_else(|| NotationError::at(at + end, "this brace is not closed"))?;
            let text = &rest[..=end + close];
            self.at += close + 1;
            return Ok(Tree::Fact(Fact::Text(text.to_owned())));
        }
        if word.is_empty() {
            let found = rest.chars().next().map_or("the end".to_owned(), |c| format!("`{c}`"));
            let message = format!("expected a name, a number or a value, found {found}");
            return Err(NotationError::at(at, message));
        }
        let near = nearest(self.names.iter().copied(), word);
        let advice = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("expected one of {}", self.names.join(", ")),
        };
        Err(NotationError::at(at, format!("there is no `{word}` here; {advice}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["n", "value", "outcome", "remoteness", "position"];

    fn holds(text: &str) -> bool {
        let condition = Condition::read(text, &NAMES).unwrap_or_else(|e| panic!("{text}: {e}"));
        condition.holds(&|name| match name {
            "n" => Fact::Number(6),
            "value" => Fact::Value("moon{0,2}".into(), None),
            "outcome" => Fact::Text("N".into()),
            "remoteness" => Fact::Infinite,
            _ => Fact::Unknown,
        })
    }

    fn error(text: &str) -> (usize, String) {
        let error = Condition::read(text, &NAMES).unwrap_err();
        (error.at, error.message)
    }

    #[test]
    fn comparisons_say_what_they_say() {
        for text in [
            "n = 6",
            "n != 5",
            "n >= 6 and n <= 6",
            "n % 4 = 2",
            "n / 4 = 1",
            "n xor 3 = 5",
            "n - 2 * 3 = 0",
            "(n - 2) * 3 = 12",
            "-1 < n",
            "value = moon",
            "value = moon{0,2}",
            "value = 'moon{0, 2}'",
            "value != moon{0}",
            "value != oo",
            "value != 3",
            "outcome = N",
            "not outcome = P",
            "remoteness > 5",
            "remoteness = oo",
            "remoteness = ∞",
            "n = 5 or n = 6 and outcome = N",
            "not (n = 6 and outcome = P)",
        ] {
            assert!(holds(text), "{text}");
        }
        for text in [
            "n = 7",
            "value = ninny",
            "value > 0",
            "value < 9",
            "value = 0",
            "remoteness < 100",
            "position = 'x'",
            "position != 'x'",
            "n / 0 = n / 0",
            "(n = 5 or n = 6) and n = 7",
            "value = full-moon",
            "value = value + 1",
        ] {
            assert!(!holds(text), "{text}");
        }
    }

    #[test]
    fn mistakes_are_pointed_at() {
        assert_eq!(error("").0, 0);
        assert_eq!(error("n").0, 0);
        assert_eq!(error("n = 5 and outcme = P").0, 10);
        assert!(error("n = 5 and outcme = P").1.contains("did you mean `outcome`?"));
        assert_eq!(error("n = ").0, 4);
        assert_eq!(error("n = 5 outcome = P").0, 6);
        assert_eq!(error("(n = 5").0, 6);
        assert_eq!(error("n = 5 and 3").0, 10);
        assert_eq!(error("(n = 5) + 1 = 2").0, 0);
        assert_eq!(error("value = moon{0").0, 12);
        assert_eq!(error("position = 'a").0, 11);
        assert_eq!(error("n = 99999999999999999999999999999999999999999").0, 4);
        assert!(error(&"(".repeat(1000)).1.contains("at most 100"));
        assert!(error(&"not ".repeat(1000)).1.contains("at most 100"));
        assert_eq!(error("n = é").0, 4);
    }
}
