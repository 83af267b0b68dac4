//! D, F, P and Cr of the carry-on paper, against play; and what its proof of Theorem 2.5 says of
//! them.

use nimoon::graph::product::product;
use nimoon::impartial::sets::Sets;
use nimoon::{AnyValue, Digraph, Labelling, NimberSet, Node, Theory, Value, Work, label};
use nimoon_oracle::{Board, Outcome, Product};
use proptest::prelude::*;

use crate::common::{Kind, Plain, config, digraphs};

fn labels(digraph: &Digraph) -> Labelling {
    label(digraph, Some(Theory::CarryOn), &Work::default()).unwrap()
}

fn sets(digraph: &Digraph) -> Sets {
    Sets::of(digraph, &labels(digraph), &Work::default()).unwrap().unwrap()
}

fn value(labels: &Labelling, node: Node) -> Value {
    match labels.value(node) {
        Some(AnyValue::CarryOn(value)) => value,
        other => panic!("{node} is {other:?}"),
    }
}

fn is_within(small: &NimberSet, large: &NimberSet) -> bool {
    small.union(large) == *large
}

/// What the mover wins beside by play, of the nodes that have no number; and subscripts of values.
fn sets_are_right(plain: &Plain) -> Result<(), TestCaseError> {
    let digraph = plain.digraph();
    let (labels, sets) = (labels(&digraph), sets(&digraph));
    let heaps = plain.len() + 1;
    let play = Product::new(&[&plain.board(), &Board::heap(heaps)]).unwrap();
    for node in digraph.nodes() {
        if digraph.is_gray(node) {
            prop_assert!(sets.protected(node).is_none());
            // The player who must move from it loses.
            let carried = sets.carried(node).unwrap();
            for k in 0..=heaps {
                let lost = play.outcome(&[node as usize, k]) == Some(Outcome::P);
                prop_assert_eq!(carried.contains(k as u64), lost, "{} beside {}", node, k);
            }
            continue;
        }
        match value(&labels, node) {
            Value::Nimber(_) => continue,
            Value::FullMoon => prop_assert!(sets.protected(node).unwrap().is_everything()),
            Value::Moon(forced) => prop_assert_eq!(sets.forced(node), &NimberSet::Only(forced)),
            Value::Ninny(f) => prop_assert_eq!(sets.forced(node), &NimberSet::only([f])),
            Value::Cyclic(exits) => {
                prop_assert!(sets.forced(node).is_nothing());
                prop_assert_eq!(sets.direct(node), &NimberSet::Only(exits));
            }
        }
        let wins = sets.direct(node).union(sets.protected(node).unwrap());
        for k in 0..=heaps {
            let won = play.outcome(&[node as usize, k]) == Some(Outcome::N);
            prop_assert_eq!(wins.contains(k as u64), won, "{} beside {}", node, k);
        }
    }
    Ok(())
}

/// D and P of the sum of a ninny f and a moon have the elements of f ⊕ D and f ⊕ P of the moon.
fn a_ninny_shifts_a_moon(plain: &Plain) -> Result<(), TestCaseError> {
    let digraph = plain.digraph();
    let (labels, own) = (labels(&digraph), sets(&digraph));
    let white = || digraph.nodes().filter(|&node| !digraph.is_gray(node));
    for x in white() {
        let Value::Ninny(f) = value(&labels, x) else { continue };
        for y in white().filter(|&y| matches!(value(&labels, y), Value::Moon(_))) {
            let both = product(&digraph, x, y, &Work::default()).unwrap();
            let both = sets(&both.digraph);
            let [direct, protected] =
                [own.direct(y), own.protected(y).unwrap()].map(|set| set.nim_add(f));
            let [all_direct, all_protected] = [both.direct(0), both.protected(0).unwrap()];
            prop_assert!(is_within(&direct, all_direct), "{} and {}", x, y);
            prop_assert!(is_within(&protected, all_protected), "{} and {}", x, y);
            prop_assert!(all_direct.union(all_protected).is_everything());
        }
    }
    Ok(())
}

/// The proof of Theorem 2.5 says D(G + H) = f ⊕ D(H) and P(G + H) = f ⊕ P(H) for a ninny G and a
/// moon H. Both are false for this one; the sets are larger, and so the theorem holds.
#[test]
fn the_sets_of_a_ninny_and_a_moon_are_larger_than_printed() {
    // 0 to 3 are numbers; g0, h0: 0; x: x g0 3; y: 0 h0.
    let [g, h, x, y] = [4, 5, 6, 7];
    let heaps = (1..=3).flat_map(|n| (0..n).map(move |m| (n, m)));
    let own = [(g, 0), (h, 0), (x, x), (x, g), (x, 3), (y, 0), (y, h)];
    let digraph = Digraph::new(8, [g, h], heaps.chain(own).collect()).unwrap();
    let (labels, own) = (labels(&digraph), sets(&digraph));
    assert_eq!(
        [value(&labels, x), value(&labels, y)],
        ["ninny{0}", "moon{0}"].map(|v| v.parse().unwrap())
    );
    assert_eq!(own.direct(y), &NimberSet::only([0]));
    assert_eq!(own.protected(y), Some(&NimberSet::all_except([0])));
    let both = product(&digraph, x, y, &Work::default()).unwrap();
    let all = sets(&both.digraph);
    assert_eq!(all.direct(0), &NimberSet::only([0, 3]));
    assert_eq!(all.protected(0), Some(&NimberSet::everything()));
    assert_eq!(value(&self::labels(&both.digraph), 0), "moon{0}".parse().unwrap());
}

#[test]
fn gray_nodes_with_a_choice_have_no_sets() {
    let digraph = Digraph::new(3, [0], vec![(0, 1), (0, 2)]).unwrap();
    let labels = label(&digraph, None, &Work::default()).unwrap();
    assert!(Sets::of(&digraph, &labels, &Work::default()).unwrap().is_none());
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn sets_agree_with_play(plain in digraphs(Kind::CarryOn, 8)) {
        sets_are_right(&plain)?;
        a_ninny_shifts_a_moon(&plain)?;
    }
}
