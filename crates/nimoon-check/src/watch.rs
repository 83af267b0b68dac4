//! What ends a check that takes too long, or too much memory.
//!
//! Whoever checks is asked now and then whether to go on: while the certificate is read, and once in some thousand steps
//! afterwards. What is ended proves nothing and refutes nothing.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};

use crate::Rejection;

/// What a check has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// How many statements, and moves that they speak of, were looked at.
    pub steps: u64,
    /// About how many bytes are held, beside the certificate as it was given.
    pub bytes: u64,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// A statement in it is not right, or not shown to be.
    Wrong(Rejection),
    /// Somebody said not to go on.
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

/// What was not looked at to its end is not accepted either.
impl From<Unproved> for Rejection {
    fn from(unproved: Unproved) -> Self {
        match unproved {
            Unproved::Wrong(rejection) => rejection,
            Unproved::Ended => Self::new("certificate", "it was not looked at to its end"),
        }
    }
}

/// Counts what is done, and asks whether to go on.
pub(crate) struct Watch<'a> {
    go_on: &'a dyn Fn(Work) -> bool,
    steps: Cell<u64>,
    bytes: Cell<u64>,
    /// When there are more steps than these, it is time to ask.
    unasked: Cell<u64>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(go_on: &'a dyn Fn(Work) -> bool) -> Self {
        Self { go_on, steps: Cell::new(0), bytes: Cell::new(0), unasked: Cell::new(0) }
    }

    /// Asks at once.
    pub(crate) fn ask(&self) -> Result<(), Unproved> {
        self.room(0)
    }

    /// Counts steps.
    #[inline]
    pub(crate) fn step(&self, steps: usize) -> Result<(), Unproved> {
        self.steps.set(self.steps.get().saturating_add(steps as u64));
        if self.steps.get() > self.unasked.get() { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<(), Unproved> {
        /// So many steps take some ten microseconds.
        const UNASKED: u64 = 4096;
        self.unasked.set(self.steps.get().saturating_add(UNASKED));
        self.ask()
    }

    /// Whether so many bytes more may be held for a while.
    pub(crate) fn room(&self, bytes: usize) -> Result<(), Unproved> {
        let bytes = self.bytes.get().saturating_add(bytes as u64);
        let work = Work { steps: self.steps.get(), bytes };
        if (self.go_on)(work) { Ok(()) } else { Err(Unproved::Ended) }
    }

    /// Whether so many bytes more may be held from now on.
    pub(crate) fn hold(&self, bytes: usize) -> Result<(), Unproved> {
        self.room(bytes)?;
        self.bytes.set(self.bytes.get().saturating_add(bytes as u64));
        Ok(())
    }
}

/// A certificate that is read as long as one may go on.
pub(crate) struct Reading<'a> {
    pub(crate) rest: &'a [u8],
    pub(crate) watch: &'a Watch<'a>,
    /// How many bytes are held for each value that is read, about.
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
