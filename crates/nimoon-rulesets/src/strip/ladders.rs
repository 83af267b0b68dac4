//! ADDERS-AND-LADDERS: advance a token to the goal, up ladders and down adders.
//!
//! A token stands on one of the squares 0 … n; n is the goal. A move advances it by one of the
//! listed steps, never past the goal. A token that lands on the start of a ladder or an adder is
//! carried to its other end, and on from there if that is a start too: so no token ever stands on a
//! start. Carries that lead round in a circle are refused. Adders lead back, so that play can go
//! round in circles. A player who cannot move loses; no player can move on the goal.
//!
//! ```text
//! {"goal": 9, "steps": [1, 2], "carries": [[3, 7], [8, 2]]}
//!
//! 0  1  2  3   4  5  6  7  8   9
//! ·  ·  ■  →7  ·  ·  ·  ·  →2  ·     by 1 to 3 and up to 7, or by 2 to 4
//! ```
//!
//! No theorem is used: the engine labels the squares.
//!
//! ## References
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapter 12 (Adders-and-Ladders);
//! C. A. B. Smith, *Graphs and composite games* (1966), for values in the presence of cycles.

use std::collections::{HashMap, HashSet};
use std::fmt;

use nimoon::{
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::row;
use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Advance a token by one of the listed steps, up ladders and down adders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladders {
    /// The name of the file.
    file: String,
    goal: u64,
    /// In the order given; none is zero, none occurs twice.
    steps: Vec<u64>,
    /// From the start of a ladder or adder to where the token comes to rest.
    carries: HashMap<u64, u64>,
}

/// A file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    goal: u64,
    steps: Vec<u64>,
    #[serde(default)]
    carries: Vec<[u64; 2]>,
}

impl Ladders {
    /// Reads the contents of a file, which is named only to be named in expressions.
    ///
    /// # Errors
    /// When the file is not JSON of the form above, a step is zero or given twice, a ladder or adder is not
    /// on the board, two begin on one square or one on the goal, carries lead round in a circle, or the
    /// board is too large. The message has the line and the column.
    pub fn new(file: &str, contents: &[u8]) -> Result<Self, NotationError> {
        let read = serde_json::from_slice(contents);
        let built = read.and_then(|read| {
            Self::build(file, read).map_err(|complaint| complaint.with_place(contents))
        });
        built.map_err(|error| NotationError::at(0, format!("{file}:{}", with_place(&error))))
    }

    fn build(file: &str, contents: Contents) -> Result<Self, Complaint> {
        let Contents { goal, mut steps, carries: listed } = contents;
        row::check_size(goal).map_err(|message| Complaint::about("goal", None, message))?;
        let mut seen = HashSet::with_capacity(steps.len());
        for (number, &step) in steps.iter().enumerate() {
            let complaint = |message| Complaint::about("steps", Some(number), message);
            if step == 0 {
                return Err(complaint("a step of 0 does not move the token".into()));
            }
            if !seen.insert(step) {
                return Err(complaint(format!("the step {step} is there twice")));
            }
        }
        let mut carries = HashMap::new();
        for (number, &[start, end]) in listed.iter().enumerate() {
            let complaint = |message| Err(Complaint::about("carries", Some(number), message));
            if let Some(off) = [start, end].into_iter().find(|&square| square > goal) {
                return complaint(format!(
                    "the carry [{start},{end}]: {off} is past the goal {goal}"
                ));
            }
            if start == goal {
                return complaint(format!("the carry [{start},{end}] begins on the goal"));
            }
            if let Some(other) = carries.insert(start, end) {
                return complaint(format!("two carries begin on {start}: to {other} and to {end}"));
            }
        }
        let carries = at_rest(&carries).map_err(|at| {
            let message = format!("carries lead round in a circle, from {at} back to {at}");
            Complaint::about("carries", listed.iter().position(|&[start, _]| start == at), message)
        })?;
        // Steps past every goal are never taken.
        steps.retain(|&step| step <= goal);
        Ok(Self { file: file.to_owned(), goal, steps, carries })
    }

    /// What can be done: the square stepped on, and where the token comes to rest.
    fn landings(&self, square: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        let reached = self.steps.iter().map(move |step| square + step);
        reached
            .filter(|&to| to <= self.goal)
            .map(|to| (to, self.carries.get(&to).copied().unwrap_or(to)))
    }
}

/// An error in JSON with its line and column in front, where all other errors have them.
fn with_place(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let behind = format!(" at line {line} column {column}");
    // At the start of a line, and in an empty file, columns are counted from 0.
    format!("{line}:{}: {}", column.max(1), message.strip_suffix(&behind).unwrap_or(&message))
}

/// What makes no sense in a file that is JSON of the right form: an entry, or one of its list, and why.
///
/// Its position is found by reading the file again up to there, since JSON is read into numbers without
/// their positions.
#[derive(Clone, Copy)]
struct Complaint<M = String> {
    /// None once its value is being read.
    entry: Option<&'static str>,
    /// None where it is about the whole value.
    number: Option<usize>,
    message: M,
}

impl Complaint {
    fn about(entry: &'static str, number: Option<usize>, message: String) -> Self {
        Self { entry: Some(entry), number, message }
    }

    fn with_place(&self, contents: &[u8]) -> serde_json::Error {
        let seed = Complaint { entry: self.entry, number: self.number, message: &*self.message };
        let read = seed.deserialize(&mut serde_json::Deserializer::from_slice(contents));
        read.err().unwrap_or_else(|| serde_json::Error::custom(&self.message))
    }
}

impl<'de> DeserializeSeed<'de> for Complaint<&str> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Complaint<&str> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("what was read before")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while let Some(entry) = entries.next_key::<String>()? {
            if self.entry == Some(&*entry) {
                entries.next_value_seed(Self { entry: None, ..self })?;
            } else {
                entries.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        // A file may also be a list of its three values, which is then wrong as a whole.
        let Some(number) = self.number.filter(|_| self.entry.is_none()) else {
            return Err(A::Error::custom(self.message));
        };
        for _ in 0..number {
            list.next_element::<IgnoredAny>()?;
        }
        list.next_element_seed(Self { number: None, ..self }).map(|_| ())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Err(E::custom(self.message))
    }
}

/// Follows each carry to where the token comes to rest.
///
/// # Errors
/// When some lead round in a circle: the start of one of these.
fn at_rest(carries: &HashMap<u64, u64>) -> Result<HashMap<u64, u64>, u64> {
    let mut rest: HashMap<u64, u64> = HashMap::with_capacity(carries.len());
    // In order, so that the message is always the same.
    let mut starts: Vec<_> = carries.keys().copied().collect();
    starts.sort_unstable();
    for start in starts {
        let mut way = HashSet::new();
        let mut at = start;
        while let Some(&end) = rest.get(&at).or_else(|| carries.get(&at)) {
            if !way.insert(at) {
                return Err(at);
            }
            at = end;
        }
        rest.extend(way.into_iter().map(|square| (square, at)));
    }
    Ok(rest)
}

impl Ruleset for Ladders {
    type Position = u64;

    fn name(&self) -> String {
        format!("ladders[{}]", self.file)
    }

    fn options(&self, square: &u64) -> impl Iterator<Item = Move<u64>> {
        self.landings(*square).map(|(_, rest)| Move::to(rest))
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        Scanner::whole(text, |scanner| {
            let square = scanner.number("the square of the token")?;
            row::check_square(square, self.goal)?;
            match self.carries.get(&square) {
                None => Ok(square),
                Some(rest) => Err(NotationError::vacant(
                    0,
                    format!("no token stands on {square}: it is carried to {rest} at once"),
                )),
            }
        })
    }

    fn write(&self, square: &u64) -> String {
        square.to_string()
    }
}

impl Notation for Ladders {
    fn words(&self, square: &u64, number: usize, _option: &Move<u64>) -> String {
        let Some((to, rest)) = self.landings(*square).nth(number) else { return String::new() };
        let step = to - square;
        match rest {
            _ if rest == to => format!("advance the token by {step}, to {to}"),
            _ if rest > to => format!("advance the token by {step} to {to}, and up to {rest}"),
            _ => format!("advance the token by {step} to {to}, and down to {rest}"),
        }
    }

    fn board(&self, square: &u64) -> String {
        row::draw(*square, self.goal, |other| {
            self.carries.get(&other).map_or_else(|| "·".to_owned(), |rest| format!("→{rest}"))
        })
    }
}

impl Shortcuts for Ladders {
    fn splits(&self) -> bool {
        false
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "ladders",
        board: Board::Strip,
        rules: "Advance the token by one of the listed steps, never past the goal. On the start of \
                a ladder or adder it is carried to the other end, and on from there if that is a \
                start too.",
        notation: "ladders[FILE]:SQUARE; in the file, as in \
                   {\"goal\":20,\"steps\":[1,2,3],\"carries\":[[4,9],[17,3]]}",
        example: "ladders[examples/rulesets/ladders.json]:16",
        value: "∞₁,₂",
        parameters: Parameters::File {
            holds: "the goal, the steps and the carries, as JSON",
            most: 1 << 24,
        },
        source: "Winning Ways, chapter 12",
        make: Make::Impartial(|given| {
            Ok(Box::new(Interned::new(Ladders::new(given.text, given.file)?)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strip::row::tests::{labelled, retrograde};

    fn ladders(contents: &str) -> Result<Ladders, String> {
        Ladders::new("f.json", contents.as_bytes()).map_err(|error| error.message)
    }

    #[test]
    fn values_agree_with_retrograde_analysis_beside_every_small_heap() {
        type Game = (u64, &'static [u64], &'static [[u64; 2]]);
        let games: [Game; 5] = [
            (20, &[1, 2, 3], &[[4, 9], [17, 3]]),
            (9, &[1, 2], &[[3, 7], [8, 2]]),
            (12, &[1, 4], &[[11, 0], [10, 1], [6, 2]]),
            (15, &[2, 3, 16], &[[14, 5], [13, 1], [5, 8], [12, 0]]),
            (0, &[], &[]),
        ];
        for (goal, steps, carries) in games {
            let game = format!(r#"{{"goal":{goal},"steps":{steps:?},"carries":{carries:?}}}"#);
            let ladders = ladders(&game).unwrap();
            let rest = |mut square: u64| {
                while let Some([_, end]) = carries.iter().find(|[start, _]| *start == square) {
                    square = *end;
                }
                square
            };
            let squares: Vec<_> = (0..=goal).filter(|&square| rest(square) == square).collect();
            let labelling = labelled(&ladders, &squares);
            let outcomes = retrograde(&squares, 5, |from| {
                let stepped = steps.iter().map(|step| from + step);
                stepped.filter(|&to| to <= goal).map(rest).collect()
            });
            for ((node, square), outcomes) in (0..).zip(&squares).zip(outcomes) {
                let value = labelling.value(node).unwrap();
                for (heap, outcome) in (0..).zip(outcomes) {
                    let heap = nimoon::AnyValue::CarryOn(nimoon::Value::Nimber(heap));
                    let sum = value.try_add(&heap).unwrap();
                    assert_eq!(sum.outcome(), Some(outcome), "{game}:{square} + {heap}");
                }
            }
        }
    }

    #[test]
    fn the_example_of_the_catalogue_has_the_value_it_says() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/rulesets/ladders.json");
        let ladders = Ladders::new(file, &std::fs::read(file).unwrap()).unwrap();
        let squares: Vec<_> = (0..=20).filter(|&square| square != 4 && square != 17).collect();
        let node = squares.iter().position(|&square| square == 16).unwrap();
        let value = labelled(&ladders, &squares).value(node as u32).unwrap();
        assert_eq!(value.to_string(), entry().value);
    }

    #[test]
    fn a_token_is_carried_on_and_on_and_stands_on_no_start() {
        let game = r#"{"goal":9,"steps":[1,2],"carries":[[3,7],[8,2],[7,8]]}"#;
        let ladders = ladders(game).unwrap();
        let options: Vec<_> = ladders.options(&2).map(|option| option.to).collect();
        assert_eq!(options, [2, 4]);
        assert_eq!(ladders.options(&9).count(), 0);
        assert_eq!(ladders.name(), "ladders[f.json]");
        let error = ladders.read("3").unwrap_err().message;
        assert_eq!(error, "no token stands on 3: it is carried to 2 at once");
        assert_eq!(ladders.read("10").unwrap_err().message, "the squares are 0 to 9, found 10");
        assert_eq!(ladders.read("9"), Ok(9));
        let words = |square, number| ladders.words(&square, number, &Move::to(0));
        assert_eq!(words(2, 0), "advance the token by 1 to 3, and down to 2");
        assert_eq!(words(2, 1), "advance the token by 2, to 4");
        let board = "0  1  2  3   4  5  6  7   8   9\n·  ·  ■  →2  ·  ·  ·  →2  →2  ·";
        assert_eq!(ladders.board(&2), board);
    }

    #[test]
    fn files_that_make_no_sense_are_refused_with_a_line_and_a_column() {
        let wrong = [
            (r#"{"goal":20,"steps":[1,-2]}"#, "f.json:1:24: "),
            (
                "{\"goal\":20,\n\"stairs\":[1]}",
                "f.json:2:8: unknown field `stairs`, expected one of",
            ),
            ("{\"goal\":20,\n\"steps\":[1}", "f.json:2:11: "),
            (r#"{"goal":20}"#, "f.json:1:11: missing field `steps`"),
            ("\u{feff}{}", "f.json:1:1: "),
            ("", "f.json:1:1: "),
            (
                r#"{"goal":10000001,"steps":[1]}"#,
                "f.json:1:16: the last square is at most 10000000",
            ),
            (r#"{"goal":9,"steps":[0]}"#, "f.json:1:20: a step of 0 does not move the token"),
            ("{\"goal\":9,\n\"steps\":[2,1,\n2]}", "f.json:3:1: the step 2 is there twice"),
            // The goal may come last.
            (
                r#"{"carries":[[3,4],[3,10]],"steps":[1],"goal":9}"#,
                "f.json:1:19: the carry [3,10]: 10 is past the goal 9",
            ),
            (
                r#"{"goal":9,"steps":[1],"carries":[[9,1]]}"#,
                "f.json:1:34: the carry [9,1] begins on the goal",
            ),
            (
                r#"{"goal":9,"steps":[1],"carries":[[3,1],[3,5]]}"#,
                "f.json:1:40: two carries begin on 3: to 1 and to 5",
            ),
            (
                r#"{"goal":9,"steps":[1],"carries":[[3,3]]}"#,
                "f.json:1:34: carries lead round in a circle, from 3 back to 3",
            ),
            (
                r#"{"goal":9,"steps":[1],"carries":[[5,1],[1,2],[2,5]]}"#,
                "f.json:1:40: carries lead round in a circle, from 1",
            ),
            ("[9,[1],[[3,10]]]", "f.json:1:1: the carry [3,10]: 10 is past the goal 9"),
        ];
        for (contents, message) in wrong {
            let error = ladders(contents).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
        assert!(ladders(r#"{"goal":9,"steps":[18446744073709551615,1]}"#).is_ok());
    }

    #[test]
    fn long_chains_of_carries_are_followed_once() {
        let carries: Vec<_> = (0..200_000).map(|i| format!("[{i},{}]", i + 1)).collect();
        let carries = carries.join(",");
        let game = format!(r#"{{"goal":300000,"steps":[1],"carries":[{carries}]}}"#);
        assert!(ladders(&game).unwrap().carries.values().all(|&rest| rest == 200_000));
    }
}
