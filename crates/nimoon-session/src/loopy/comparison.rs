//! How two loopy partizan games compare, as far as that is known.

use nimoon::partizan::order::{Comparison, Relation, ge_plus};
use nimoon::{Interrupted, Work, partizan::Stoppers};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::LoopyGame;
use nimoon_formats::write::terminal::visible;

/// How two games compare.
///
/// What is known comes from onsides and offsides where they are known, for they are small, and else
/// from the graphs as given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Comparison")]
pub struct ComparisonReport {
    /// Whether the first is at least the second, if Left wins endless play; null where that is not
    /// known.
    pub ge_plus: Option<bool>,
    /// The same, if Right wins it.
    pub ge_minus: Option<bool>,
    /// Whether the first is at most the second, if Left wins endless play.
    pub le_plus: Option<bool>,
    /// The same, if Right wins it.
    pub le_minus: Option<bool>,
    /// How they compare, if all is known: `=`, `>`, `<` or `||`.
    #[serde(serialize_with = "sign")]
    #[schemars(with = "Option<String>")]
    pub relation: Option<Relation>,
}

fn sign<S: Serializer>(relation: &Option<Relation>, serializer: S) -> Result<S::Ok, S::Error> {
    relation.map(|relation| relation.to_string()).serialize(serializer)
}

impl ComparisonReport {
    /// Finds out how two games compare; what was found before the budget was hit stays.
    ///
    /// # Errors
    /// When the budget was hit.
    pub fn find(
        &mut self,
        games: &[LoopyGame; 2],
        stoppers: &mut Stoppers,
        work: &mut Work,
    ) -> Result<(), Interrupted> {
        let found = self.find_orders(games, stoppers, work);
        self.relation = self.relation();
        found
    }

    fn find_orders(
        &mut self,
        [a, b]: &[LoopyGame; 2],
        stoppers: &mut Stoppers,
        work: &mut Work,
    ) -> Result<(), Interrupted> {
        let plus = a.sides.onside.zip(b.sides.onside);
        let minus = a.sides.offside.zip(b.sides.offside);
        if let Some((a, b)) = plus {
            self.ge_plus = Some(stoppers.ge(a, b, work)?);
            self.le_plus = Some(stoppers.ge(b, a, work)?);
        }
        if let Some((a, b)) = minus {
            self.ge_minus = Some(stoppers.ge(a, b, work)?);
            self.le_minus = Some(stoppers.ge(b, a, work)?);
        }
        if plus.is_some() && minus.is_some() {
            return Ok(());
        }
        if let Some(interrupted) = a.interrupted.or(b.interrupted) {
            return Err(interrupted);
        }
        let (Some(a), Some(b)) = (a.given(stoppers, work)?, b.given(stoppers, work)?) else {
            return Ok(());
        };
        let (first, second) = ((&a.graph, a.start), (&b.graph, b.start));
        if plus.is_none() {
            self.ge_plus = Some(ge_plus(first, second, work)?);
            self.le_plus = Some(ge_plus(second, first, work)?);
        }
        if minus.is_none() {
            // The minus-values of games are the plus-values of their negatives, in reverse order.
            let [a, b] = [a.graph.negative(), b.graph.negative()];
            let (first, second) = ((&a, first.1), (&b, second.1));
            self.ge_minus = Some(ge_plus(second, first, work)?);
            self.le_minus = Some(ge_plus(first, second, work)?);
        }
        Ok(())
    }

    fn relation(&self) -> Option<Relation> {
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
        let reply = match self.relation {
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
            "{reply}\n\nA  {}\nB  {}\n\nendless play is won by  A ≥ B      A ≤ B\n\
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
