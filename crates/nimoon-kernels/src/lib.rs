//! The inner loops of nimoon that use the vector instructions of a processor.
//!
//! There is one question here: which numbers are the nim-sum of two heaps with `total` tokens
//! together? All values are kept in [`Values`]; [`Values::mark`] answers for a few pairs, pair by
//! pair. For many pairs there is a [`Search`]: it is given numbers that were not met yet, and goes
//! through pairs until it knows which of them are met.
//!
//! ```
//! use nimoon_kernels::{Path, Values};
//! let mut values = Values::new(Path::best());
//! for value in [0, 1, 2, 4, 7] {
//!     values.push(Some(value));
//! }
//! // The heaps 1 + 4 and 2 + 3 have the nim-sums 1 ^ 7 = 6 and 2 ^ 4 = 6.
//! let mut seen = vec![0];
//! let mut search = values.search();
//! search.refill(&seen);
//! search.sweep(5, 1..3, &mut seen);
//! assert_eq!(seen, [1 << 6]);
//! assert_eq!(search.next(), u32::MAX);
//! ```
//!
//! Each [`Path`] gives the same answers. It is chosen when the program runs, by what the processor
//! has. All of `unsafe` is in `x86.rs`: loads of vectors from slices whose length was
//! checked, and calls of functions for instructions that the processor was found to have.
//!
//! ## How a vector finds a number
//! A number is cut into digits of 6 bits for AVX-512 and of 4 bits for AVX2, and the digits at one
//! place of all heaps are bytes of one plane. Nim-sums of digits are digits of nim-sums, so two
//! loads and an exclusive or have one digit of 64 or 32 nim-sums. An instruction that looks up all
//! bytes in a table of 64 or 16 entries then says for each which of eight groups of wanted numbers
//! it may belong to, a bit for a group. A group has all its digits above the lowest in common, so a
//! number is wanted exactly if one bit is set in the entries of all its digits.
//!
//! ```text
//! wanted 7, 9 and 70 with digits of 6 bits:    7 = (0, 7), 9 = (0, 9), 70 = (1, 6)
//! group 0 is (0, x), group 1 is (1, x)
//! upper table   0 → 01   1 → 10    others → 00
//! lowest table  7 → 01   9 → 01   6 → 10    others → 00
//! nim-sum 6 = (0, 6): 01 & 10 = 00, not wanted
//! ```

mod portable;
mod search;
mod values;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use search::Search;
pub use values::Values;

/// A set of instructions to search with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// What every processor has.
    Portable,
    /// AVX2 of x86-64.
    Avx2,
    /// AVX-512 of x86-64, with its byte instructions (BW and VBMI).
    Avx512,
}

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
