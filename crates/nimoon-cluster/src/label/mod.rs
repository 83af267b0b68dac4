//! The theories by message passing.
//!
//! | theory | module |
//! |---|---|
//! | short, entailing | [`acyclic`]: a node is settled when all of its options are |
//! | cyclic, carry-on | [`chains`], then [`levels`], then [`sets`] |
//! | general | [`general`]: heap by heap |
//! | remoteness | [`remoteness`]: round by round |

pub(crate) mod acyclic;
pub(crate) mod chains;
pub(crate) mod general;
pub(crate) mod levels;
pub(crate) mod remoteness;
pub(crate) mod sets;

use nimoon::{AnyValue, EntailingValue, Label, Theory, Value};
use rustc_hash::FxHashMap;

/// Codes below this are nimbers; the others are places in the list of other labels.
pub(crate) const FIRST_OTHER: u32 = 1 << 31;

/// The labels of a worker's nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) codes: Vec<u32>,
    others: Vec<Label>,
    places: FxHashMap<Label, u32>,
}

impl Labels {
    pub(crate) fn new(len: usize) -> Self {
        Self { codes: vec![0; len], ..Self::default() }
    }

    /// The code of a label that is not a nimber.
    pub(crate) fn code(&mut self, label: Label) -> u32 {
        let others = &mut self.others;
        *self.places.entry(label).or_insert_with_key(|label| {
            others.push(label.clone());
            FIRST_OTHER + (others.len() - 1) as u32
        })
    }

    /// The labels that are not nimbers.
    pub(crate) fn others(&self) -> &[Label] {
        &self.others
    }

    /// The label of a code under a theory.
    pub(crate) fn label(&self, code: u32, theory: Theory) -> Label {
        match code.checked_sub(FIRST_OTHER) {
            Some(place) => self.others[place as usize].clone(),
            None => nimber(code, theory),
        }
    }
}

/// The label of a nimber under a theory.
pub(crate) fn nimber(n: u32, theory: Theory) -> Label {
    let n = u64::from(n);
    Label::White(match theory {
        Theory::Entailing => AnyValue::Entailing(EntailingValue::Nimber(n)),
        _ => AnyValue::CarryOn(Value::Nimber(n)),
    })
}
