//! The description of the API, in the form of `OpenAPI` 3.1.

use crate::work::Answer;

/// The document as it is in the program.
const DOCUMENT: &str = include_str!("../../assets/openapi.json");

pub(super) async fn document() -> Answer {
    Answer::text("application/json", DOCUMENT)
}
