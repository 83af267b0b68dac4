//! Ordinal sums of any two rulesets, by [`nimoon::ruleset::ordinal_sum`].

use nimoon::notation::NotationError;

use crate::expression::{ExpressionError, NoLibrary, ordinal};
use nimoon_rulesets::catalogue::{Board, Entry, Make, Parameters};

pub(crate) fn entry() -> Entry {
    Entry {
        name: "ordinal",
        board: Board::Any,
        rules: "Two games, one on top of the other. A move in the base removes the top; a move in \
                the top leaves the base as it is.",
        notation: "ordinal[BASE | TOP]:G | H, with two rulesets and a position of each; once the \
                   top is gone, ordinal[BASE | TOP]:G",
        example: "ordinal[nim | kayles]:3 | 4",
        value: "4",
        parameters: Parameters::Rulesets("two rulesets with a bar between them"),
        source: "LNS-CLF §2",
        make: Make::Impartial(|given| {
            ordinal(given.text, 0, &mut NoLibrary).map_err(|error| match error {
                ExpressionError::Text { at, message } => NotationError::at(at, message).into(),
                error => NotationError::at(0, error.to_string()).into(),
            })
        }),
    }
}
