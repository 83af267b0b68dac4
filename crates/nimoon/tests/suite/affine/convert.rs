//! From digraphs and positions to forms, and back.

use nimoon::{
    AnyValue, Digraph, EntailingValue, Limits, Node, Positions, Theory, Work,
    affine::{ConvertError, Form, Forms},
    label,
    solve::affine::PositionError,
};
use nimoon::{
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};
use nimoon_oracle::affine::{Form as Tree, Wins, outcome};
use proptest::prelude::*;

use crate::affine::common::{config, impartial_form, read, steps, tree, work};

/// Heaps of top entails, written by hand so that the engine's own ruleset is not needed.
pub struct TopEntails;

impl Ruleset for TopEntails {
    type Position = Vec<usize>;

    fn name(&self) -> String {
        "heaps".to_owned()
    }

    fn options(&self, heaps: &Vec<usize>) -> impl Iterator<Item = Move<Vec<usize>>> {
        let heap = heaps[0];
        let splits = (1..=heap / 2).map(move |smaller| Move::to(vec![smaller, heap - smaller]));
        let entailing = heap.checked_sub(1).map(|heap| Move::entailing(vec![heap]));
        splits.chain(entailing)
    }

    fn components(&self, heaps: Vec<usize>) -> Vec<Vec<usize>> {
        heaps.into_iter().map(|heap| vec![heap]).collect()
    }

    fn read(&self, text: &str) -> Result<Vec<usize>, NotationError> {
        let heap = text.parse().map_err(|_| NotationError::at(0, "expected a number"))?;
        Ok(vec![heap])
    }

    fn write(&self, heaps: &Vec<usize>) -> String {
        format!("{heaps:?}")
    }
}

impl Notation for TopEntails {}

impl Shortcuts for TopEntails {}

impl TopEntails {
    /// The literal form of a heap, through the explorer.
    pub fn form(forms: &mut Forms, heap: usize) -> Form {
        let mut positions = Interned::new(Self);
        let start = positions.read(&heap.to_string()).expect("a number");
        let fields: Vec<Box<dyn Positions>> = vec![Box::new(positions)];
        forms.of_position(fields, &[(0, start)], &mut work()).expect("within the budget")
    }

    /// The forms of all heaps up to this, from a digraph of all sums of heaps: a gray node for each
    /// heap that must be answered, with what stands beside it.
    pub fn forms_by_digraph(forms: &mut Forms, most: usize) -> Vec<Form> {
        type State = (Option<usize>, Vec<usize>);
        let mut states: Vec<State> = (0..=most).map(|heap| (None, vec![heap])).collect();
        let mut arcs: Vec<(Node, Node)> = Vec::new();
        let mut next = 0;
        while let Some((due, heaps)) = states.get(next).cloned() {
            let movable = due.map_or_else(|| heaps.clone(), |heap| vec![heap]);
            for heap in movable {
                let mut beside = heaps.clone();
                if due.is_none() {
                    let place =
                        beside.iter().position(|&other| other == heap).expect("it is there");
                    beside.remove(place);
                }
                let mut to = |mut state: State| {
                    state.1.sort_unstable();
                    let place = states.iter().position(|other| *other == state);
                    let place = place.unwrap_or_else(|| {
                        states.push(state);
                        states.len() - 1
                    });
                    arcs.push((next as Node, place as Node));
                };
                for smaller in 1..=heap / 2 {
                    to((None, [beside.as_slice(), &[smaller, heap - smaller]].concat()));
                }
                if heap > 0 {
                    to((Some(heap - 1), beside));
                }
            }
            next += 1;
        }
        let gray = (0..).zip(&states).filter(|(_, state)| state.0.is_some()).map(|(node, _)| node);
        let gray: Vec<Node> = gray.collect();
        let digraph = Digraph::new(states.len(), gray, arcs).expect("a digraph");
        let mut form =
            |heap| forms.of_digraph(&digraph, heap as Node, &mut work()).expect("a form");
        (0..=most).map(&mut form).collect()
    }
}

/// A digraph without cycles: whether each node is gray, and the later nodes that it leads to.
fn acyclic(most: usize) -> impl Strategy<Value = (Vec<bool>, Vec<Vec<usize>>)> {
    (1..=most).prop_flat_map(|len| {
        let gray = prop::collection::vec(prop::bool::weighted(0.4), len);
        let options = prop::collection::vec(prop::collection::vec(0..len, 0..4), len);
        (gray, options).prop_map(|(gray, mut options)| {
            for (node, options) in options.iter_mut().enumerate() {
                options.retain(|&to| to < node);
            }
            (gray, options)
        })
    })
}

fn value_of(labelling: &nimoon::Labelling, node: Node) -> Option<EntailingValue> {
    match labelling.value(node)? {
        AnyValue::Entailing(value) => Some(value),
        other => panic!("{other}"),
    }
}

/// The value of a form, and of the digraph that is made of it.
fn both_values(forms: &mut Forms, form: Form) -> [EntailingValue; 2] {
    let worth = forms.impartial(form, &mut work()).expect("within the budget");
    let made = forms.digraph(form, &mut work()).expect("within the budget").expect("impartial");
    let labelling =
        label(&made.digraph, Some(Theory::Entailing), &Work::default()).expect("acyclic");
    let value = value_of(&labelling, made.start).expect("a white node");
    [worth.expect("affine impartial").value, value]
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_form_of_a_node_has_its_value((gray, options) in acyclic(9)) {
        let arcs = (0..).zip(&options);
        let arcs = arcs.flat_map(|(from, to)| to.iter().map(move |&to| (from, to as Node)));
        let gray_nodes: Vec<Node> =
            (0..).zip(&gray).filter(|(_, gray)| **gray).map(|(node, _)| node).collect();
        let digraph = Digraph::new(gray.len(), gray_nodes, arcs.collect()).expect("a digraph");
        let labelling = label(&digraph, Some(Theory::Entailing), &Work::default()).expect("acyclic");
        let mut forms = Forms::new();
        for node in digraph.nodes() {
            let form = forms.of_digraph(&digraph, node, &mut work());
            if digraph.is_gray(node) {
                prop_assert_eq!(form, Err(ConvertError::Gray(node)));
                continue;
            }
            let form = form.expect("a form");
            let value = value_of(&labelling, node).expect("a white node");
            prop_assert_eq!(both_values(&mut forms, form), [value; 2]);
            // By play, too.
            if let (EntailingValue::Nimber(n), true) = (value, forms.birthday(form) < Some(7)) {
                let sum = [tree(&forms, form), Tree::nimber(n as usize)];
                prop_assert_eq!(outcome(&sum), Wins::P);
            }
        }
    }

    #[test]
    fn the_digraph_of_a_form_has_its_value(recipe in steps(8)) {
        let mut forms = Forms::new();
        let form = impartial_form(&mut forms, &recipe);
        let [value, again] = both_values(&mut forms, form);
        prop_assert_eq!(value, again);
        // And back once more.
        let made = forms.digraph(form, &mut work()).unwrap().unwrap();
        let back = forms.of_digraph(&made.digraph, made.start, &mut work()).expect("a form");
        prop_assert_eq!(both_values(&mut forms, back), [value; 2]);
    }
}

#[test]
fn a_form_that_is_not_affine_impartial_has_no_digraph() {
    let mut forms = Forms::new();
    for text in ["1", "oo", "{oo|0}", "{{0|1}|...}"] {
        let form = read(&mut forms, text);
        assert!(forms.digraph(form, &mut work()).unwrap().is_err(), "{text}");
    }
}

#[test]
fn a_cycle_has_no_form_and_is_shown() {
    // 3 leads to the circle 1, 2; 0 does not.
    let digraph = Digraph::new(4, [2], vec![(1, 2), (2, 1), (2, 0), (3, 1)]).unwrap();
    let mut forms = Forms::new();
    let error = forms.of_digraph(&digraph, 3, &mut work()).unwrap_err();
    let ConvertError::Cycle(mut cycle) = error.clone() else { panic!("{error}") };
    cycle.sort_unstable();
    assert_eq!(cycle, [1, 2]);
    assert!(
        error.to_string().contains("`nimoon loopy`")
            && error.to_string().contains("`nimoon label`")
    );
    assert_eq!(forms.of_digraph(&digraph, 0, &mut work()), Ok(Form::ZERO));
}

/// A counter that goes up and down.
struct Swing;

impl Ruleset for Swing {
    type Position = u8;

    fn name(&self) -> String {
        "swing".to_owned()
    }

    fn options(&self, at: &u8) -> impl Iterator<Item = Move<u8>> {
        std::iter::once(Move::again(1 - at))
    }

    fn read(&self, _: &str) -> Result<u8, NotationError> {
        Ok(0)
    }

    fn write(&self, at: &u8) -> String {
        at.to_string()
    }
}

impl Notation for Swing {}

impl Shortcuts for Swing {}

#[test]
fn a_position_that_comes_back_has_no_form() {
    let mut positions = Interned::new(Swing);
    let start = positions.read("0").unwrap();
    let mut forms = Forms::new();
    let found = forms.of_position(vec![Box::new(positions)], &[(0, start)], &mut work());
    assert!(matches!(found, Err(PositionError::Cycle { .. })), "{found:?}");
}

#[test]
fn a_form_beyond_the_budget_says_so() {
    let mut positions = Interned::new(TopEntails);
    let start = positions.read("9").unwrap();
    let mut forms = Forms::new();
    let mut little = Work::new(Limits::new(5_000));
    let found = forms.of_position(vec![Box::new(positions)], &[(0, start)], &mut little);
    assert!(matches!(found, Err(PositionError::Interrupted(_))), "{found:?}");
}
