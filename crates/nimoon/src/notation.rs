//! Errors in texts: every reader of the crate says in the same way where a text is wrong.

use thiserror::Error;

/// Text that is not a position, or not the parameters of a ruleset.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct NotationError {
    /// Where: the number of bytes before the place, in the text that was read.
    pub at: usize,
    /// What is wrong there, and what was expected.
    pub message: String,
    /// Whether the text is well written, but nothing ever stands there, such as a token on the
    /// start of a ladder.
    pub vacant: bool,
    /// Whether the rules hit a limit of their own, as those of a script can: then it is not known
    /// whether the text is a position.
    pub limit: bool,
}

impl NotationError {
    /// An error at this byte of the text.
    pub fn at(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), vacant: false, limit: false }
    }

    /// An error at this byte of a text that is well written, but no position of the game.
    ///
    /// ```
    /// use nimoon::notation::NotationError;
    /// assert!(NotationError::vacant(0, "no token stands on 3").vacant);
    /// assert!(!NotationError::at(0, "expected a number").vacant);
    /// ```
    pub fn vacant(at: usize, message: impl Into<String>) -> Self {
        Self { vacant: true, ..Self::at(at, message) }
    }

    /// An error at this byte of a text that the rules could not read within a limit of their own.
    ///
    /// ```
    /// use nimoon::notation::NotationError;
    /// assert!(NotationError::limit(0, "a call takes more than 100 steps").limit);
    /// ```
    pub fn limit(at: usize, message: impl Into<String>) -> Self {
        Self { limit: true, ..Self::at(at, message) }
    }
}
