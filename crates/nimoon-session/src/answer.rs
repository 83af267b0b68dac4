//! What a question is answered with.

use std::io::{self, Write};

use nimoon::{Guide, Limits};
use serde::Serialize;

use crate::{Error, ErrorKind, Report};

/// Plain text.
pub(crate) const PLAIN: &str = "text/plain; charset=utf-8";

/// Comma-separated values.
pub(crate) const CSV: &str = "text/csv; charset=utf-8";

/// Pictures of pixels.
pub(crate) const PNG: &str = "image/png";

/// Pictures.
pub(crate) const SVG: &str = "image/svg+xml";

/// JSON.
const JSON: &str = "application/json";

/// An answer, and what is missing from it.
#[derive(Debug)]
pub struct Answer<T = Report> {
    /// The answer itself.
    pub content: Content<T>,
    /// What is missing because a limit was hit.
    pub missing: Option<Error>,
    /// What was left out although everything that was asked for is known, such as a turn to play.
    pub note: Option<String>,
    /// Whether a larger limit would choose another turn.
    pub unsettled: bool,
}

/// An answer as it was asked for.
#[derive(Debug)]
pub enum Content<T = Report> {
    /// Data, which is written as JSON.
    Data(T),
    /// A picture or a text.
    Text {
        /// The media type.
        media_type: &'static str,
        /// The picture or the text itself.
        body: Vec<u8>,
    },
}

impl<T> Answer<T> {
    pub(crate) fn data(data: impl Into<T>) -> Self {
        Self::of(Content::Data(data.into()))
    }

    pub(crate) fn text(media_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self::of(Content::Text { media_type, body: body.into() })
    }

    fn of(content: Content<T>) -> Self {
        Self { content, missing: None, note: None, unsettled: false }
    }

    /// An answer that was written piece by piece.
    pub(crate) fn written(
        media_type: &'static str,
        write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> Result<Self, Error> {
        let mut body = Vec::new();
        write(&mut body).map_err(|error| bug(&error))?;
        Ok(Self::text(media_type, body))
    }

    /// An answer whose turn was chosen by this within these limits.
    #[must_use]
    pub(crate) fn by(self, guide: Option<Guide>, limits: Limits) -> Self {
        let cut = limits.positions <= limits.turn;
        Self { unsettled: cut && guide == Some(Guide::Measure), ..self }
    }

    /// An answer from which this is missing.
    #[must_use]
    pub(crate) fn short_of(self, missing: Option<Error>) -> Self {
        Self { missing, ..self }
    }

    /// An answer that leaves this out.
    #[must_use]
    pub(crate) fn noting(self, note: Option<String>) -> Self {
        Self { note, ..self }
    }

    /// The same answer with its data put into another type.
    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> Answer<U> {
        let Self { content, missing, note, unsettled } = self;
        let content = match content {
            Content::Data(data) => Content::Data(map(data)),
            Content::Text { media_type, body } => Content::Text { media_type, body },
        };
        Answer { content, missing, note, unsettled }
    }
}

impl<T: Serialize> Answer<T> {
    /// The media type of the answer.
    pub fn media_type(&self) -> &'static str {
        match &self.content {
            Content::Data(_) => JSON,
            Content::Text { media_type, .. } => media_type,
        }
    }

    /// Writes the answer: data as one line of JSON.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.content {
            Content::Data(data) => {
                serde_json::to_writer(&mut *out, data)?;
                out.write_all(b"\n")
            }
            Content::Text { body, .. } => out.write_all(body),
        }
    }

    /// The answer as it is written.
    ///
    /// # Errors
    /// When the data cannot be written, which is a bug.
    pub fn body(&self) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        self.write(&mut body).map_err(|error| bug(&error))?;
        Ok(body)
    }

    /// The answer as a JSON value; none where it is a picture or a text.
    ///
    /// # Errors
    /// When the data cannot be written, which is a bug.
    pub fn value(&self) -> Option<Result<serde_json::Value, Error>> {
        match &self.content {
            Content::Data(data) => Some(serde_json::to_value(data).map_err(|error| bug(&error))),
            Content::Text { .. } => None,
        }
    }
}

fn bug(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Bug, error.to_string())
}
