//! The inner loops of nimoon that use the vector instructions of a processor.
//!
//! They answer one question: which numbers are the nim-sum of two heaps with `total` tokens
//! together? [`Values`] stores all values. A [`Sample`] has all nim-sums of some pairs, pair by
//! pair. For many pairs there is a [`Search`]: it knows which numbers were found, and searches
//! further pairs for the lowest that were not.
//!
//! ```
//! use nimoon_kernels::{Path, Values};
//! let mut values = Values::new(Path::best());
//! for value in [0, 1, 2, 4, 7] {
//!     values.push(Some(value));
//! }
//! // The heaps 1 + 4 and 2 + 3 have the nim-sums 1 ^ 7 = 6 and 2 ^ 4 = 6.
//! let mut search = values.search(5, Vec::new());
//! let end = search.choose(0..u32::MAX, 100);
//! search.sweep(1..3);
//! assert_eq!((search.seen(), end), (&[1 << 6][..], u32::MAX));
//! ```
//!
//! Each [`Path`] gives the same answers, which tests compare. The program chooses one when it runs:
//! the fastest that the processor has, or the one that [`Path::insist`] fixed for the whole
//! process, so that all can be compared on the same tables.
//!
//! This crate has `unsafe` code, under lints of its own: loads and stores of vectors in lists whose
//! length was checked, calls of functions for instructions that the processor was found to have,
//! four half words that are read as one word, and [`ignores_hangup`], which needs `libc` on Unix.
//! There are no other dependencies. Each loop has a portable twin, and tests compare the two.
//!
//! ## How a vector finds a number
//! A number is cut into digits of 6 bits for AVX-512 and of 4 bits for AVX2, and the digits at one
//! place of all heaps are bytes of one plane. Nim-sums of digits are digits of nim-sums, so two
//! loads and an exclusive or have one digit of 64 or 32 nim-sums. An instruction that looks up all
//! bytes in a table of 64 or 16 entries then says for each which of eight groups of wanted numbers
//! it may belong to, with a bit for each group. The numbers of a group agree in all digits above
//! the lowest, so a number is wanted exactly if one bit is set in the entries of all its digits.
//! For more than eight groups there are more sets of tables, up to eight.
//!
//! ```text
//! wanted 7, 9 and 70 with digits of 6 bits:    7 = (0, 7), 9 = (0, 9), 70 = (1, 6)
//! group 0 is (0, x), group 1 is (1, x)
//! upper table   0 → 01   1 → 10    others → 00
//! lowest table  7 → 01   9 → 01   6 → 10    others → 00
//! nim-sum 6 = (0, 6): 01 & 10 = 00, not wanted
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod search;
mod signals;
mod values;

use std::fmt;
use std::sync::OnceLock;

pub use search::Search;
pub use signals::ignores_hangup;
pub use values::{Sample, Values};

/// A set of instructions to search with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Portable code, for every processor.
    Portable,
    /// AVX2 of x86-64.
    Avx2,
    /// AVX-512 of x86-64, with its byte instructions (BW, VBMI and VBMI2).
    Avx512,
}

/// The path that was fixed for the whole program, if any.
static FIXED: OnceLock<Path> = OnceLock::new();

/// Why a path cannot be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// The processor does not have these instructions.
    Unavailable(Path),
    /// Another path was fixed before.
    Settled(Path),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(path) => {
                let available = Path::ALL.into_iter().filter(|path| path.available());
                let available: Vec<_> = available.map(Path::name).collect();
                let name = path.name();
                write!(f, "this processor has no {name}; it has {}", available.join(", "))
            }
            Self::Settled(path) => write!(f, "{} was chosen before", path.name()),
        }
    }
}

impl std::error::Error for PathError {}

impl Path {
    /// All of them, the fastest last.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// Whether this processor has the instructions.
    ///
    /// ```
    /// assert!(nimoon_kernels::Path::Portable.available());
    /// ```
    pub fn available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("bmi2")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The fastest that this processor has.
    ///
    /// ```
    /// assert!(nimoon_kernels::Path::best().available());
    /// ```
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|path| path.available()).unwrap_or(Self::Portable)
    }

    /// The path that was fixed by [`Path::insist`]; default: the fastest that this processor has.
    ///
    /// ```
    /// use nimoon_kernels::Path;
    /// assert_eq!(Path::chosen(), Path::best());
    /// Path::Portable.insist().unwrap();
    /// assert_eq!(Path::chosen(), Path::Portable);
    /// assert!(Path::Avx2.insist().is_err());
    /// ```
    pub fn chosen() -> Self {
        FIXED.get().copied().unwrap_or_else(Self::best)
    }

    /// Fixes this path for the rest of the program.
    ///
    /// # Errors
    /// If the processor does not have the instructions, or if another path was fixed before.
    pub fn insist(self) -> Result<(), PathError> {
        if !self.available() {
            return Err(PathError::Unavailable(self));
        }
        match *FIXED.get_or_init(|| self) {
            settled if settled == self => Ok(()),
            settled => Err(PathError::Settled(settled)),
        }
    }

    /// Its name, as in `avx512`.
    ///
    /// ```
    /// assert_eq!(nimoon_kernels::Path::Avx2.name(), "avx2");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}
