//! From digraphs to forms and back.
//!
//! A white node x becomes the form whose Left options are those of x, as the following says, and
//! whose Right options are their conjugates.
//!
//! ```text
//!   x ──► y white         the form of y
//!   x ──► g gray          {∞ | Right's answers}: the opponent must answer at g, or lose
//!   x without options     −∞: a player who cannot move loses
//! ```
//!
//! Back, symmetric quiet forms become white nodes and checks gray ones. A check of Left and its
//! conjugate are one gray node; an answer that wins at once leads to a gray node without options.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::forms::{Form, Forms};
use super::impartial::NotAffineImpartial;
use crate::graph::digraph::{Digraph, Node};
use crate::impartial::theory::{Refutation, Theory, label};
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// Why a node of a digraph has no form.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConvertError {
    /// The node can reach a cycle: each node leads to the next, the last to the first.
    #[error(
        "there is a cycle, and affine forms have none: use `nimoon label` for values with cycles, or `nimoon loopy` for partizan games"
    )]
    Cycle(Vec<Node>),
    /// The node is gray: it has one form after a move of Left, and another after one of Right.
    #[error(
        "the node is gray: a piece there must be moved at once, and has a form only as an option"
    )]
    Gray(Node),
    /// The budget was hit.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// A digraph with a node that is worth what a form is.
#[derive(Clone, Debug)]
pub struct FormDigraph {
    /// White and gray nodes.
    pub digraph: Digraph,
    /// The node of the form.
    pub start: Node,
    /// For each node what it stands for: a form, or a check of Left; none for the gray node at
    /// which the player to move has lost.
    pub forms: Vec<Option<Form>>,
}

impl Forms {
    /// The literal form of a white node of a digraph without cycles.
    ///
    /// ```
    /// use nimoon::Digraph;
    /// use nimoon::{Work, affine::Forms};
    /// // 0 is terminal, 1 is gray and leads to it, 2 may move to either.
    /// let digraph = Digraph::new(3, [1], vec![(1, 0), (2, 0), (2, 1)]).unwrap();
    /// let mut forms = Forms::new();
    /// let form = forms.of_digraph(&digraph, 2, &mut Work::default()).unwrap();
    /// assert_eq!(forms.text(form), "{{oo|0},0|{0|-oo},0}");
    /// ```
    ///
    /// # Errors
    /// When the node is gray or leads to a cycle, or the work is interrupted.
    pub fn of_digraph(
        &mut self,
        digraph: &Digraph,
        node: Node,
        work: &mut Work,
    ) -> Result<Form, ConvertError> {
        if digraph.is_gray(node) {
            return Err(ConvertError::Gray(node));
        }
        let mut reached = digraph.followers(&[node]);
        reached.sort_unstable();
        let places: FxHashMap<Node, Node> = reached.iter().copied().zip(0..).collect();
        let arcs = reached.iter().flat_map(|from| {
            let from_place = places[from];
            digraph.options(*from).iter().map(|to| (from_place, places[to])).collect::<Vec<_>>()
        });
        let gray = reached.iter().filter(|&&node| digraph.is_gray(node)).map(|node| places[node]);
        let part = Digraph::new(reached.len(), gray.collect::<Vec<_>>(), arcs.collect())
            .map_err(|_| Interrupted::positions(reached.len() as u64))?;
        // The entailing theory needs an order with options first, and says where there is a cycle.
        let order = match label(&part, Some(Theory::Entailing), &*work) {
            Ok(labelling) => match labelling.interrupted() {
                None => labelling.order().to_vec(),
                Some(interrupted) => return Err(interrupted.into()),
            },
            Err(error) => {
                let Refutation::Cycle(cycle) = error.refutation else { return Ok(Form::ZERO) };
                let cycle = cycle.into_iter().map(|node| reached[node as usize]).collect();
                return Err(ConvertError::Cycle(cycle));
            }
        };
        // For a gray node, its form after a move of Left.
        let mut found = vec![Form::ZERO; part.len()];
        for node in order {
            self.step(work)?;
            let options: Vec<Form> =
                part.options(node).iter().map(|&option| found[option as usize]).collect();
            let mut conjugates = Vec::with_capacity(options.len());
            for &option in &options {
                work.count()?;
                conjugates.push(self.conjugate(option, work)?);
            }
            found[node as usize] = if part.is_gray(node) {
                self.braces([Form::INFINITY], conjugates)
            } else {
                self.braces(options, conjugates)
            };
        }
        Ok(found[places[&node] as usize])
    }

    /// A digraph with a node of the same value as an affine impartial form.
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// use nimoon::{Limits, label};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let form = forms.read("{moon,{oo|*}|...}", &mut work).unwrap();
    /// let made = forms.digraph(form, &mut work).unwrap().unwrap();
    /// let labelling = label(&made.digraph, None, &Work::default()).unwrap();
    /// assert_eq!(labelling.value(made.start).unwrap().to_string(), "1");
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted, outside; inside, why the form is not affine impartial.
    pub fn digraph(
        &mut self,
        form: Form,
        work: &mut Work,
    ) -> Result<Result<FormDigraph, NotAffineImpartial>, Interrupted> {
        if let Err(reason) = self.affine_impartial(form, work)? {
            return Ok(Err(reason));
        }
        let mut nodes = Nodes { forms: vec![Some(form)], ..Nodes::default() };
        nodes.of_form.insert(form, 0);
        let mut next = 0;
        while let Some(&stands_for) = nodes.forms.get(next) {
            let from = next as Node;
            next += 1;
            let Some(here) = stands_for else { continue };
            work.count()?;
            // At a gray node Right is to move, and sees Left's options of the conjugate.
            let mirrored = if from != 0 && nodes.gray[next - 1] {
                self.known_conjugate(here).unwrap_or(here)
            } else {
                here
            };
            for &option in self.options(mirrored, Player::Left) {
                work.count()?;
                if option == Form::INFINITY {
                    let lost = nodes.lost();
                    nodes.arcs.push((from, lost));
                } else if self.is_check(option, Player::Left) || self.is_quiet(option) {
                    let gray = !self.is_quiet(option);
                    let to = nodes.node(option, gray);
                    nodes.arcs.push((from, to));
                }
                // −∞ and forms in which Right has −∞ lose at once, as having no such move does.
            }
        }
        let Nodes { forms, gray, arcs, .. } = nodes;
        let gray = (0..).zip(gray).filter(|(_, gray)| *gray).map(|(node, _)| node);
        let digraph = Digraph::new(forms.len(), gray.collect::<Vec<Node>>(), arcs)
            .map_err(|_| Interrupted::positions(u64::from(Node::MAX)))?;
        Ok(Ok(FormDigraph { digraph, start: 0, forms }))
    }
}

/// The nodes of a digraph that is being made.
#[derive(Default)]
struct Nodes {
    forms: Vec<Option<Form>>,
    gray: Vec<bool>,
    arcs: Vec<(Node, Node)>,
    of_form: FxHashMap<Form, Node>,
    lost: Option<Node>,
}

impl Nodes {
    fn push(&mut self, form: Option<Form>, gray: bool) -> Node {
        // The first one is white.
        self.gray.resize(self.forms.len(), false);
        self.forms.push(form);
        self.gray.push(gray);
        (self.forms.len() - 1) as Node
    }

    fn node(&mut self, form: Form, gray: bool) -> Node {
        if let Some(&node) = self.of_form.get(&form)
            && (node != 0 || !gray)
        {
            return node;
        }
        let node = self.push(Some(form), gray);
        self.of_form.insert(form, node);
        node
    }

    /// The gray node without options.
    fn lost(&mut self) -> Node {
        if let Some(lost) = self.lost {
            return lost;
        }
        let lost = self.push(None, true);
        *self.lost.insert(lost)
    }
}
