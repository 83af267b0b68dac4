//! Families of positions: a pattern, and what goes into it.
//!
//! ```text
//!   nim:{}            0..20               one number, called n
//!   wythoff:{a},{b}   a=0..50 b=0..50     several, by their names
//!   octal[{c}]:10     c=0.7,0.77,0.156    a list
//!   green-lime:{w}    w=words(gl,1..4)    all words over an alphabet
//! ```
//!
//! Rows are counted from the first one, the last parameter fastest. Where there is one number alone, the
//! number is that of the row.

use std::str::FromStr;

use nimoon::{AnyValue, NotationError};
use nimoon_formats::write::{Family, ParameterValue};

use crate::condition::{Condition, Fact};
use crate::report::value_fact;

use super::{MOST_ROWS, Range, TableError};

/// A parameter of a family, and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    name: String,
    values: Values,
}

/// What a parameter goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Values {
    Numbers(Range),
    List(Vec<String>),
    Words { alphabet: Vec<char>, shortest: u32, longest: u32 },
}

/// The name of a number without one.
pub(super) const USUAL_NAME: &str = "n";

/// Names that rows have for other things.
const TAKEN: [&str; 6] = ["position", "value", "text", "outcome", "left_first", "right_first"];

impl Parameter {
    /// All values in order, as texts.
    ///
    /// ```
    /// use nimoon_session::table::Parameter;
    /// let parameter: Parameter = "w=words(xy,1..2)".parse().unwrap();
    /// let words: Vec<String> = parameter.texts().collect();
    /// assert_eq!(words, ["x", "y", "xx", "xy", "yx", "yy"]);
    /// ```
    pub fn texts(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.len()).map(|place| self.value(place).to_string())
    }

    /// How many values there are.
    fn len(&self) -> u64 {
        match &self.values {
            Values::Numbers(range) => range.last - range.first + 1,
            Values::List(list) => list.len() as u64,
            Values::Words { alphabet, shortest, longest } => (*shortest..=*longest)
                .map(|length| (alphabet.len() as u64).saturating_pow(length))
                .fold(0, u64::saturating_add),
        }
    }

    fn value(&self, place: u64) -> ParameterValue {
        match &self.values {
            Values::Numbers(range) => ParameterValue::Number(range.first + place),
            Values::List(list) => {
                let text = list.get(place as usize).cloned().unwrap_or_default();
                let is_plain = text == "0" || !text.starts_with('0');
                match text.parse() {
                    Ok(number) if is_plain && !text.starts_with('+') => {
                        ParameterValue::Number(number)
                    }
                    _ => ParameterValue::Text(text),
                }
            }
            Values::Words { alphabet, shortest, longest } => {
                let (mut left, letters) = (place, alphabet.len() as u64);
                let mut length = *shortest;
                while length < *longest && left >= letters.saturating_pow(length) {
                    left -= letters.saturating_pow(length);
                    length += 1;
                }
                let mut word = vec![' '; length as usize];
                for letter in word.iter_mut().rev() {
                    *letter = alphabet[(left % letters) as usize];
                    left /= letters;
                }
                ParameterValue::Text(word.into_iter().collect())
            }
        }
    }
}

impl FromStr for Parameter {
    type Err = TableError;

    /// Reads `a=0..50`, `a=1,3,5`, `a=words(gl,1..4)`, or a range alone, which is that of `n`.
    fn from_str(text: &str) -> Result<Self, TableError> {
        let (name, values) = match text.split_once('=') {
            Some((name, values)) => (name.trim(), values.trim()),
            None => (USUAL_NAME, text.trim()),
        };
        let wrong = |message: &str| {
            Err(TableError::BadParameter { text: text.to_owned(), message: message.to_owned() })
        };
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return wrong("a name begins with a small letter, as in a=0..50");
        }
        if TAKEN.contains(&name) {
            return wrong("rows have this name for something else: take another one");
        }
        let name = name.to_owned();
        if let Some(inside) = values.strip_prefix("words(").and_then(|v| v.strip_suffix(')')) {
            let Some(values) = words(inside) else {
                return wrong("expected an alphabet and lengths, as in words(gl,1..4)");
            };
            return Ok(Self { name, values });
        }
        if values.is_empty() {
            return wrong("expected values after the `=`, as in a=0..50");
        }
        if !text.contains('=') || values.contains("..") && !values.contains(',') {
            return Ok(Self { name, values: Values::Numbers(values.parse()?) });
        }
        let list = values.split(',').map(|value| value.trim().to_owned()).collect();
        Ok(Self { name, values: Values::List(list) })
    }
}

/// Reads `gl,1..4` or `gl,4`.
fn words(text: &str) -> Option<Values> {
    /// Longer words make too many rows even over two letters.
    const LONGEST: u64 = 64;
    let (letters, lengths) = text.rsplit_once(',')?;
    let mut alphabet: Vec<char> = letters.trim().chars().collect();
    let all = alphabet.len();
    alphabet.sort_unstable();
    alphabet.dedup();
    let lengths = lengths.trim();
    let Range { first, last } = match lengths.parse::<u64>() {
        Ok(last) => Range { first: 1.min(last), last },
        Err(_) => lengths.parse().ok()?,
    };
    if alphabet.is_empty() || alphabet.len() < all || last > LONGEST {
        return None;
    }
    // In the order in which they were given.
    let alphabet = letters.trim().chars().collect();
    Some(Values::Words { alphabet, shortest: first as u32, longest: last as u32 })
}

/// Positions with a place for each parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    /// None where `{}` stands for the number of the row.
    parameters: Vec<Parameter>,
}

impl FromStr for Pattern {
    type Err = TableError;

    /// Reads a pattern with one number, or a ruleset, of which it makes `ruleset:{}`.
    ///
    /// ```
    /// use nimoon_session::table::Pattern;
    /// assert_eq!("octal[0.77]".parse::<Pattern>().unwrap().row(5), "octal[0.77]:5");
    /// assert_eq!("wythoff:3,{}".parse::<Pattern>().unwrap().row(5), "wythoff:3,5");
    /// assert!("wythoff:3,5".parse::<Pattern>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, TableError> {
        let text = text.trim();
        let text = if text.contains("{}") {
            text.to_owned()
        } else if crate::expression::has_position(text) {
            return Err(TableError::NoNumber { text: text.to_owned() });
        } else {
            format!("{text}:{{}}")
        };
        Ok(Self { text, parameters: Vec::new() })
    }
}

impl Pattern {
    /// Reads a pattern with what its parameters go through, separated by blanks, and gives the numbers of its rows.
    ///
    /// ```
    /// use nimoon_session::table::{Pattern, Range};
    /// let (pattern, rows) = Pattern::with("wythoff:{a},{b}", "a=0..5 b=0..5").unwrap();
    /// assert_eq!(rows, Range { first: 0, last: 35 });
    /// assert_eq!(pattern.row(7), "wythoff:1,1");
    /// let (pattern, rows) = Pattern::with("nim", "3..5").unwrap();
    /// assert_eq!((pattern.row(3), rows.last), ("nim:3".to_owned(), 5));
    /// let (pattern, rows) = Pattern::with("green-lime:{w}", "w=words(gl,1..2)").unwrap();
    /// assert_eq!((pattern.row(2), rows.last), ("green-lime:gg".to_owned(), 5));
    /// ```
    ///
    /// # Errors
    /// When a parameter is wrong, missing, or not used.
    pub fn with(text: &str, parameters: &str) -> Result<(Self, Range), TableError> {
        let given: Vec<&str> = parameters.split_whitespace().collect();
        if let [only] = given[..]
            && !only.contains('=')
        {
            return Ok((text.parse()?, only.parse()?));
        }
        let parameters: Vec<Parameter> =
            given.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        let pattern = Self::of_parameters(text.trim(), parameters)?;
        let rows = pattern.parameters.iter().map(Parameter::len).fold(1, u64::saturating_mul);
        if rows > MOST_ROWS {
            return Err(TableError::TooManyRows { text: given.join(" ") });
        }
        Ok((pattern, Range { first: 0, last: rows.max(1) - 1 }))
    }

    fn of_parameters(text: &str, parameters: Vec<Parameter>) -> Result<Self, TableError> {
        let wrong = |message: String| TableError::BadPattern { text: text.to_owned(), message };
        if parameters.is_empty() {
            return Err(wrong("expected what its parameters go through, as in 0..20".to_owned()));
        }
        for (place, parameter) in parameters.iter().enumerate() {
            let name = &parameter.name;
            if parameters[..place].iter().any(|other| other.name == *name) {
                return Err(wrong(format!("the parameter {name} is given twice")));
            }
            let unnamed = *name == USUAL_NAME && text.contains("{}");
            if !unnamed && !text.contains(&format!("{{{name}}}")) {
                return Err(wrong(format!("it has no {{{name}}} where the parameter goes")));
            }
        }
        for name in named(text) {
            let name = if name.is_empty() { USUAL_NAME } else { name };
            if !parameters.iter().any(|parameter| parameter.name == name) {
                let message = format!("nothing is given for {name}: add {name}=0..20");
                return Err(wrong(message));
            }
        }
        Ok(Self { text: text.to_owned(), parameters })
    }

    /// The text, with its places for parameters.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The position with this number.
    pub fn row(&self, number: u64) -> String {
        if self.parameters.is_empty() {
            return self.text.replace("{}", &number.to_string());
        }
        let mut text = self.text.clone();
        for (parameter, value) in self.parameters.iter().zip(self.values(number)) {
            let value = value.to_string();
            text = text.replace(&format!("{{{}}}", parameter.name), &value);
            if parameter.name == USUAL_NAME {
                text = text.replace("{}", &value);
            }
        }
        text
    }

    /// Which rows these are: different for different families.
    pub fn key(&self) -> String {
        if self.parameters.is_empty() {
            return self.text.clone();
        }
        format!("{} {:?}", self.text, self.parameters)
    }

    /// The names of the parameters.
    pub fn names(&self) -> Vec<&str> {
        if self.parameters.is_empty() {
            return vec![USUAL_NAME];
        }
        self.parameters.iter().map(|parameter| &*parameter.name).collect()
    }

    /// How many values each parameter has, if it has several, in the order of the names.
    pub fn lengths(&self) -> Vec<u64> {
        self.parameters.iter().map(Parameter::len).collect()
    }

    /// The values of the parameters in this row.
    pub fn values(&self, number: u64) -> Vec<ParameterValue> {
        if self.parameters.is_empty() {
            return vec![ParameterValue::Number(number)];
        }
        let mut left = number;
        let mut values: Vec<ParameterValue> = Vec::with_capacity(self.parameters.len());
        for parameter in self.parameters.iter().rev() {
            let length = parameter.len().max(1);
            values.push(parameter.value(left % length));
            left /= length;
        }
        values.reverse();
        values
    }

    /// Whether the positions are of one of these rulesets.
    pub(super) fn is_of(&self, rulesets: &[String]) -> bool {
        let name = self.text.split([':', '[']).next().unwrap_or_default();
        rulesets.iter().any(|ruleset| ruleset == name)
    }

    /// Whether the number alone is the position.
    pub(super) fn is_heap(&self) -> bool {
        self.parameters.is_empty()
            && self.text.strip_suffix(":{}").is_some_and(|ruleset| !ruleset.contains("{}"))
    }
}

impl Family for Pattern {
    fn text(&self) -> &str {
        self.as_str()
    }

    fn position(&self, number: u64) -> String {
        self.row(number)
    }

    fn names(&self) -> Vec<&str> {
        self.names()
    }

    fn values(&self, number: u64) -> Vec<ParameterValue> {
        self.values(number)
    }
}

/// What conditions on the rows of a table can ask for, beside the parameters.
const FACTS: [&str; 5] = ["position", "value", "outcome", "left_first", "right_first"];

impl Pattern {
    /// Reads a condition on rows: on their parameters, `position`, `value` and `outcome`; for
    /// partizan games also `left_first` and `right_first`.
    ///
    /// # Errors
    /// When the text is not a condition, with the place.
    pub fn condition(&self, text: &str) -> Result<Condition, NotationError> {
        let names: Vec<&str> = self.names().into_iter().chain(FACTS).collect();
        Condition::read(text, &names)
    }

    /// Whether a row with this value satisfies a condition.
    pub fn holds(&self, condition: &Condition, number: u64, value: Option<&AnyValue>) -> bool {
        condition.holds(&|name| match name {
            "position" => Fact::Text(self.row(number)),
            "value" => value_fact(value),
            "outcome" => value
                .and_then(AnyValue::outcome)
                .map_or(Fact::Unknown, |outcome| Fact::Text(outcome.to_string())),
            // These are for partizan games; a parameter may not have their names.
            "left_first" | "right_first" => Fact::Unknown,
            name => self.fact(name, number),
        })
    }

    /// The value of a parameter in a row, for a condition.
    pub(super) fn fact(&self, name: &str, number: u64) -> Fact {
        let place = self.names().iter().position(|other| *other == name);
        match place.and_then(|place| self.values(number).into_iter().nth(place)) {
            Some(ParameterValue::Number(number)) => Fact::Number(number.into()),
            Some(ParameterValue::Text(text)) => Fact::Text(text),
            None => Fact::Unknown,
        }
    }
}

/// The names in braces; empty for `{}`. Braces of values such as `moon{0}` hold no name.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| {
        let (name, _) = rest.split_once('}')?;
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit());
        is_name.then_some(name)
    })
}
