//! Labels against the oracle: beside nim-heaps, in products, round by round, and their cost.

use crate::common::{Kind, Plain, config, digraphs, sums_of};
use nimoon::graph::product::product;
use nimoon::impartial::control::Control;
use nimoon::impartial::explain::explain;
use nimoon::impartial::rounds::rounds;
use nimoon::{
    AnyValue, Cover, Digraph, EntailingValue, Label, Node, Outcome, Theory, Value, Work, label,
};
use nimoon_oracle::{Board, Outcome as Brute, Product};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// The largest heap that is put beside a node.
const HEAP: usize = 9;

fn beside_heaps(plain: &Plain) -> Product {
    Product::new(&[&plain.board(), &Board::heap(HEAP)]).expect("small")
}

/// Who wins a node of this label beside *k, as the theory says; none if it does not say.
fn outcome(label: &Label, k: u64) -> Option<Outcome> {
    match label {
        Label::White(AnyValue::CarryOn(value)) => Some((value + &Value::Nimber(k)).outcome()),
        Label::White(AnyValue::Entailing(value)) => {
            Some((*value + EntailingValue::Nimber(k)).outcome())
        }
        Label::White(AnyValue::Control(value)) => {
            let heap = Control::number(k);
            let sum = Control::sum(&[(**value).clone(), heap], &mut Work::default());
            Some(sum.expect("no limit").outcome())
        }
        Label::White(AnyValue::General(outcomes)) | Label::Gray(Some(Cover::Mixed(outcomes))) => {
            outcomes.beside(k)
        }
        Label::Gray(Some(Cover::NewMoon)) => Some(Outcome::P),
        Label::Gray(Some(Cover::FullMoon)) => Some(Outcome::N),
        Label::Gray(Some(Cover::Heaps(set))) => {
            Some(if set.contains(k) { Outcome::P } else { Outcome::N })
        }
        Label::Gray(None) => None,
    }
}

fn check_beside_heaps(plain: &Plain, theory: Option<Theory>) -> Result<(), TestCaseError> {
    let digraph = plain.digraph();
    let labelling = label(&digraph, theory, &Work::default()).expect("fits");
    let brute = beside_heaps(plain);
    for node in digraph.nodes() {
        let label = labelling.label(node);
        let mut draws = false;
        for k in 0..=HEAP {
            let truth = brute.outcome(&[node as usize, k]).expect("a position");
            draws |= truth == Brute::D;
            match outcome(&label, k as u64) {
                Some(said) => prop_assert_eq!(said.to_string(), format!("{truth:?}")),
                None => prop_assert!(matches!(label, Label::Gray(None))),
            }
        }
        // A gray node without a cover is one with a draw somewhere.
        prop_assert!(label != Label::Gray(None) || draws, "node {} of {:?}", node, plain);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn short_labels_hold_beside_heaps(plain in digraphs(Kind::Short, 8)) {
        check_beside_heaps(&plain, Some(Theory::Short))?;
        check_beside_heaps(&plain, Some(Theory::CarryOn))?;
    }

    #[test]
    fn cyclic_labels_hold_beside_heaps(plain in digraphs(Kind::Cyclic, 8)) {
        check_beside_heaps(&plain, Some(Theory::Cyclic))?;
        check_beside_heaps(&plain, Some(Theory::General))?;
    }

    #[test]
    fn entailing_labels_hold_beside_heaps(plain in digraphs(Kind::Entailing, 8)) {
        check_beside_heaps(&plain, Some(Theory::Entailing))?;
        check_beside_heaps(&plain, Some(Theory::General))?;
    }

    #[test]
    fn carry_on_labels_hold_beside_heaps(plain in digraphs(Kind::CarryOn, 8)) {
        check_beside_heaps(&plain, Some(Theory::CarryOn))?;
        check_beside_heaps(&plain, Some(Theory::General))?;
    }

    #[test]
    fn general_labels_hold_beside_heaps(plain in digraphs(Kind::General, 7)) {
        check_beside_heaps(&plain, Some(Theory::General))?;
    }

    #[test]
    fn all_that_has_a_nimber_or_a_moon_has_a_round(plain in digraphs(Kind::CarryOn, 9)) {
        let digraph = plain.digraph();
        let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).expect("fits");
        let rounds = rounds(&digraph, &labelling);
        for node in digraph.nodes() {
            let never = match labelling.label(node) {
                Label::White(AnyValue::CarryOn(Value::Ninny(_) | Value::Cyclic(_))) => true,
                Label::White(_) => false,
                Label::Gray(cover) => cover.is_none(),
            };
            prop_assert_eq!(rounds[node as usize].is_none(), never, "node {}", node);
            if digraph.is_gray(node) && !never {
                let before = digraph.options(node).first().and_then(|&o| rounds[o as usize]);
                prop_assert_eq!(rounds[node as usize], Some(before.map_or(0, |round| round + 1)));
            }
        }
    }

    #[test]
    fn what_an_explanation_says_wins_is_what_wins(
        plain in prop_oneof![
            digraphs(Kind::CarryOn, 8),
            digraphs(Kind::Entailing, 8),
            digraphs(Kind::General, 7),
        ]
    ) {
        let digraph = plain.digraph();
        let labelling = label(&digraph, None, &Work::default()).expect("fits");
        let brute = beside_heaps(&plain);
        for node in digraph.nodes() {
            let explanation = explain(&digraph, &labelling, node, &nimoon::Work::default()).unwrap();
            for k in 0..=HEAP {
                let wins = |option: &Node| brute.outcome(&[*option as usize, k]) == Some(Brute::P);
                let here = digraph.options(node).iter().any(wins);
                // In the general theory moves in the heap count as well.
                let general = explanation.theory == Theory::General && !digraph.is_gray(node);
                let said = explanation.wins.contains(k as u64);
                prop_assert!(said == here || general && said, "{} beside {}", node, k);
                for fact in &explanation.options {
                    prop_assert_eq!(fact.wins.contains(k as u64), wins(&fact.option));
                }
            }
        }
    }

    #[test]
    fn a_product_has_the_value_of_the_sum((plain, pieces) in sums_of(Kind::CarryOn, 6)) {
        let [x, y, ..] = pieces[..] else { return Ok(()) };
        let digraph = plain.digraph();
        let found = product(&digraph, x as Node, y as Node, &Work::default()).expect("one gray");
        let of_product = label(&found.digraph, Some(Theory::CarryOn), &Work::default());
        let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).expect("fits");
        // A gray piece beside a white one keeps its single option, so the product fits too.
        let of_product = of_product.expect("fits");
        for (node, &(x, y)) in found.digraph.nodes().zip(&found.pairs) {
            if let (Some(a), Some(b)) = (labelling.value(x), labelling.value(y)) {
                prop_assert_eq!(of_product.value(node), a.try_add(&b));
            }
        }
    }
}

/// All digraphs of two nodes and all carry-on digraphs of three, without regard to symmetry.
#[test]
fn all_digraphs_of_two_nodes_and_all_colourings() {
    for code in 0..1_u32 << 6 {
        let bit = |i: u32| code >> i & 1 == 1;
        let gray = vec![bit(0), bit(1)];
        let options = (0..2).map(|v| (0..2).filter(|w| bit(2 + 2 * v + *w as u32)).collect());
        let plain = Plain { gray, options: options.collect() };
        check_beside_heaps(&plain, None).expect("the oracle agrees");
    }
}

/// Random digraphs with outdegree 4 and some terminals, from a fixed seed.
fn large(len: u32, seed: u64) -> Digraph {
    let mut state = seed;
    let mut below = |n: u32| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(n)) as u32
    };
    let mut arcs = Vec::new();
    for v in 0..len {
        for _ in 0..if v % 50 == 0 { 0 } else { 4 } {
            arcs.push((v, below(len)));
        }
    }
    Digraph::new(len as usize, [], arcs).expect("a digraph")
}

#[test]
fn the_work_grows_with_arcs_times_levels_and_not_faster() {
    let per_arc_and_level = |len: u32| {
        let digraph = large(len, 7);
        let labelling = label(&digraph, Some(Theory::Cyclic), &Work::default()).expect("fits");
        let largest =
            digraph.nodes().filter_map(|node| labelling.nimber(node)).max().expect("some");
        let arcs = digraph.arc_count() as f64;
        let bound = 2.0 * arcs * (largest + 2) as f64;
        assert!(labelling.work() as f64 <= bound, "{} of {bound}", labelling.work());
        labelling.work() as f64 / (arcs * (largest + 1) as f64)
    };
    let (small, large) = (per_arc_and_level(4_000), per_arc_and_level(64_000));
    assert!(large < 1.3 * small && small < 1.3 * large, "{small} and {large} per arc and level");
}

#[test]
fn long_chains_and_deep_digraphs_do_not_recurse() {
    // A path of 200,000 nodes, then the same with every other node gray, then as a circle.
    let len = 200_000;
    let path: Vec<(Node, Node)> = (1..len).map(|v| (v, v - 1)).collect();
    let white = Digraph::new(len as usize, [], path.clone()).expect("a digraph");
    let labelling = label(&white, None, &Work::default()).expect("fits");
    assert_eq!(labelling.nimber(len - 1), Some(u64::from((len - 1) % 2)));
    assert_eq!(rounds(&white, &labelling)[len as usize - 1], Some(len - 1));
    for theory in [Theory::Entailing, Theory::CarryOn] {
        let striped = Digraph::new(len as usize, (1..len).step_by(2), path.clone());
        let striped = striped.expect("a digraph");
        let labelling = label(&striped, Some(theory), &Work::default()).expect("fits");
        assert_eq!(labelling.nimber(len - 2), Some(0));
    }
    let mut circle = path;
    circle.push((0, len - 1));
    let circle = Digraph::new(len as usize, 1..len, circle).expect("a digraph");
    let labelling = label(&circle, None, &Work::default()).expect("fits");
    assert_eq!(labelling.value(0).map(|value| value.to_string()), Some("∞".into()));
}
