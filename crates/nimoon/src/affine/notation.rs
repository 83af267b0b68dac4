//! Forms as text, read and printed.
//!
//! | ASCII | Unicode | form |
//! |---|---|---|
//! | `oo`, `-oo` | `∞`, `−∞`, `∞̅` | the infinities |
//! | `{0,*\|oo}` | | Left's options, Right's options |
//! | `{0\|}`, `{\|}` | | a side without options is lost for its player: {0\|∞}, {−∞\|∞} |
//! | `{{oo\|0},0\|...}` | `{{∞\|0},0\|…}` | Right's options are the conjugates of Left's |
//! | `0`, `3`, `-2` | `−2` | whole numbers: 1 = {0\|∞}, −1 = {−∞\|0} |
//! | `*`, `*2` | | nimbers |
//! | `moon`, `+-oo` | `☾`, `±∞` | the moon {∞\|−∞} |
//! | `+-G` | `±G` | {G\|−G} |
//! | `-G` | `−G` | the conjugate |
//! | `G+H`, `G-H`, `(G)` | `G−H` | the literal form of the sum; of G and the conjugate of H |
//!
//! A carry-on move of Left to G is written `{oo|G}`, one of Right `{G|-oo}`. Prefixes bind
//! tightest. A question may also compare: `G >= H`, `<=`, `=`, `>`, `<` (`≥`, `≤`), and `G ~ H` for
//! equality modulo affine impartial games.
//!
//! Nothing here recurs on the machine stack. Whole numbers up to 100,000, nimbers up to *2000.

use thiserror::Error;

use super::forms::{Form, Forms, Name};
use crate::limits::{Interrupted, Work};
use crate::notation::NotationError;
use crate::player::Player;

const MOST_INTEGER: u64 = 100_000;
const MOST_NIMBER: u64 = 2_000;

const FORM: &str = "a form, as in `{oo|0}`, `oo`, `*2`, `moon` or `-1`";

/// How two games are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// G ≥ H.
    GreaterOrEqual,
    /// G ≤ H.
    LessOrEqual,
    /// G = H.
    Equal,
    /// G > H.
    Greater,
    /// G < H.
    Less,
    /// G = H modulo affine impartial games.
    EqualModuloImpartial,
}

impl Relation {
    const SIGNS: [(&'static str, Self); 9] = [
        (">=", Self::GreaterOrEqual),
        ("≥", Self::GreaterOrEqual),
        ("<=", Self::LessOrEqual),
        ("≤", Self::LessOrEqual),
        ("==", Self::Equal),
        ("=", Self::Equal),
        (">", Self::Greater),
        ("<", Self::Less),
        ("~", Self::EqualModuloImpartial),
    ];

    /// The sign in ASCII.
    ///
    /// ```
    /// use nimoon::affine::Relation;
    /// assert_eq!(Relation::GreaterOrEqual.sign(), ">=");
    /// ```
    pub fn sign(self) -> &'static str {
        match self {
            Self::GreaterOrEqual => ">=",
            Self::LessOrEqual => "<=",
            Self::Equal => "=",
            Self::Greater => ">",
            Self::Less => "<",
            Self::EqualModuloImpartial => "~",
        }
    }
}

/// The question that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// What a form is.
    Form(Form),
    /// Whether a relation holds.
    Compare(Form, Relation, Form),
}

/// Why a text is not a form.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// Something is wrong in the text.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A sum in it is too large.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

#[derive(Clone, Copy)]
enum Prefix {
    Conjugate,
    Switch,
}

enum Frame {
    Prefix(Prefix),
    Add { first: Form, negative: bool, at: usize },
    Parenthesis,
    Braces { left: Option<Vec<Form>>, options: Vec<Form>, comma: bool },
}

struct Reader<'a> {
    forms: &'a mut Forms,
    work: &'a mut Work,
    text: &'a str,
    at: usize,
    stack: Vec<Frame>,
}

impl Forms {
    /// Reads a form.
    ///
    /// ```
    /// use nimoon::{Work, affine::{Form, Forms, ReadError}};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// assert_eq!(forms.read("{ oo | −∞ }", &mut work), Ok(Form::MOON));
    /// let Err(ReadError::Notation(error)) = forms.read("{0|a}", &mut work) else { panic!() };
    /// assert_eq!(error.at, 3);
    /// ```
    ///
    /// # Errors
    /// When the text is none, with the place, or the work is interrupted.
    pub fn read(&mut self, text: &str, work: &mut Work) -> Result<Form, ReadError> {
        let mut reader = Reader { forms: self, work, text, at: 0, stack: Vec::new() };
        let form = reader.form()?;
        if reader.at < text.len() {
            return Err(reader.expected("`+`, `-`, or the end").into());
        }
        Ok(form)
    }

    /// Reads a form, or a comparison of two.
    ///
    /// ```
    /// use nimoon::{Work, affine::{Form, Forms, Question, Relation}};
    /// let mut forms = Forms::new();
    /// let question = forms.read_question("moon ~ 0", &mut Work::default()).unwrap();
    /// assert_eq!(question, Question::Compare(Form::MOON, Relation::EqualModuloImpartial, Form::ZERO));
    /// ```
    ///
    /// # Errors
    /// When the text is neither, with the place, or the work is interrupted.
    pub fn read_question(&mut self, text: &str, work: &mut Work) -> Result<Question, ReadError> {
        let mut reader = Reader { forms: self, work, text, at: 0, stack: Vec::new() };
        let first = reader.form()?;
        if reader.at == text.len() {
            return Ok(Question::Form(first));
        }
        let signs = Relation::SIGNS.into_iter();
        let found = signs.clone().find(|(sign, _)| text[reader.at..].starts_with(sign));
        let Some((sign, relation)) = found else {
            return Err(reader
                .expected("`+`, `-`, a comparison as in `G >= H`, or the end")
                .into());
        };
        reader.at += sign.len();
        let second = reader.form()?;
        if reader.at < text.len() {
            return Err(reader.expected("`+`, `-`, or the end").into());
        }
        Ok(Question::Compare(first, relation, second))
    }
}

impl Reader<'_> {
    /// The next character that is not blank.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let rest = rest.trim_start();
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    fn take(&mut self, sign: &str) -> bool {
        self.peek();
        let there = self.text[self.at..].starts_with(sign);
        self.at += if there { sign.len() } else { 0 };
        there
    }

    fn expected(&mut self, what: &str) -> NotationError {
        let found = match self.peek() {
            Some(c) => format!("`{c}`"),
            None => "the end".to_owned(),
        };
        NotationError::at(self.at, format!("expected {what}, found {found}"))
    }

    /// Reads a form up to the end, or to what cannot follow one.
    fn form(&mut self) -> Result<Form, ReadError> {
        loop {
            let Some(mut value) = self.operand()? else { continue };
            // What follows a complete operand.
            loop {
                value = self.reduce_prefixes(value)?;
                self.peek();
                let at = self.at;
                let minus = self.take("-") || self.take("−");
                if minus || self.take("+") {
                    let first = self.reduce_sum(value)?;
                    self.stack.push(Frame::Add { first, negative: minus, at });
                    break;
                }
                value = self.reduce_sum(value)?;
                match self.close(value)? {
                    Closed::Complete => return Ok(value),
                    Closed::Value(closed) => value = closed,
                    Closed::Open => break,
                }
            }
        }
    }

    /// Reads an operand, or the opening of one: then there is none yet.
    fn operand(&mut self) -> Result<Option<Form>, ReadError> {
        let next = self.peek();
        let dots = ["…", "..."].into_iter().find(|dots| self.text[self.at..].starts_with(dots));
        if let Some(Frame::Braces { left, options, comma }) = self.stack.last_mut()
            && options.is_empty()
            && !*comma
        {
            match (next, left.is_some()) {
                (Some('|'), false) => {
                    self.at += 1;
                    *left = Some(Vec::new());
                    return Ok(None);
                }
                (Some('}'), true) => {
                    let left = left.take().unwrap_or_default();
                    self.stack.pop();
                    self.at += 1;
                    return Ok(Some(self.forms.braces(left, [])));
                }
                (_, true) if let Some(dots) = dots => {
                    self.at += dots.len();
                    return self.mirrored().map(Some);
                }
                _ => {}
            }
        }
        let opened = match next {
            Some('{') => Frame::Braces { left: None, options: Vec::new(), comma: false },
            Some('(') => Frame::Parenthesis,
            Some('-' | '−') => Frame::Prefix(Prefix::Conjugate),
            Some('±') => Frame::Prefix(Prefix::Switch),
            Some('+') if self.text[self.at..].starts_with("+-") => {
                self.at += 1;
                Frame::Prefix(Prefix::Switch)
            }
            _ => return self.atom(next).map(Some),
        };
        self.at += next.filter(|&c| c != '+').map_or(1, char::len_utf8);
        self.stack.push(opened);
        Ok(None)
    }

    /// Right's options are the conjugates of Left's: `...` was read.
    fn mirrored(&mut self) -> Result<Form, ReadError> {
        if !self.take("}") {
            return Err(self
                .expected("`}` after `...`, which stands for all of Right's options")
                .into());
        }
        let Some(Frame::Braces { left: Some(left), .. }) = self.stack.pop() else {
            return Err(self.expected(FORM).into());
        };
        let mut right = Vec::with_capacity(left.len());
        for &option in &left {
            right.push(self.forms.conjugate(option, self.work)?);
        }
        // Without options on either side this is 0.
        Ok(self.forms.braces(left, right))
    }

    fn atom(&mut self, next: Option<char>) -> Result<Form, ReadError> {
        let at = self.at;
        match next {
            Some('0'..='9') => {
                let n = self.number(MOST_INTEGER)?;
                self.forms.step(self.work)?;
                Ok(self.forms.integer(n.cast_signed()))
            }
            Some('*') => {
                self.at += 1;
                let digits = self.text[self.at..].starts_with(|c: char| c.is_ascii_digit());
                let n = if digits { self.number(MOST_NIMBER)? } else { 1 };
                self.forms.step(self.work)?;
                Ok(self.forms.nimber(n))
            }
            Some('∞') => {
                self.at += '∞'.len_utf8();
                // A bar above, as in the papers.
                let rest = &self.text[self.at..];
                let Some(bar) = rest.chars().next().filter(|&c| c == '\u{305}' || c == '\u{304}')
                else {
                    return Ok(Form::INFINITY);
                };
                self.at += bar.len_utf8();
                Ok(Form::MINUS_INFINITY)
            }
            Some('☾') => {
                self.at += '☾'.len_utf8();
                Ok(Form::MOON)
            }
            Some(c) if c.is_alphabetic() || c == '_' => self.word(at),
            _ => Err(self.expected(FORM).into()),
        }
    }

    fn word(&mut self, at: usize) -> Result<Form, ReadError> {
        let rest = &self.text[at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..end];
        match word {
            "oo" => {
                self.at += end;
                Ok(Form::INFINITY)
            }
            "moon" => {
                self.at += end;
                Ok(Form::MOON)
            }
            _ => {
                let shown: String = word.chars().take(40).collect();
                Err(NotationError::at(
                    at,
                    format!(
                        "`{shown}` is not a form: expected {FORM}. Affine forms have no names and no \
                         cycles; `nimoon loopy` reads games such as `a{{0|a}}`"
                    ),
                )
                .into())
            }
        }
    }

    fn number(&mut self, most: u64) -> Result<u64, NotationError> {
        let at = self.at;
        let rest = &self.text[at..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.at += end;
        let number = rest[..end].parse().ok().filter(|&number| number <= most);
        number.ok_or_else(|| NotationError::at(at, format!("the number is larger than {most}")))
    }

    fn reduce_prefixes(&mut self, mut value: Form) -> Result<Form, Interrupted> {
        while let Some(&Frame::Prefix(prefix)) = self.stack.last() {
            self.stack.pop();
            let conjugate = self.forms.conjugate(value, self.work)?;
            value = match prefix {
                Prefix::Conjugate => conjugate,
                Prefix::Switch => self.forms.braces([value], [conjugate]),
            };
        }
        Ok(value)
    }

    fn reduce_sum(&mut self, value: Form) -> Result<Form, ReadError> {
        let Some(&Frame::Add { first, negative, at }) = self.stack.last() else {
            return Ok(value);
        };
        self.stack.pop();
        let second = if negative { self.forms.conjugate(value, self.work)? } else { value };
        let sum = self.forms.sum(first, second, self.work)?;
        Ok(sum.map_err(|undefined| NotationError::at(at, undefined.to_string()))?)
    }

    /// Reads what can follow a whole sum.
    fn close(&mut self, value: Form) -> Result<Closed, ReadError> {
        let next = self.peek();
        match (self.stack.last_mut(), next) {
            (None, _) => Ok(Closed::Complete),
            (Some(Frame::Parenthesis), Some(')')) => {
                self.stack.pop();
                self.at += 1;
                Ok(Closed::Value(value))
            }
            (Some(Frame::Parenthesis), _) => Err(self.expected("`+`, `-` or `)`").into()),
            (Some(Frame::Braces { options, comma, .. }), Some(',')) => {
                self.at += 1;
                options.push(value);
                *comma = true;
                Ok(Closed::Open)
            }
            (Some(Frame::Braces { left: left @ None, options, comma }), Some('|')) => {
                self.at += 1;
                options.push(value);
                *left = Some(std::mem::take(options));
                *comma = false;
                Ok(Closed::Open)
            }
            (Some(Frame::Braces { left: None, .. }), _) => {
                Err(self.expected("`,`, or `|` between Left's and Right's options").into())
            }
            (Some(Frame::Braces { .. }), Some('|')) => {
                let message =
                    "a second `|`: put `{` and `}` around the options that belong together";
                Err(NotationError::at(self.at, message).into())
            }
            (Some(Frame::Braces { left: Some(left), options, .. }), Some('}')) => {
                let (left, mut right) = (std::mem::take(left), std::mem::take(options));
                self.stack.pop();
                self.at += 1;
                right.push(value);
                Ok(Closed::Value(self.forms.braces(left, right)))
            }
            (Some(_), _) => Err(self.expected("`,` or `}`").into()),
        }
    }
}

enum Closed {
    /// The text, or this side of a comparison, is read.
    Complete,
    /// Braces or parentheses are closed.
    Value(Form),
    /// An option is expected.
    Open,
}

/// Something still to be printed.
enum Piece {
    Form(Form),
    Text(&'static str),
}

impl Forms {
    /// The form as text in ASCII, which is read back as the same form. Followers that occur often
    /// are printed often: [`Self::text_within`] has a limit.
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// let mut forms = Forms::new();
    /// let form = forms.read("{-1,{∞|*2}|☾}", &mut Work::default()).unwrap();
    /// assert_eq!(forms.text(form), "{{oo|*2},-1|moon}");
    /// ```
    pub fn text(&self, form: Form) -> String {
        self.print(form, usize::MAX, false).0
    }

    /// The text, if it has at most this many bytes.
    ///
    /// ```
    /// use nimoon::affine::{Form, Forms};
    /// let forms = Forms::new();
    /// assert_eq!(forms.text_within(Form::MOON, 4).as_deref(), Some("moon"));
    /// assert_eq!(forms.text_within(Form::MOON, 3), None);
    /// ```
    pub fn text_within(&self, form: Form, most: usize) -> Option<String> {
        let (text, complete) = self.print(form, most, false);
        complete.then_some(text)
    }

    /// The text with ∞ and ☾, if it has at most this many bytes.
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// let mut forms = Forms::new();
    /// let form = forms.read("{{oo|-oo}|-oo}", &mut Work::default()).unwrap();
    /// assert_eq!(forms.unicode_within(form, 100).as_deref(), Some("{☾|-∞}"));
    /// ```
    pub fn unicode_within(&self, form: Form, most: usize) -> Option<String> {
        let (text, complete) = self.print(form, most, true);
        complete.then_some(text)
    }

    /// The beginning of the text, for messages.
    pub fn short_text(&self, form: Form) -> String {
        const MOST: usize = 80;
        match self.print(form, MOST, false) {
            (text, true) => text,
            (text, false) => format!("{text}…"),
        }
    }

    /// The text, as long as it has at most this many bytes; and whether that is all.
    fn print(&self, form: Form, most: usize, unicode: bool) -> (String, bool) {
        let mut text = String::new();
        let mut pieces = vec![Piece::Form(form)];
        while let Some(piece) = pieces.pop() {
            let before = text.len();
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Form(Form::INFINITY) => text.push_str(if unicode { "∞" } else { "oo" }),
                Piece::Form(Form::MINUS_INFINITY) => {
                    text.push_str(if unicode { "-∞" } else { "-oo" });
                }
                Piece::Form(Form::MOON) => text.push_str(if unicode { "☾" } else { "moon" }),
                Piece::Form(form) => match self.name(form) {
                    Name::Integer(n) => text.push_str(&n.to_string()),
                    Name::Nimber(1) => text.push('*'),
                    Name::Nimber(n) => {
                        text.push('*');
                        text.push_str(&n.to_string());
                    }
                    Name::None => {
                        text.push('{');
                        self.push_options(form, most, &mut pieces);
                    }
                },
            }
            if text.len() > most {
                text.truncate(before);
                return (text, false);
            }
        }
        (text, true)
    }

    fn push_options(&self, form: Form, most: usize, pieces: &mut Vec<Piece>) {
        pieces.push(Piece::Text("}"));
        for player in [Player::Right, Player::Left] {
            // More than the limit will not be printed anyway.
            let options = self.options(form, player);
            for (i, &option) in options.iter().enumerate().take(most).rev() {
                pieces.push(Piece::Form(option));
                if i > 0 {
                    pieces.push(Piece::Text(","));
                }
            }
            if player == Player::Right {
                pieces.push(Piece::Text("|"));
            }
        }
    }
}
