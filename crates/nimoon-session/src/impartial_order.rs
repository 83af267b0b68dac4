//! How two impartial values compare, and positions that tell them apart.

use std::fmt::Write as _;

use nimoon::impartial::control::{Context, Control};
use nimoon::impartial::representative::Representative;
use nimoon::partizan::order::Relation;
use nimoon::solve::solution::Solution;
use nimoon::{AnyValue, Digraph, Interrupted, Node, Outcome, Theory, Work};
use nimoon_formats::Names;
use nimoon_formats::write::json::{Json, shaped};
use nimoon_formats::write::terminal::visible;
use nimoon_formats::write::{JsonDigraph, UnwritableName, game};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::expression::names_impartial;

/// How two impartial values compare.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ImpartialComparison")]
pub struct ImpartialComparison {
    /// The value of the first.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<AnyValue>")]
    pub a: AnyValue,
    /// The value of the second.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<AnyValue>")]
    pub b: AnyValue,
    /// `=`, `<`, `>` or `||`; `<` means that whatever the first wins beside a sum, the second wins too.
    #[serde(serialize_with = "sign")]
    #[schemars(with = "Option<String>")]
    pub relation: Option<Relation>,
    /// Positions that tell them apart: one beside which the first fares better, and one beside which the second does.
    pub contexts: Vec<ContextReport>,
}

/// A position that tells two values apart.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Context")]
pub struct ContextReport {
    /// A digraph with the position, and with positions of the two values at the nodes `A` and `B`.
    pub digraph: JsonDigraph,
    /// The node of the position.
    pub start: String,
    /// Who wins it beside the first value.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Outcome>")]
    pub first: Outcome,
    /// Who wins it beside the second value.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Outcome>")]
    pub second: Outcome,
    /// The digraph as a `.game` file.
    #[serde(skip)]
    pub file: String,
}

fn sign<S: Serializer>(relation: &Option<Relation>, serializer: S) -> Result<S::Ok, S::Error> {
    relation.map(|relation| relation.to_string()).serialize(serializer)
}

/// Whether a text is an impartial value or position, and not an expression for a partizan game. Numbers and nimbers are both; they are
/// compared as partizan games.
pub fn is_impartial(text: &str) -> bool {
    names_impartial(text)
}

/// The value of a sum of impartial positions, whatever its theory; none if a limit cut the labels short, or something must be
/// answered. `solve` solves it by a theory, or by the smallest that fits.
///
/// # Errors
/// Those of `solve`.
pub fn value<E>(
    mut solve: impl FnMut(Option<Theory>) -> Result<Solution, E>,
) -> Result<Option<Control>, E> {
    // The moon of the entailing theory stands for many values.
    for theory in [None, Some(Theory::General)] {
        let mut solved = solve(theory)?;
        let start = solved.start().clone();
        // Some values are searched for only when they are asked for.
        for component in 0..start.len() {
            solved.label(&start, component);
        }
        if let Some(value) = solved.value(&start).and_then(|value| value.control()) {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

impl ImpartialComparison {
    /// Compares two values.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn new([a, b]: &[Control; 2], work: &mut Work) -> Result<Self, Interrupted> {
        let mut contexts = Vec::new();
        let (better, worse) = (a.context(b, work)?, b.context(a, work)?);
        let relation = match (&better, &worse) {
            (None, None) => Relation::Equal,
            (Some(_), None) => Relation::Greater,
            (None, Some(_)) => Relation::Less,
            (Some(_), Some(_)) => Relation::Incomparable,
        };
        let turned =
            |context: Context| Context { first: context.second, second: context.first, ..context };
        for context in better.into_iter().chain(worse.map(turned)) {
            contexts.push(ContextReport::new(&context, [a, b], work)?);
        }
        let [a, b] = [a, b].map(|value| value.clone().into());
        Ok(Self { a, b, relation: Some(relation), contexts })
    }

    /// The answer in words, for a terminal.
    pub fn text(&self, first: &str, second: &str) -> String {
        let told = match self.relation {
            Some(Relation::Equal) => "A = B: they have the same outcome beside every sum",
            Some(Relation::Greater) => "A > B: whatever B wins beside a sum, A wins too",
            Some(Relation::Less) => "A < B: whatever A wins beside a sum, B wins too",
            Some(Relation::Incomparable) => {
                "A || B: each wins beside some sum that the other does not"
            }
            None => "how A and B compare is not known",
        };
        let mut text = format!("{told}\n\n");
        for (name, given, value) in [("A", first, &self.a), ("B", second, &self.b)] {
            let _ = writeln!(text, "{name}  {}  has value {value}", visible(given));
        }
        for context in &self.contexts {
            let ContextReport { start, first, second, file, .. } = context;
            let _ = write!(
                text,
                "\nBeside {start} of this digraph A is {first} and B is {second}:\n\n{file}"
            );
        }
        text
    }
}

impl ContextReport {
    fn new(context: &Context, values: [&Control; 2], work: &mut Work) -> Result<Self, Interrupted> {
        let mut names = context.names.clone();
        let mut gray: Vec<Node> = context.digraph.gray_nodes().collect();
        let mut arcs: Vec<(Node, Node)> = context.digraph.arcs().collect();
        for (name, value) in ["A", "B"].into_iter().zip(values) {
            let Representative { digraph, names: own, start } = value.representative(work)?;
            let offset = names.len() as Node;
            names.extend((0..).zip(own).map(|(node, own)| {
                if node == start { name.to_owned() } else { format!("{name}.{own}") }
            }));
            gray.extend(digraph.gray_nodes().map(|node| node + offset));
            arcs.extend(digraph.arcs().map(|(from, to)| (from + offset, to + offset)));
        }
        let digraph = Digraph::new(names.len(), gray, arcs)
            .unwrap_or_else(|_| unreachable!("all arcs lead to nodes that were added"));
        let start = names[context.start as usize].clone();
        let names: Names = names.iter().collect();
        let (first, second) = (context.first, context.second);
        let written = game(&digraph, &names);
        let file = written.unwrap_or_else(|UnwritableName { name }| {
            unreachable!("the name {name} can be written")
        });
        let file = format!(
            "# nimoon sum FILE A {start}: {first}; nimoon sum FILE B {start}: {second}\n{file}"
        );
        let digraph = JsonDigraph::new(&digraph, &names);
        Ok(Self { digraph, start, first, second, file })
    }
}
