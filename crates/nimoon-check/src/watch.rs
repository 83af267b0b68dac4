//! Ends a check that takes too long, or too much memory.
//!
//! The checker asks its caller from time to time whether to continue: while it reads the
//! certificate, and after every few thousand steps. A check that was ended proves nothing and
//! refutes nothing.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};

use crate::Rejection;

/// The work that a check has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The number of checked statements and of moves in them.
    pub steps: u64,
    /// About how many bytes are in use, beside the certificate itself.
    pub bytes: u64,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unproved {
    /// A statement in it is wrong, or not proved.
    Wrong(Rejection),
    /// The caller ended the check.
    Ended,
}

impl Unproved {
    pub(crate) fn wrong(at: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Wrong(Rejection::new(at, reason))
    }
}

impl fmt::Display for Unproved {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(rejection) => rejection.fmt(formatter),
            Self::Ended => formatter.write_str("the check was ended"),
        }
    }
}

impl std::error::Error for Unproved {}

/// A certificate that was not checked completely is not accepted either.
impl From<Unproved> for Rejection {
    fn from(unproved: Unproved) -> Self {
        match unproved {
            Unproved::Wrong(rejection) => rejection,
            Unproved::Ended => Self::new("certificate", "it was not checked to its end"),
        }
    }
}

/// Counts the work, and asks the caller whether to continue.
pub(crate) struct Watch<'a> {
    go_on: &'a dyn Fn(Work) -> bool,
    steps: Cell<u64>,
    bytes: Cell<u64>,
    /// The caller is asked when there are more steps than these.
    next_question: Cell<u64>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(go_on: &'a dyn Fn(Work) -> bool) -> Self {
        Self { go_on, steps: Cell::new(0), bytes: Cell::new(0), next_question: Cell::new(0) }
    }

    /// Asks at once.
    pub(crate) fn ask(&self) -> Result<(), Unproved> {
        self.room(0)
    }

    /// Counts steps.
    #[inline]
    pub(crate) fn step(&self, steps: usize) -> Result<(), Unproved> {
        self.steps.set(self.steps.get().saturating_add(steps as u64));
        if self.steps.get() > self.next_question.get() { self.question() } else { Ok(()) }
    }

    #[cold]
    fn question(&self) -> Result<(), Unproved> {
        /// This many steps take some ten microseconds.
        const INTERVAL: u64 = 4096;
        self.next_question.set(self.steps.get().saturating_add(INTERVAL));
        self.ask()
    }

    /// Checks that this many more bytes may be used for a while.
    pub(crate) fn room(&self, bytes: usize) -> Result<(), Unproved> {
        let bytes = self.bytes.get().saturating_add(bytes as u64);
        let work = Work { steps: self.steps.get(), bytes };
        if (self.go_on)(work) { Ok(()) } else { Err(Unproved::Ended) }
    }

    /// Checks that this many more bytes may be used from now on.
    pub(crate) fn hold(&self, bytes: usize) -> Result<(), Unproved> {
        self.room(bytes)?;
        self.bytes.set(self.bytes.get().saturating_add(bytes as u64));
        Ok(())
    }
}

/// Reads a certificate while the caller lets it continue.
pub(crate) struct Reading<'a> {
    pub(crate) rest: &'a [u8],
    pub(crate) watch: &'a Watch<'a>,
    /// About how many bytes are in use for each value that was read.
    pub(crate) each: usize,
}

impl Read for Reading<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (now, rest) = self.rest.split_at(self.rest.len().min(buffer.len()));
        let values = now.iter().filter(|&&byte| matches!(byte, b',' | b'[' | b'{')).count();
        let held = self.watch.hold(values.saturating_mul(self.each));
        held.map_err(|_| io::Error::other("ended"))?;
        buffer[..now.len()].copy_from_slice(now);
        self.rest = rest;
        Ok(now.len())
    }
}
