//! The one place that answers.

use crate::ask::play::Games;
use crate::{Answer, Error, Question, Work};

/// Where questions come from, and so what they may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Door {
    /// The machine of the person who asks: expressions may name files, and answers have any size.
    #[default]
    Local,
    /// A network: files must come with the question, and tables, pictures and lists have a largest
    /// size.
    Network,
}

/// Answers questions. It keeps the positions of the latest games, so that only the first question
/// about a game takes time.
#[derive(Default)]
pub struct Session {
    door: Door,
    games: Games,
}

impl Session {
    /// A session for questions that come through this door.
    pub fn new(door: Door) -> Self {
        Self { door, games: Games::default() }
    }

    /// Answers a question.
    ///
    /// ```
    /// use nimoon_session::{Question, Session, Work};
    /// let json = br#"{"expression": "kayles:5 + nim:3"}"#;
    /// let (question, _) = Question::read("value", json).unwrap();
    /// let answer = Session::default().ask(&question, &Work::default()).unwrap();
    /// let value = answer.value().unwrap().unwrap();
    /// assert_eq!(value["value"]["n"], 7);
    /// assert_eq!(value["outcome"], "N");
    /// ```
    ///
    /// # Errors
    /// When the question is wrong, or a limit is hit before anything is known.
    pub fn ask(&self, question: &Question, work: &Work) -> Result<Answer, Error> {
        question.answer(self, work)
    }

    pub(crate) fn games(&self) -> &Games {
        &self.games
    }

    /// Whether expressions may name files of this machine.
    pub(crate) fn reads_files(&self) -> bool {
        self.door == Door::Local
    }

    /// Rejects what is larger than a network allows, with these words.
    pub(crate) fn at_most(&self, asked: u64, most: u64, message: String) -> Result<(), Error> {
        let allowed = self.door == Door::Local || asked <= most;
        if allowed { Ok(()) } else { Err(Error::input(message)) }
    }

    /// How many of something are listed or drawn.
    pub(crate) fn capped(&self, asked: usize, most: usize) -> usize {
        match self.door {
            Door::Local => asked,
            Door::Network => asked.min(most),
        }
    }
}

/// The value of a sum of positions, as JSON: the question `value` in one line.
///
/// ```
/// let answer = nimoon_session::value("nim:3 + kayles:9").unwrap();
/// assert_eq!(answer["outcome"], "N");
/// ```
///
/// # Errors
/// When the expression is wrong, or the usual limits are hit before anything is known.
pub fn value(expression: &str) -> Result<serde_json::Value, Error> {
    let question = Question::Value(crate::ask::sum::Request::new(expression));
    let answer = Session::default().ask(&question, &Work::default())?;
    answer.value().unwrap_or(Ok(serde_json::Value::Null))
}
