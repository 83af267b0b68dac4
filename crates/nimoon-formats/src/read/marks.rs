//! Declarations about nodes, kept until all nodes are known.

use std::borrow::Cow;

use nimoon::Node;

use super::ReadErrorKind;
use super::error::{Fault, excerpt};
use super::watch::{LINES_PER_LOOK, Watch};
use crate::Names;
use crate::source::{Declared, Player, Terminal};

/// A name with what is declared about it, and where.
#[derive(Debug)]
pub(super) struct Mark<'a, T> {
    pub(super) place: usize,
    pub(super) name: Cow<'a, str>,
    pub(super) value: T,
}

/// Everything that is declared about nodes beside their arcs.
#[derive(Debug, Default)]
pub(super) struct Marks<'a> {
    pub(super) gray: Vec<Mark<'a, ()>>,
    pub(super) terminals: Vec<Mark<'a, Terminal>>,
    pub(super) players: Vec<Mark<'a, Player>>,
}

impl Terminal {
    fn what(self) -> &'static str {
        match self {
            Self::Win => "a win",
            Self::Lose => "a loss",
            Self::Draw => "a draw",
            Self::Payoff(_) => "to pay",
        }
    }
}

impl Player {
    fn what(self) -> &'static str {
        match self {
            Self::Left => "Left's",
            Self::Right => "Right's",
        }
    }
}

/// Looks now and then whether to go on.
fn look(done: usize, place: usize, names: &Names, watch: &Watch<'_>) -> Result<(), Fault> {
    if done.is_multiple_of(LINES_PER_LOOK) { watch.go_on(place, names, 0) } else { Ok(()) }
}

/// The gray nodes; those without a number get one.
pub(super) fn gray_nodes(
    marks: Vec<Mark<'_, ()>>,
    names: &mut Names,
    watch: &Watch<'_>,
    twice: impl Fn(String) -> ReadErrorKind,
) -> Result<Vec<Node>, Fault> {
    let mut is_gray = vec![false; if marks.is_empty() { 0 } else { names.len() }];
    let mut nodes = Vec::with_capacity(marks.len());
    for mark in marks {
        look(nodes.len(), mark.place, names, watch)?;
        let node = names
            .try_intern(&mark.name)
            .ok_or_else(|| Fault::new(mark.place, ReadErrorKind::TooManyNames))?;
        if node as usize >= is_gray.len() {
            is_gray.push(false);
        }
        if std::mem::replace(&mut is_gray[node as usize], true) {
            return Err(Fault::new(mark.place, twice(excerpt(&mark.name))));
        }
        nodes.push(node);
    }
    Ok(nodes)
}

/// Who moves; every node must exist.
pub(super) fn players(
    marks: Vec<Mark<'_, Player>>,
    names: &Names,
    watch: &Watch<'_>,
) -> Result<Vec<(Node, Player)>, Fault> {
    resolve(Declared::Player, marks, names, watch, Player::what, |_| true)
}

/// How play ends; every node must exist and be terminal.
pub(super) fn terminals(
    marks: Vec<Mark<'_, Terminal>>,
    names: &Names,
    arcs: &[(Node, Node)],
    watch: &Watch<'_>,
) -> Result<Vec<(Node, Terminal)>, Fault> {
    let mut is_terminal = vec![true; if marks.is_empty() { 0 } else { names.len() }];
    if !marks.is_empty() {
        for &(from, _) in arcs {
            is_terminal[from as usize] = false;
        }
    }
    let is_terminal = |node| is_terminal[node as usize];
    resolve(Declared::Ending, marks, names, watch, Terminal::what, is_terminal)
}

fn resolve<T: Copy>(
    declared: Declared,
    marks: Vec<Mark<'_, T>>,
    names: &Names,
    watch: &Watch<'_>,
    what: impl Fn(T) -> &'static str,
    is_terminal: impl Fn(Node) -> bool,
) -> Result<Vec<(Node, T)>, Fault> {
    let mut is_declared = vec![false; if marks.is_empty() { 0 } else { names.len() }];
    let mut nodes = Vec::with_capacity(marks.len());
    for mark in marks {
        look(nodes.len(), mark.place, names, watch)?;
        watch.admit(declared, &mark)?;
        let what = what(mark.value);
        let fault = |kind: fn(String, &'static str) -> ReadErrorKind| {
            Fault::new(mark.place, kind(excerpt(&mark.name), what))
        };
        let Some(node) = names.node(&mark.name) else {
            return Err(fault(|name, what| ReadErrorKind::NoSuchNode { name, what }));
        };
        if std::mem::replace(&mut is_declared[node as usize], true) {
            return Err(fault(|name, what| ReadErrorKind::DeclaredTwice { name, what }));
        }
        if !is_terminal(node) {
            return Err(fault(|name, what| ReadErrorKind::NotTerminal { name, what }));
        }
        nodes.push((node, mark.value));
    }
    Ok(nodes)
}
