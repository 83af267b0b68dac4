//! The words of an expression.

use super::{ExpressionError, wrong};

/// A word, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) at: usize,
    pub(super) kind: Kind<'a>,
}

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Number(u128),
    Omega,
    Name(&'a str),
    Plus,
    Minus,
    Times,
    Power,
    Open,
    Close,
    Comma,
    Dots,
    /// In its ASCII form.
    Comparison(&'static str),
    End,
}

/// The words of a text, one by one.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    peeked: Option<Token<'a>>,
}

/// What is not a letter or a number; longer ones first.
const SIGNS: [(&str, Kind<'static>); 25] = [
    ("<=", Kind::Comparison("<=")),
    (">=", Kind::Comparison(">=")),
    ("==", Kind::Comparison("=")),
    ("!=", Kind::Comparison("!=")),
    ("...", Kind::Dots),
    ("≤", Kind::Comparison("<=")),
    ("≥", Kind::Comparison(">=")),
    ("≠", Kind::Comparison("!=")),
    ("<", Kind::Comparison("<")),
    (">", Kind::Comparison(">")),
    ("=", Kind::Comparison("=")),
    ("+", Kind::Plus),
    ("-", Kind::Minus),
    ("−", Kind::Minus),
    ("*", Kind::Times),
    ("·", Kind::Times),
    ("×", Kind::Times),
    ("^", Kind::Power),
    ("(", Kind::Open),
    (")", Kind::Close),
    (",", Kind::Comma),
    ("…", Kind::Dots),
    ("⋯", Kind::Dots),
    ("⋰", Kind::Dots),
    ("..", Kind::Dots),
];

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, peeked: None }
    }

    /// The next word, which stays the next one.
    pub(super) fn peek(&mut self) -> Result<Token<'a>, ExpressionError> {
        let token = self.next()?;
        self.peeked = Some(token.clone());
        Ok(token)
    }

    /// The next word; behind the last one there is the end, again and again.
    pub(super) fn next(&mut self) -> Result<Token<'a>, ExpressionError> {
        if let Some(token) = self.peeked.take() {
            return Ok(token);
        }
        let rest = &self.text[self.at..];
        let rest = rest.trim_start();
        let at = self.text.len() - rest.len();
        let (kind, length) = word(rest, at)?;
        self.at = at + length;
        Ok(Token { at, kind })
    }
}

/// The word that a text begins with, and its length.
fn word(text: &str, at: usize) -> Result<(Kind<'_>, usize), ExpressionError> {
    let Some(first) = text.chars().next() else { return Ok((Kind::End, 0)) };
    if first.is_ascii_digit() {
        let length = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let number = text[..length].parse().map_err(|_| {
            wrong(
                at,
                format!("this number, of {length} digits, is too large: expected one below 2^128"),
            )
        })?;
        return Ok((Kind::Number(number), length));
    }
    if first.is_alphabetic() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
        return Ok(match &text[..length] {
            "w" | "ω" | "omega" => (Kind::Omega, length),
            name => (Kind::Name(name), length),
        });
    }
    for (sign, kind) in &SIGNS {
        if text.starts_with(sign) {
            return Ok((kind.clone(), sign.len()));
        }
    }
    Err(wrong(
        at,
        format!(
            "`{}` means nothing here: expected an ordinal, such as w^2*3 + w + 5",
            first.escape_debug()
        ),
    ))
}
