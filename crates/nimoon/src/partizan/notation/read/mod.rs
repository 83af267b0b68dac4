//! From text to [`Expression`]: operators and brackets wait on a stack of their own.

mod words;

use std::str::FromStr;

use rustc_hash::FxHashMap;

use super::{Expression, Node, Side};
use crate::notation::NotationError;

pub(super) const MOST_UPS: u64 = 1_000_000;
/// Telling the followers of *n apart, for a numbering that depends on the shape alone, takes about
/// n³ steps.
pub(super) const MOST_NIMBER: u64 = 500;
/// Offsets and node numbers are 32 bits wide.
const MOST_BYTES: usize = 1 << 30;

/// No brace is referred to.
const CLOSED: u32 = u32::MAX;

const GAME: &str = "a game, as in `{0|1}`, `3/4`, `*2`, `^` or `on`";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Sides,
    Add,
    Subtract,
    Ordinal,
    Negative,
    /// A plus before a game, which has no effect.
    Positive,
    Switch,
    Multiple(u32),
}

impl Operator {
    /// How tightly it binds.
    fn strength(self) -> u8 {
        match self {
            Self::Sides => 1,
            Self::Add | Self::Subtract => 2,
            Self::Ordinal => 3,
            Self::Negative | Self::Positive | Self::Switch | Self::Multiple(_) => 4,
        }
    }
}

/// Braces that are open.
struct Braces<'a> {
    scope: u32,
    name: Option<&'a str>,
    /// What stands before each run of bars that still waits for what is after it.
    waiting: Vec<(Vec<u32>, usize)>,
    options: Vec<u32>,
    /// Whether a comma was the last thing read.
    comma: bool,
}

enum Frame<'a> {
    Operator(Operator, usize),
    Parenthesis(usize),
    /// `+-(`, with the options before the last comma.
    Switch(Vec<u32>, usize),
    /// `Tiny(` or `Miny(`.
    Call {
        tiny: bool,
        at: usize,
    },
    Braces(Braces<'a>, usize),
}

/// What is known of a node besides itself.
#[derive(Clone, Copy)]
struct Known {
    /// The depth of the outermost open braces that it refers to, and where; else `CLOSED`.
    outermost: u32,
    reference: u32,
    /// Whether it has a graph: `G & H` has none.
    graph: bool,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    expression: Expression,
    known: Vec<Known>,
    values: Vec<u32>,
    stack: Vec<Frame<'a>>,
    /// The open braces: their scopes, from the outermost.
    open: Vec<u32>,
    /// The open braces with a name: their depth.
    names: FxHashMap<&'a str, u32>,
}

impl FromStr for Expression {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        if text.len() > MOST_BYTES {
            return Err(NotationError::at(MOST_BYTES, "the text is longer than 2^30 bytes"));
        }
        let expression = Self {
            nodes: Vec::new(),
            places: Vec::new(),
            is_option: Vec::new(),
            options: Vec::new(),
            scopes: Vec::new(),
        };
        let mut reader = Reader {
            text,
            at: 0,
            expression,
            known: Vec::new(),
            values: Vec::new(),
            stack: Vec::new(),
            open: Vec::new(),
            names: FxHashMap::default(),
        };
        reader.read()?;
        Ok(reader.expression)
    }
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// The text from `from` on as long as the bytes are such.
    fn span(&mut self, from: usize, such: impl Fn(u8) -> bool) -> &'a str {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(|&byte| such(byte)) {
            self.at += 1;
        }
        &self.text[from..self.at]
    }

    fn expected(&mut self, what: &str) -> NotationError {
        self.peek();
        let found = match self.text[self.at..].chars().next() {
            Some(found) => format!("found `{found}`"),
            None => "the text ends".to_owned(),
        };
        NotationError::at(self.at, format!("{found}; expected {what}"))
    }

    /// Where the bracket is that something which begins here has opened.
    fn place(&self, at: usize, bracket: char) -> String {
        let at = at + self.text[at..].find(bracket).unwrap_or(0);
        let mut lines = self.text[..at].split('\n');
        let column = lines.next_back().map_or(0, |line| line.chars().count()) + 1;
        match lines.count() {
            0 => format!("column {column}"),
            before => format!("line {}, column {column}", before + 1),
        }
    }

    fn push(&mut self, node: Node, at: usize, known: Known) -> u32 {
        let number = self.expression.nodes.len() as u32;
        self.expression.nodes.push(node);
        self.expression.places.push(at as u32);
        self.expression.is_option.push(false);
        self.known.push(known);
        number
    }

    /// A game without operands.
    fn atom(&mut self, node: Node, at: usize) {
        let known = Known { outermost: CLOSED, reference: 0, graph: true };
        let number = self.push(node, at, known);
        self.values.push(number);
    }

    fn read(&mut self) -> Result<(), NotationError> {
        loop {
            if !self.operand()? {
                continue;
            }
            while self.after_operand()? {
                if self.stack.is_empty() && self.at == self.text.len() {
                    return Ok(());
                }
            }
        }
    }

    /// Reads what comes where a game is expected; whether that is now complete.
    fn operand(&mut self) -> Result<bool, NotationError> {
        let next = self.peek();
        let at = self.at;
        let bytes = self.text.as_bytes();
        match next {
            Some(b'{') => self.open_braces(None, at),
            Some(b'(') => {
                self.at += 1;
                self.stack.push(Frame::Parenthesis(at));
            }
            Some(b'-') => {
                self.at += 1;
                self.stack.push(Frame::Operator(Operator::Negative, at));
            }
            Some(b'+') if bytes.get(at + 1) == Some(&b'-') => {
                self.at += 2;
                let several = self.take(b'(');
                self.stack.push(if several {
                    Frame::Switch(Vec::new(), at)
                } else {
                    Frame::Operator(Operator::Switch, at)
                });
            }
            Some(b'+') => {
                self.at += 1;
                self.stack.push(Frame::Operator(Operator::Positive, at));
            }
            Some(b'*') => {
                let nimber = self.nimber()?;
                self.atom(Node::Nimber(nimber), at);
                return Ok(true);
            }
            Some(b'^') => {
                let ups = self.span(at, |byte| byte == b'^').len();
                self.ups(ups, at, false)?;
                return Ok(true);
            }
            Some(b'0'..=b'9') => return self.number(at),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => return self.word(at),
            Some(b'|' | b'}') => {
                if let Some(Frame::Braces(braces, _)) = self.stack.last()
                    && !braces.comma
                    && braces.options.is_empty()
                {
                    return self.bar_or_brace();
                }
                return Err(self.expected(GAME));
            }
            _ => return Err(self.expected(GAME)),
        }
        Ok(false)
    }

    /// Reads what comes after a complete game; whether it is still one.
    fn after_operand(&mut self) -> Result<bool, NotationError> {
        let next = self.peek();
        let operator = match next {
            Some(b'+') => Operator::Add,
            Some(b'-') => Operator::Subtract,
            Some(b':') => Operator::Ordinal,
            Some(b'&') => Operator::Sides,
            None => {
                self.reduce(0)?;
                let what = match self.stack.last() {
                    None => return Ok(true),
                    Some(Frame::Braces(_, at)) => {
                        format!("`}}` for the `{{` in {}", self.place(*at, '{'))
                    }
                    Some(
                        Frame::Parenthesis(at) | Frame::Switch(_, at) | Frame::Call { at, .. },
                    ) => {
                        format!("`)` for the `(` in {}", self.place(*at, '('))
                    }
                    Some(Frame::Operator(..)) => GAME.to_owned(),
                };
                return Err(self.expected(&what));
            }
            Some(b')') => return self.close_parenthesis(),
            Some(b',') => {
                self.reduce(0)?;
                if matches!(self.stack.last(), Some(Frame::Switch(..))) {
                    self.option_of_switch()?;
                    self.at += 1;
                    return Ok(false);
                }
                let Some(Frame::Braces(braces, _)) = self.stack.last_mut() else {
                    return Err(self.expected("an operator, or the end"));
                };
                let value = self.values.pop();
                braces.options.extend(value);
                braces.comma = true;
                self.at += 1;
                return Ok(false);
            }
            Some(b'|' | b'}') => {
                self.reduce(0)?;
                let Some(Frame::Braces(braces, _)) = self.stack.last_mut() else {
                    return Err(self.expected("an operator, or the end: bars belong into braces"));
                };
                let value = self.values.pop();
                braces.options.extend(value);
                return self.bar_or_brace();
            }
            Some(_) => return Err(self.expected("an operator: `+`, `-`, `:` or `&`")),
        };
        let at = self.at;
        self.at += 1;
        self.reduce(operator.strength())?;
        self.stack.push(Frame::Operator(operator, at));
        Ok(false)
    }

    /// Applies the operators on top that bind at least so tightly.
    fn reduce(&mut self, strength: u8) -> Result<(), NotationError> {
        while let Some(&Frame::Operator(operator, at)) = self.stack.last()
            && operator.strength() >= strength
        {
            self.stack.pop();
            let Some(last) = self.values.pop() else { return Err(self.expected(GAME)) };
            self.closed(last)?;
            if matches!(operator, Operator::Ordinal | Operator::Switch | Operator::Sides) {
                self.has_graph(last)?;
            }
            let graph = self.known[last as usize].graph;
            let alone = Known { outermost: CLOSED, reference: 0, graph };
            let node = match operator {
                Operator::Negative => self.negative(last, at),
                Operator::Positive => last,
                Operator::Switch => self.switch(&[last], at),
                Operator::Multiple(times) => self.push(Node::Multiple(times, last), at, alone),
                Operator::Add | Operator::Subtract | Operator::Ordinal | Operator::Sides => {
                    let Some(first) = self.values.pop() else { return Err(self.expected(GAME)) };
                    self.closed(first)?;
                    let place = self.expression.places[first as usize] as usize;
                    let mut known = alone;
                    known.graph &= self.known[first as usize].graph;
                    match operator {
                        Operator::Ordinal => {
                            self.has_graph(first)?;
                            self.push(Node::Ordinal(first, last), place, known)
                        }
                        Operator::Sides => {
                            self.has_graph(first)?;
                            known.graph = false;
                            self.push(Node::Sides(first, last), place, known)
                        }
                        Operator::Subtract => {
                            let last = self.negative(last, at);
                            self.push(Node::Add(first, last), place, known)
                        }
                        _ => self.push(Node::Add(first, last), place, known),
                    }
                }
            };
            self.values.push(node);
        }
        Ok(())
    }

    /// The negative of a node, which is the last one; two minus signs are none.
    fn negative(&mut self, of: u32, at: usize) -> u32 {
        if let Node::Negative(inner) = self.expression.nodes[of as usize] {
            self.expression.nodes.pop();
            self.expression.places.pop();
            self.expression.is_option.pop();
            self.known.pop();
            return inner;
        }
        let graph = self.known[of as usize].graph;
        self.push(Node::Negative(of), at, Known { outermost: CLOSED, reference: 0, graph })
    }

    /// The switch of these options.
    fn switch(&mut self, options: &[u32], at: usize) -> u32 {
        let start = self.expression.options.len() as u32;
        self.expression.options.extend(options);
        let side = (start, self.expression.options.len() as u32);
        self.push(Node::Switch(side), at, Known { outermost: CLOSED, reference: 0, graph: true })
    }

    /// Takes the last game as an option of the switch on top.
    fn option_of_switch(&mut self) -> Result<(), NotationError> {
        let Some(option) = self.values.pop() else { return Err(self.expected(GAME)) };
        self.closed(option)?;
        self.has_graph(option)?;
        if let Some(Frame::Switch(options, _)) = self.stack.last_mut() {
            options.push(option);
        }
        Ok(())
    }

    fn closed(&self, node: u32) -> Result<(), NotationError> {
        let known = self.known[node as usize];
        if known.outermost == CLOSED {
            return Ok(());
        }
        let message = "this stands for braces that are not closed yet: it can be an option within \
                       them, but not an operand";
        Err(NotationError::at(known.reference as usize, message))
    }

    fn has_graph(&self, node: u32) -> Result<(), NotationError> {
        if self.known[node as usize].graph {
            return Ok(());
        }
        let message = "a game given by its sides, as `1 & 0`, has no graph: it can be negated, \
                       added and multiplied only";
        Err(NotationError::at(self.expression.places[node as usize] as usize, message))
    }

    fn close_parenthesis(&mut self) -> Result<bool, NotationError> {
        self.reduce(0)?;
        match self.stack.last() {
            Some(Frame::Parenthesis(_)) => {
                self.stack.pop();
            }
            Some(Frame::Switch(..)) => {
                self.option_of_switch()?;
                if let Some(Frame::Switch(options, at)) = self.stack.pop() {
                    let switch = self.switch(&options, at);
                    self.values.push(switch);
                }
            }
            Some(&Frame::Call { tiny, at }) => {
                self.stack.pop();
                let Some(of) = self.values.pop() else { return Err(self.expected(GAME)) };
                self.closed(of)?;
                self.has_graph(of)?;
                self.atom(if tiny { Node::Tiny(of) } else { Node::Miny(of) }, at);
            }
            Some(Frame::Braces(..)) => return Err(self.expected("`,`, `|` or `}`")),
            _ => return Err(self.expected("an operator, or the end")),
        }
        self.at += 1;
        Ok(true)
    }

    fn open_braces(&mut self, name: Option<&'a str>, at: usize) {
        self.at += 1;
        let scope = self.expression.scopes.len() as u32;
        self.expression.scopes.push(u32::MAX);
        if let Some(name) = name {
            self.names.insert(name, self.open.len() as u32);
        }
        self.open.push(scope);
        let braces = Braces { scope, name, waiting: Vec::new(), options: Vec::new(), comma: false };
        self.stack.push(Frame::Braces(braces, at));
    }

    /// Reads a run of bars, or the closing brace, in the braces on top; whether they are closed.
    fn bar_or_brace(&mut self) -> Result<bool, NotationError> {
        let Some(Frame::Braces(mut braces, at)) = self.stack.pop() else {
            return Err(self.expected(GAME));
        };
        let mut side = std::mem::take(&mut braces.options);
        for &option in &side {
            self.has_graph(option)?;
        }
        braces.comma = false;
        let start = self.at;
        let run = self.span(start, |byte| byte == b'|').len();
        // Shorter runs belong to what is on this side of the bars.
        while let Some((_, before)) = braces.waiting.last()
            && (*before < run || (run == 0 && braces.waiting.len() > 1))
        {
            let Some((left, _)) = braces.waiting.pop() else { break };
            side = vec![self.game(&left, &side, at, None)];
        }
        if run > 0 {
            if braces.waiting.last().is_some_and(|&(_, before)| before == run) {
                let message = match run {
                    1 => "a second `|`: which splits first? A longer run of bars does, as in `||`"
                        .to_owned(),
                    _ => {
                        format!("a second run of {run} bars: which splits first? A longer run does")
                    }
                };
                return Err(NotationError::at(start, message));
            }
            braces.waiting.push((side, run));
            self.stack.push(Frame::Braces(braces, at));
            return Ok(false);
        }
        let Some((left, _)) = braces.waiting.pop() else {
            return Err(self.expected("`|` between Left's and Right's options"));
        };
        self.at += 1;
        self.open.pop();
        if let Some(name) = braces.name {
            self.names.remove(name);
        }
        let node = self.game(&left, &side, at, Some(braces.scope));
        self.values.push(node);
        Ok(true)
    }

    /// A game with these options; `scope` for braces that are written, none for those that bars
    /// imply.
    fn game(&mut self, left: &[u32], right: &[u32], at: usize, scope: Option<u32>) -> u32 {
        let mut known = Known { outermost: CLOSED, reference: 0, graph: true };
        let sides: [Side; 2] = [left, right].map(|side| {
            let start = self.expression.options.len() as u32;
            self.expression.options.extend(side);
            for &option in side {
                self.expression.is_option[option as usize] = true;
                // `pass` is the game that is now complete.
                if self.expression.nodes[option as usize] == Node::Pass {
                    continue;
                }
                let of = self.known[option as usize];
                if of.outermost < known.outermost {
                    known = of;
                }
            }
            (start, self.expression.options.len() as u32)
        });
        if scope.is_some() && known.outermost >= self.open.len() as u32 {
            known.outermost = CLOSED;
        }
        let node = self.push(Node::Brace { left: sides[0], right: sides[1] }, at, known);
        if let Some(scope) = scope {
            self.expression.scopes[scope as usize] = node;
        }
        node
    }
}
