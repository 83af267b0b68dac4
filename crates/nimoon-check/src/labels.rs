//! Labels of a digraph, and sums on it: the theory, and the claim.

use serde::Deserialize;

use crate::control::{Checked, NodeValue};
use crate::format::{Digraph, Label, Outcomes, Rows};
use crate::heaps::Ranks;
use crate::sum::Sum;
use crate::watch::{Unproved, Watch};
use crate::{Claim, Rejection, acyclic, heaps, levels, rules, sum};

/// The theories, with the digraphs that they fit.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Theory {
    /// No cycles, no gray nodes.
    Short,
    /// No gray nodes.
    Cyclic,
    /// No cycles.
    Entailing,
    /// Gray nodes with at most one option.
    CarryOn,
    /// Any digraph.
    General,
}

impl Theory {
    fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Cyclic => "cyclic",
            Self::Entailing => "entailing",
            Self::CarryOn => "carry-on",
            Self::General => "general",
        }
    }
}

/// A certificate of labels, and of a sum.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Certificate {
    #[serde(rename = "certificate")]
    _kind: String,
    #[serde(rename = "version")]
    _version: u32,
    theory: Theory,
    /// The rulesets whose positions the nodes are.
    rules: Option<Vec<String>>,
    /// The scripts whose positions they are. The checker knows nothing about them, whatever their
    /// names are.
    scripts: Option<Vec<String>>,
    nodes: Vec<String>,
    gray: Vec<u32>,
    options: Rows,
    values: Vec<Label>,
    order: Option<Vec<u32>>,
    ranks: Option<Ranks>,
    /// The values of white nodes in the general theory.
    control: Option<Vec<NodeValue>>,
    sum: Option<Sum>,
}

/// Checks labels under a theory. The proof is an order of assignment, or ranks in the general
/// theory.
///
/// # Errors
/// The first wrong label.
pub fn check_labels(
    digraph: &Digraph,
    theory: Theory,
    labels: &[Label],
    order: Option<&[u32]>,
    ranks: Option<&Ranks>,
) -> Result<(), Rejection> {
    Ok(watched(digraph, theory, labels, (order, ranks), &Watch::new(&|_| true))?)
}

/// The same within the limits of `watch`.
fn watched(
    digraph: &Digraph,
    theory: Theory,
    labels: &[Label],
    (order, ranks): (Option<&[u32]>, Option<&Ranks>),
    watch: &Watch,
) -> Result<(), Unproved> {
    if labels.len() != digraph.len() {
        return Err(Unproved::wrong("values", "expected one for each node"));
    }
    if matches!(theory, Theory::Short | Theory::Cyclic)
        && let Some(gray) = digraph.nodes().find(|&node| digraph.is_gray(node))
    {
        return Err(digraph.reject("gray", gray, "the theory is for digraphs without gray nodes"));
    }
    match (theory, order, ranks) {
        (Theory::Short | Theory::Entailing, Some(order), None) => {
            acyclic::check(digraph, labels, order, watch)
        }
        (Theory::Cyclic | Theory::CarryOn, Some(order), None) => {
            levels::check(digraph, labels, order, watch)
        }
        (Theory::General, None, Some(ranks)) => heaps::check(digraph, labels, ranks, watch),
        _ => Err(Unproved::wrong(
            "theory",
            "labels of the general theory need `ranks`, all others need `order`",
        )),
    }
}

fn counted_nodes(number: usize) -> String {
    let have = if number == 1 { "has" } else { "have" };
    format!("{number} of them {have}")
}

/// The outcomes of all nodes beside heaps, as the general theory lists them.
fn outcomes(labels: &[Label]) -> Result<Vec<&Outcomes>, Unproved> {
    let outcomes = labels.iter().map(|label| match label {
        Label::Outcomes(outcomes) => Some(&**outcomes),
        _ => None,
    });
    outcomes.collect::<Option<_>>().ok_or_else(|| {
        Unproved::wrong("control", "values of this kind belong to the general theory")
    })
}

pub(crate) fn check(certificate: Certificate, watch: &Watch) -> Result<Claim, Unproved> {
    let Certificate {
        theory,
        rules,
        scripts,
        nodes,
        gray,
        options,
        values,
        order,
        ranks,
        control,
        sum,
        ..
    } = certificate;
    let digraph = Digraph::watched(nodes, &gray, options, watch)?;
    watched(&digraph, theory, &values, (order.as_deref(), ranks.as_ref()), watch)?;
    let given = match (&rules, &scripts) {
        (None, None) => vec!["the digraph as it is listed".to_owned()],
        (rules, scripts) => {
            let [rules, scripts] = [rules, scripts].map(|names| names.as_deref().unwrap_or(&[]));
            rules::check(&digraph, rules, scripts, watch)?
        }
    };
    let checked = match &control {
        Some(listed) => {
            let mut checked = Checked::new(&digraph, outcomes(&values)?, watch)?;
            checked.check_values(listed, watch)?;
            Some(checked)
        }
        None => None,
    };
    let size = digraph.size();
    let theory_name = theory.name();
    let Some(claimed) = &sum else {
        let sentence = format!(
            "in the digraph of {size} all nodes have the values listed, by the {theory_name} \
             theory{}",
            match &control {
                Some(listed) => format!(", and {} the terms listed", counted_nodes(listed.len())),
                None => String::new(),
            }
        );
        return Ok(Claim { sentence, given });
    };
    let by_strategy = sum::check(&digraph, theory, &values, checked.as_ref(), claimed, watch)?;
    let pieces: Vec<String> =
        claimed.pieces.iter().take(8).map(|&node| digraph.quoted(node)).collect();
    let more = if claimed.pieces.len() > 8 { " + …" } else { "" };
    let shown = if by_strategy {
        "by a strategy that answers every move".to_owned()
    } else {
        format!("by the values of the components and the algebra of the {theory_name} theory")
    };
    let turn = claimed.turn.as_ref().map_or("", |turn| match turn.kind {
        sum::Kind::Winning => ", and the turn listed wins",
        sum::Kind::Drawing => ", and the turn listed keeps the draw",
        sum::Kind::Losing => ", and the turn listed is legal",
        sum::Kind::None => ", and there is no move",
    });
    let sentence = format!(
        "in the sum of {}{more} {}{turn}, shown {shown}; all nodes of the digraph of {size} have \
         the values listed, by the {theory_name} theory",
        if pieces.is_empty() { "no pieces".to_owned() } else { pieces.join(" + ") },
        claimed.outcome.words(),
    );
    Ok(Claim { sentence, given })
}
