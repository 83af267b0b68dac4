//! The values of a table: of heaps one after the other, or of positions that were explored.

use nimoon::{AnyValue, EntailingValue, Theory, Value};

/// A position of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The theory of its value.
    pub theory: Theory,
    /// The value; none where no algebra is known for the position.
    pub value: Option<AnyValue>,
}

impl Row {
    /// Whether the value is a moon, full or not.
    pub fn is_moon(&self) -> bool {
        matches!(
            self.value,
            Some(
                AnyValue::Entailing(EntailingValue::Moon)
                    | AnyValue::CarryOn(Value::Moon(_) | Value::FullMoon)
            )
        )
    }
}

/// The rows of a table that are known, without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rows {
    /// The values of the heaps 0, 1, 2, …
    Heaps(Vec<EntailingValue>),
    /// What was explored, from the row with this number on.
    Explored {
        /// The number of the first row.
        first: u64,
        /// The rows.
        rows: Vec<Row>,
    },
}

/// The same, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownRows<'a> {
    /// The values of the heaps 0, 1, 2, …
    Heaps(&'a [EntailingValue]),
    /// What was explored, from the row with this number on.
    Explored {
        /// The number of the first row.
        first: u64,
        /// The rows.
        rows: &'a [Row],
    },
}

impl Rows {
    /// These rows, borrowed.
    pub fn known(&self) -> KnownRows<'_> {
        match self {
            Self::Heaps(values) => KnownRows::Heaps(values),
            Self::Explored { first, rows } => KnownRows::Explored { first: *first, rows },
        }
    }

    /// The row with this number, if it is known.
    ///
    /// ```
    /// use nimoon::EntailingValue::{Moon, Nimber};
    /// use nimoon_formats::sequence::Rows;
    /// let rows = Rows::Heaps(vec![Nimber(0), Moon]);
    /// assert!(rows.row(1).unwrap().is_moon());
    /// assert_eq!(rows.row(2), None);
    /// ```
    pub fn row(&self, number: u64) -> Option<Row> {
        match self {
            Self::Heaps(values) => {
                let value = *values.get(usize::try_from(number).ok()?)?;
                let value = Some(AnyValue::Entailing(value));
                Some(Row { theory: Theory::Entailing, value })
            }
            Self::Explored { first, rows } => {
                rows.get(usize::try_from(number.checked_sub(*first)?).ok()?).cloned()
            }
        }
    }
}

impl KnownRows<'_> {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Heaps(values) => values.len(),
            Self::Explored { rows, .. } => rows.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
