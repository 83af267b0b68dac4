//! Rows of tables in a [`Memory`], such as a store.
//!
//! They are written as in a checkpoint. The values of heaps come in pieces, so that a longer table
//! adds to a shorter one; rows that were explored stand together, since they are of one theory.

use std::sync::Arc;
use std::time::Duration;

use nimoon::limits::clock::Instant;
use nimoon::ruleset::memory::Memory;

use nimoon_formats::checkpoint::{Header, read, write};
use nimoon_formats::sequence::{KnownRows, Rows};

/// The rows of one table in a memory.
pub struct KeptRows<M> {
    memory: Arc<M>,
    header: Header,
    /// The table, as the memory knows it.
    name: String,
    /// How many rows the memory has.
    kept: usize,
    last: Instant,
}

/// So many heaps are one entry.
const PIECE: usize = 4096;

impl<M: Memory> KeptRows<M> {
    /// The table with this header.
    pub fn new(memory: Arc<M>, header: Header) -> Self {
        let theory = header.theory.map_or("auto", nimoon::Theory::name);
        let name = format!("{}\ttable\t{theory} {:016x}", header.table, header.files);
        Self { memory, header, name, kept: 0, last: Instant::now() }
    }

    /// The rows that are kept, in place of `nothing`: heaps up to the last one that is asked for.
    pub fn recall(&mut self, nothing: Rows, last: u64) -> Rows {
        let rows = match nothing {
            Rows::Heaps(_) => {
                let mut heaps = Vec::new();
                while heaps.len() as u64 <= last && heaps.len().is_multiple_of(PIECE) {
                    let Some(Rows::Heaps(piece)) = self.entry(&heap_key(heaps.len())) else {
                        break;
                    };
                    if piece.is_empty() || piece.len() > PIECE {
                        break;
                    }
                    heaps.extend(piece);
                }
                Rows::Heaps(heaps)
            }
            Rows::Explored { first, rows } => match self.entry(&explored_key(first)) {
                Some(found @ Rows::Explored { first: of, .. }) if of == first => found,
                _ => Rows::Explored { first, rows },
            },
        };
        self.kept = rows.known().len();
        rows
    }

    fn entry(&self, key: &[u8]) -> Option<Rows> {
        let bytes = self.memory.recall(&self.name, key)?;
        let (header, rows) = read(&bytes).ok()?;
        self.header.check(&header).ok()?;
        Some(rows)
    }

    /// Keeps rows that are known by now, if it is time. Rows that are explored come in pieces, and
    /// the next one may take long.
    pub fn offer(&mut self, known: KnownRows<'_>) {
        const EVERY: Duration = Duration::from_secs(2);
        let is_piece = matches!(known, KnownRows::Explored { .. }) && known.len() > self.kept;
        if is_piece || self.last.elapsed() >= EVERY {
            self.keep(known);
        }
    }

    /// The memory.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// Keeps all rows that are known.
    pub fn keep(&mut self, known: KnownRows<'_>) {
        self.last = Instant::now();
        match known {
            KnownRows::Heaps(heaps) if heaps.len() > self.kept => {
                // The last piece may have grown.
                let first = self.kept / PIECE * PIECE;
                for (number, piece) in heaps[first..].chunks(PIECE).enumerate() {
                    let key = heap_key(first + number * PIECE);
                    self.put(&key, KnownRows::Heaps(piece));
                }
                self.kept = heaps.len();
            }
            // The same number of rows may be new ones, found in a larger theory.
            KnownRows::Explored { first, rows } if rows.len() >= self.kept => {
                self.put(&explored_key(first), known);
                self.kept = rows.len();
            }
            _ => {}
        }
    }

    fn put(&self, key: &[u8], rows: KnownRows<'_>) {
        let mut bytes = Vec::new();
        if write(&self.header, rows, &mut bytes).is_ok()
            && self.memory.recall(&self.name, key).is_none_or(|before| *before != *bytes)
        {
            self.memory.keep(&self.name, key, &bytes);
        }
    }
}

fn heap_key(first: usize) -> Vec<u8> {
    [&b"heaps "[..], &(first as u64).to_le_bytes()].concat()
}

fn explored_key(first: u64) -> Vec<u8> {
    [&b"explored "[..], &first.to_le_bytes()].concat()
}
