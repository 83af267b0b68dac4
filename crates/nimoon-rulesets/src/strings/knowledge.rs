//! What is known of positions, in the table of this run and in the memory of all runs.

use nimoon::ruleset::memory::Memory;

use super::table::{Cost, Known, Table};
use super::{NAME_IN_MEMORY, PACKED};

/// Finding again what took fewer positions is faster than recalling it.
const WORTH_KEEPING: u64 = 256;

/// Graphs with fewer chains are not recalled from the memory.
const LARGE: usize = 12;

/// A table, and the memory behind it if there is one.
#[derive(Clone, Copy)]
pub(super) struct Knowledge<'a> {
    table: &'a Table,
    memory: Option<&'a dyn Memory>,
}

impl<'a> Knowledge<'a> {
    pub(super) fn new(table: &'a Table, memory: Option<&'a dyn Memory>) -> Self {
        Self { table, memory }
    }

    /// What the table knows.
    pub(super) fn get(&self, hash: u64, code: &[u8]) -> Known {
        self.table.get(hash, code)
    }

    /// Adds to the table what was found by looking at this many positions.
    pub(super) fn put(&self, hash: u64, code: &[u8], known: Known, positions: u64) {
        self.table.put(hash, code, known, Cost::of(positions));
    }

    /// Recalls from the memory what the table does not have; whether it had more.
    pub(super) fn recall(&self, hash: u64, code: &[u8]) -> bool {
        let Some(memory) = self.memory.filter(|_| is_large(code)) else { return false };
        let Some(&[byte]) = memory.recall(NAME_IN_MEMORY, &key(code)).as_deref() else {
            return false;
        };
        let known = self.get(hash, code);
        let more = Known::from_byte(byte).with(known);
        if more == known {
            return false;
        }
        self.put(hash, code, more, WORTH_KEEPING);
        true
    }

    /// Gives the memory what the table knows, if it took long to find out.
    pub(super) fn keep(&self, hash: u64, code: &[u8], positions: u64) {
        let Some(memory) = self.memory else { return };
        if positions < WORTH_KEEPING || !is_large(code) {
            return;
        }
        let known = self.get(hash, code);
        if known != Known::default() {
            memory.keep(NAME_IN_MEMORY, &key(code), &[known.byte()]);
        }
    }
}

fn is_large(code: &[u8]) -> bool {
    usize::from(code[0]) >= LARGE
}

/// By what the memory knows a code.
fn key(code: &[u8]) -> Vec<u8> {
    [&[PACKED], code].concat()
}
