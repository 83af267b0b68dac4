//! Questions about unicycles, and their answers as JSON.

use nimoon::limits::Limit;
use nimoon::partizan::notation::{EvaluateError, Expression};
use nimoon::partizan::unicycle::{Pattern, Search, SearchError, Unicycle, construct};
use nimoon::{
    Interrupted, Work,
    partizan::{Stopper, Stoppers},
};
use nimoon_formats::write::json::is_false;
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

/// Why a question about unicycles has no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnicycleError {
    /// The games to choose exits from are wrong.
    #[error("{message}")]
    Exits {
        /// What is wrong, and where.
        message: String,
    },
    /// The engine contradicts itself.
    #[error("{0}")]
    Bug(String),
}

/// What is asked of each pattern.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnicycleOptions {
    /// Whether all assignments of exits are counted.
    pub count: bool,
    /// Whether they are listed, and how many at most.
    pub all: Option<usize>,
    /// Whether a unicycle is built that every admissible pattern has, without a search.
    pub construct: bool,
}

/// One who answers questions about unicycles.
///
/// ```
/// use nimoon::Limits;
/// use nimoon::Work;
/// use nimoon_session::unicycle::{UnicycleOptions, Unicycles};
/// let options = UnicycleOptions::default();
/// let mut unicycles = Unicycles::new("0,*", options, Work::new(Limits::new(1_000_000))).unwrap();
/// let answer = unicycles.answer(&"LLRR".parse().unwrap()).unwrap();
/// assert_eq!(answer.exits.unwrap().len(), 4);
/// ```
pub struct Unicycles {
    options: UnicycleOptions,
    stoppers: Stoppers,
    exits: Vec<Stopper>,
    work: Work,
    /// What ended the reading of the exits, if they are not all here.
    interrupted: Option<Interrupted>,
}

/// What is known about a pattern.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Unicycle")]
pub struct UnicycleAnswer {
    /// The pattern.
    pub pattern: String,
    /// Whether it has a unicycle at all.
    pub admissible: bool,
    /// Why it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Those of the first unicycle that was found.
    pub exits: Option<Vec<String>>,
    /// How many there are, where they are counted or listed; only those that were found if the
    /// search is not exhaustive.
    pub count: Option<u64>,
    /// Whether the search was brought to its end; not where a limit was hit before, or where
    /// nothing was searched.
    pub exhaustive: bool,
    /// The assignments, where they are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<Vec<Vec<String>>>,
    /// What ended the search, or kept it from being begun.
    #[serde(skip)]
    pub interrupted: Option<Interrupted>,
    /// Whether there are more than were to be listed.
    #[serde(skip_serializing_if = "is_false")]
    pub truncated: bool,
}

impl UnicycleAnswer {
    /// What is known before anything was searched.
    fn nothing(pattern: &Pattern) -> Self {
        let refused = pattern.admissible().err();
        Self {
            pattern: pattern.to_string(),
            admissible: refused.is_none(),
            reason: refused.map(|reason| reason.to_string()),
            exits: None,
            count: None,
            exhaustive: false,
            all: None,
            interrupted: None,
            truncated: false,
        }
    }
}

impl Unicycles {
    /// Reads the exits to choose from: games separated by commas, each of which must equal a
    /// stopper. Where the time is over or somebody asks to stop before, the answers say so.
    ///
    /// # Errors
    /// When one is none.
    pub fn new(exits: &str, options: UnicycleOptions, work: Work) -> Result<Self, UnicycleError> {
        let mut stoppers = Stoppers::new();
        let (exits, interrupted) = match read_exits(exits, &mut stoppers, &work) {
            Ok(exits) => (exits, None),
            Err(Stop::Interrupted(interrupted)) => (Vec::new(), Some(interrupted)),
            Err(Stop::Failure(failure)) => return Err(failure),
        };
        Ok(Self { options, stoppers, exits, work, interrupted })
    }

    /// The answer for a pattern. If the work is interrupted, the answer says so.
    ///
    /// # Errors
    /// When the exits cannot be searched.
    pub fn answer(&mut self, pattern: &Pattern) -> Result<UnicycleAnswer, UnicycleError> {
        let counts = self.options.count || self.options.all.is_some();
        let mut answer = UnicycleAnswer::nothing(pattern);
        answer.count = counts.then_some(0);
        answer.all = self.options.all.map(|_| Vec::new());
        // That a pattern has no unicycle is known without a search.
        answer.exhaustive = !(answer.admissible && self.options.construct);
        if answer.admissible {
            let done = if self.options.construct {
                self.construct(pattern, &mut answer)
            } else {
                self.search(pattern, &mut answer)
            };
            match done {
                Ok(()) => {}
                Err(Stop::Interrupted(interrupted)) => {
                    answer.exhaustive = false;
                    answer.interrupted = Some(interrupted);
                }
                Err(Stop::Failure(failure)) => return Err(failure),
            }
        }
        Ok(answer)
    }

    /// The same for several patterns. After an interruption, the answers include the remaining
    /// patterns without a search.
    ///
    /// ```
    /// use nimoon::Limits;
    /// use nimoon::Work;
    /// use nimoon::partizan::unicycle::Pattern;
    /// use nimoon_session::unicycle::{UnicycleOptions, Unicycles};
    /// let options = UnicycleOptions::default();
    /// let mut unicycles = Unicycles::new("0,*,*2", options, Work::new(Limits::new(3))).unwrap();
    /// let patterns = ["LLLRR", "LLRLR"].map(|text| text.parse::<Pattern>().unwrap());
    /// let answers = unicycles.answer_all(&patterns).unwrap();
    /// assert!(answers.iter().all(|answer| answer.admissible && !answer.exhaustive));
    /// ```
    ///
    /// # Errors
    /// When the exits cannot be searched.
    pub fn answer_all(
        &mut self,
        patterns: &[Pattern],
    ) -> Result<Vec<UnicycleAnswer>, UnicycleError> {
        let mut interrupted = None;
        let mut answers = Vec::new();
        for pattern in patterns {
            let answer = match interrupted {
                None => self.answer(pattern)?,
                Some(_) => UnicycleAnswer { interrupted, ..UnicycleAnswer::nothing(pattern) },
            };
            interrupted = answer.interrupted;
            answers.push(answer);
        }
        Ok(answers)
    }

    fn construct(&mut self, pattern: &Pattern, answer: &mut UnicycleAnswer) -> Result<(), Stop> {
        let unicycle = construct(pattern, &mut self.stoppers)
            .map_err(|reason| UnicycleError::Bug(format!("{pattern}: {reason}")))?;
        answer.exits = Some(self.checked(&unicycle)?);
        Ok(())
    }

    fn search(&mut self, pattern: &Pattern, answer: &mut UnicycleAnswer) -> Result<(), Stop> {
        self.interrupted.map_or(Ok(()), Err)?;
        let search = Search::new(pattern, &self.exits, &mut self.stoppers, &mut self.work);
        let mut search = search.map_err(|error| match error {
            SearchError::Interrupted(interrupted) => interrupted.into(),
            error => Stop::Failure(UnicycleError::Exits { message: error.to_string() }),
        })?;
        while let Some(unicycle) = search.next(&mut self.work)? {
            let exits = self.checked(&unicycle)?;
            if let Some(all) = &mut answer.all {
                if all.len() < self.options.all.unwrap_or_default() {
                    all.push(exits.clone());
                } else {
                    answer.truncated = true;
                }
            }
            answer.exits.get_or_insert(exits);
            match &mut answer.count {
                Some(count) => *count += 1,
                None => break,
            }
        }
        Ok(())
    }

    /// The exits in words, once the engine has found the graph to be its own canonical form.
    fn checked(&mut self, unicycle: &Unicycle) -> Result<Vec<String>, Stop> {
        // What the engine learns about one unicycle is of no use for the next.
        let mut stoppers = self.stoppers.clone();
        let words: Vec<String> = unicycle.exits().iter().map(|&exit| stoppers.text(exit)).collect();
        if unicycle.is_canonical(&mut stoppers, &mut self.work)? {
            return Ok(words);
        }
        Err(Stop::Failure(UnicycleError::Bug(format!(
            "the exits {} of {} are not in graph-canonical form: please report this",
            words.join(","),
            unicycle.pattern()
        ))))
    }
}

/// Why a question was not answered in full.
enum Stop {
    Interrupted(Interrupted),
    Failure(UnicycleError),
}

impl From<Interrupted> for Stop {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

impl From<UnicycleError> for Stop {
    fn from(failure: UnicycleError) -> Self {
        Self::Failure(failure)
    }
}

/// Reads a list of games, each of which must equal a stopper. Commas within brackets belong to a
/// game.
fn read_exits(text: &str, stoppers: &mut Stoppers, work: &Work) -> Result<Vec<Stopper>, Stop> {
    // The positions of the budget are for the search; what is typed must be small.
    let mut work = work.child(work.limits().positions(10_000_000));
    let wrong = |at: usize, message: &str| {
        let column = text[..at].chars().count() + 1;
        UnicycleError::Exits { message: format!("1:{column}: {message}") }
    };
    let mut list = Vec::new();
    let mut depth = 0_usize;
    let items = text.split(|c: char| {
        depth = match c {
            '{' | '(' | '[' | '<' => depth + 1,
            '}' | ')' | ']' | '>' => depth.saturating_sub(1),
            _ => depth,
        };
        c == ',' && depth == 0
    });
    let mut start = 0;
    for item in items {
        let game = item.parse::<Expression>().map_err(EvaluateError::from);
        let game = game.and_then(|expression| expression.evaluate(stoppers, &mut work));
        let game = game.map_err(|error| match error {
            EvaluateError::Notation(error) => wrong(start + error.at, &error.message).into(),
            EvaluateError::Interrupted(interrupted) => match interrupted.limit() {
                Some(Limit::Positions | Limit::Bytes) => {
                    wrong(start, "this game is too large").into()
                }
                Some(Limit::Time) | None => Stop::Interrupted(interrupted),
            },
            error => wrong(start, &error.to_string()).into(),
        })?;
        let message = "expected a loopfree game such as `0`, `*2`, `-1` or `{0|-6}`";
        list.push(game.sides().stopper().ok_or_else(|| wrong(start, message))?);
        start += item.len() + 1;
    }
    Ok(list)
}
