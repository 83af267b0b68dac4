//! What is fuzzed: targets that take any bytes and panic where nimoon is wrong.
//!
//! A [`Target`] is a plain function, so that every input that was ever found is also an ordinary test (`tests/finds.rs`). The
//! fuzzer calls it with inputs that it varies such that they reach new code. `fuzz/README.md` tells how to run it.
//!
//! | targets | what must hold |
//! |---|---|
//! | `json` `game` `dot` `edges` `aut` `pgsolver` `partizan` | any bytes are a graph or an error with its place; what is written is read back |
//! | `values` `loopy` `affine` `ordinals` `compounds` `unicycles` `rulesets` `expressions` `tables` `periods` | parse, print, parse again: equal |
//! | `labels` `turns` `sides` `together` | arbitrary small games, against the oracle |
//! | `scripts` | any script comes to an end within its limits |
//! | `checkpoint` `store` `certificate` `forged` `cluster` | any bytes are refused, or what is in them is true |
//! | `api` | any request is answered, never by a fault of the server |

mod bytes;
mod digraph;
mod limits;
mod seeds;
mod targets;

pub use seeds::{dictionary, seeds};

/// Something that takes any bytes, and panics where nimoon is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// Takes an input.
    pub run: fn(&[u8]),
    /// The most bytes of an input that the fuzzer tries.
    pub most: usize,
}

impl Target {
    /// All targets. The order is that of a run: those whose finds would be wrong answers come first.
    pub const ALL: &'static [Self] = targets::ALL;

    /// The target of this name.
    ///
    /// ```
    /// use nimoon_fuzz::Target;
    /// let json = Target::find("json").unwrap();
    /// (json.run)(b"no JSON, and no panic");
    /// assert!(Target::find("yaml").is_none());
    /// ```
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|target| target.name == name)
    }
}
