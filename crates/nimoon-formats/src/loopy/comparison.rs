//! How two loopy partizan games compare, as far as that is known.

use nimoon::loopy::order::{Comparison, Relation, ge_plus};
use nimoon::loopy::{Effort, Interrupted, Stoppers};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::LoopyGame;
use crate::write::terminal::visible;

/// What is known of the four relations: from onsides and offsides where they are known, for they are
/// small, and else from the graphs as given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComparisonReport {
    /// Whether the first is at least the second, if endless play is won by Left.
    pub ge_plus: Option<bool>,
    /// The same, if it is won by Right.
    pub ge_minus: Option<bool>,
    /// Whether the first is at most the second, if endless play is won by Left.
    pub le_plus: Option<bool>,
    /// The same, if it is won by Right.
    pub le_minus: Option<bool>,
}

impl ComparisonReport {
    /// Finds out how two games compare; what was found before the budget was hit stays.
    ///
    /// # Errors
    /// When the budget was hit.
    pub fn find(
        &mut self,
        [a, b]: &[LoopyGame; 2],
        stoppers: &mut Stoppers,
        effort: &mut Effort,
    ) -> Result<(), Interrupted> {
        let plus = a.sides.onside.zip(b.sides.onside);
        let minus = a.sides.offside.zip(b.sides.offside);
        if let Some((a, b)) = plus {
            self.ge_plus = Some(stoppers.ge(a, b, effort)?);
            self.le_plus = Some(stoppers.ge(b, a, effort)?);
        }
        if let Some((a, b)) = minus {
            self.ge_minus = Some(stoppers.ge(a, b, effort)?);
            self.le_minus = Some(stoppers.ge(b, a, effort)?);
        }
        if plus.is_some() && minus.is_some() {
            return Ok(());
        }
        if let Some(interrupted) = a.interrupted.or(b.interrupted) {
            return Err(interrupted);
        }
        let (Some(a), Some(b)) = (a.given(stoppers, effort)?, b.given(stoppers, effort)?) else {
            return Ok(());
        };
        let (first, second) = ((&a.graph, a.start), (&b.graph, b.start));
        if plus.is_none() {
            self.ge_plus = Some(ge_plus(first, second, effort)?);
            self.le_plus = Some(ge_plus(second, first, effort)?);
        }
        if minus.is_none() {
            // The minus-values of games are the plus-values of their negatives, in reverse order.
            let [a, b] = [a.graph.negative(), b.graph.negative()];
            let (first, second) = ((&a, first.1), (&b, second.1));
            self.ge_minus = Some(ge_plus(second, first, effort)?);
            self.le_minus = Some(ge_plus(first, second, effort)?);
        }
        Ok(())
    }

    /// How the games compare, if all is known.
    pub fn relation(&self) -> Option<Relation> {
        let comparison = Comparison {
            ge_plus: self.ge_plus?,
            ge_minus: self.ge_minus?,
            le_plus: self.le_plus?,
            le_minus: self.le_minus?,
        };
        Some(comparison.relation())
    }

    /// The answer in words, for a terminal.
    pub fn text(&self, first: &str, second: &str) -> String {
        let told = match self.relation() {
            Some(Relation::Equal) => "A = B: they are equal",
            Some(Relation::Greater) => "A > B: A is better for Left",
            Some(Relation::Less) => "A < B: B is better for Left",
            Some(Relation::Incomparable) => "A || B: neither is better for Left in all sums",
            None => "how A and B compare is not known",
        };
        let cell = |known: Option<bool>| match known {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not known",
        };
        format!(
            "{told}\n\nA  {}\nB  {}\n\nendless play is won by  A ≥ B      A ≤ B\n\
             ──────────────────────  ─────────  ─────────\n{:22}  {:9}  {}\n{:22}  {:9}  {}\n",
            visible(first),
            visible(second),
            "Left",
            cell(self.ge_plus),
            cell(self.le_plus),
            "Right",
            cell(self.ge_minus),
            cell(self.le_minus),
        )
    }
}

impl Serialize for ComparisonReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("ge_plus", &self.ge_plus)?;
        map.serialize_entry("ge_minus", &self.ge_minus)?;
        map.serialize_entry("le_plus", &self.le_plus)?;
        map.serialize_entry("le_minus", &self.le_minus)?;
        map.serialize_entry("relation", &self.relation().map(|relation| relation.to_string()))?;
        map.end()
    }
}
