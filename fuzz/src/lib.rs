//! The targets of the fuzzer: they take any bytes and panic if nimoon is wrong.
//!
//! A [`Target`] is a plain function, so that every input that was ever found is also an ordinary
//! test (`tests/finds.rs`). The fuzzer varies its inputs so that they reach new code.
//! `fuzz/README.md` describes how to run it.
//!
//! | targets | what must be true |
//! |---|---|
//! | `json` `game` `dot` `edges` `aut` `pgsolver` `partizan` | any bytes are a graph or an error with its place; written files are read back |
//! | `values` `loopy` `affine` `ordinals` `compounds` `unicycles` `rulesets` `expressions` `tables` `periods` | parse, print, parse again: equal |
//! | `labels` `turns` `sides` `together` | arbitrary small games, against the oracle |
//! | `scripts` | any script ends within its limits |
//! | `checkpoint` `store` `certificate` `forged` `cluster` | any bytes are rejected, or their contents are true |
//! | `api` | any request is answered, never by a fault of the server |

mod bytes;
mod digraph;
mod limits;
mod seeds;
mod targets;

pub use seeds::{dictionary, seeds};

/// A function that takes any bytes, and panics if nimoon is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// A description.
    pub about: &'static str,
    /// The function.
    pub run: fn(&[u8]),
    /// The most bytes of an input that the fuzzer tries.
    pub most: usize,
}

impl Target {
    /// All targets in the order of a run: those whose finds would be wrong answers come first.
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
