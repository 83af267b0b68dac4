//! Outcomes, survival and the order of loopy games against plain fixpoints, and the laws of order.

use crate::loopy_common::{all_graphs, all_stoppers, config, engine, graphs, plain, stopper};
use nimoon::partizan::order::{Comparison, Relation, compare};
use nimoon::{
    Work,
    partizan::{Graph, Outcomes, Stoppers, Vertex},
    player::Player,
};
use nimoon_oracle::loopy::{Difference, Endless, Order, Player as Plain, Sum};
use proptest::prelude::*;

fn compared(a: &Graph, u: usize, b: &Graph, v: usize) -> Comparison {
    compare((a, u as Vertex), (b, v as Vertex), &mut Work::default()).expect("within the budget")
}

/// How good an outcome is for Left.
fn rank(winner: Option<Plain>) -> u8 {
    match winner {
        Some(Plain::Left) => 2,
        None => 1,
        Some(Plain::Right) => 0,
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn outcomes_are_those_of_the_fixpoint(graph in all_graphs(8)) {
        let outcomes = Outcomes::new(&engine(&graph));
        for (vertex, known) in graph.outcomes().into_iter().enumerate() {
            for (first, known) in Player::BOTH.into_iter().zip(known) {
                let actual = outcomes.winner(vertex as Vertex, first).map(plain);
                prop_assert_eq!(actual, known, "{} moves first at {}", first, vertex);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn comparisons_within_a_graph_are_those_of_the_fixpoint(graph in graphs(6)) {
        let order = Order::new(&graph, &graph);
        let engine = engine(&graph);
        for u in 0..graph.len() {
            for v in 0..=u {
                let actual = compared(&engine, u, &engine, v);
                let known = Comparison {
                    ge_plus: order.ge_plus(u, v),
                    ge_minus: order.ge_minus(u, v),
                    le_plus: order.ge_plus(v, u),
                    le_minus: order.ge_minus(v, u),
                };
                prop_assert_eq!(actual, known, "{} and {}", u, v);
            }
        }
    }

    #[test]
    fn comparisons_of_two_graphs_are_those_of_the_fixpoint(
        a in all_graphs(8), b in all_graphs(8),
        u in any::<prop::sample::Index>(), v in any::<prop::sample::Index>(),
    ) {
        let (u, v) = (u.index(a.len()), v.index(b.len()));
        let [over, under] = [Order::new(&a, &b), Order::new(&b, &a)];
        let actual = compared(&engine(&a), u, &engine(&b), v);
        let known = Comparison {
            ge_plus: over.ge_plus(u, v),
            ge_minus: over.ge_minus(u, v),
            le_plus: under.ge_plus(v, u),
            le_minus: under.ge_minus(v, u),
        };
        prop_assert_eq!(actual, known);
    }

    #[test]
    fn stoppers_survive_as_by_the_fixpoint(graph in all_stoppers(7)) {
        let survival = Difference::new(&graph, &graph, Endless::Any);
        let order = Order::new(&graph, &graph);
        let mut stoppers = Stoppers::new();
        let engine = engine(&graph);
        let forms: Vec<_> = (0..graph.len()).map(|v| stopper(&mut stoppers, &engine, v)).collect();
        for (u, &a) in forms.iter().enumerate() {
            for (v, &b) in forms.iter().enumerate() {
                let ge = stoppers.ge(a, b, &mut Work::default()).unwrap();
                prop_assert_eq!(ge, order.ge_plus(u, v), "{} >= {}", u, v);
                prop_assert_eq!(ge, order.ge_minus(u, v), "{} >= {}", u, v);
                for first in Player::BOTH {
                    let actual = stoppers.survives(a, b, first, &mut Work::default()).unwrap();
                    prop_assert_eq!(actual, survival.survives(u, v, plain(first)), "{} - {}", u, v);
                }
            }
        }
    }

    #[test]
    fn the_order_is_reflexive_and_transitive(graph in all_graphs(6)) {
        let engine = engine(&graph);
        // Among the last vertices there are always those of cycles.
        let vertices: Vec<usize> = (graph.len().saturating_sub(6)..graph.len()).collect();
        let ge: Vec<Vec<bool>> = vertices
            .iter()
            .map(|&u| vertices.iter().map(|&v| compared(&engine, u, &engine, v).ge()).collect())
            .collect();
        for i in 0..vertices.len() {
            prop_assert!(ge[i][i]);
            for j in 0..vertices.len() {
                for k in 0..vertices.len() {
                    prop_assert!(ge[i][k] || !ge[i][j] || !ge[j][k], "{} {} {}", i, j, k);
                }
            }
        }
    }

    #[test]
    fn the_order_is_antisymmetric_in_canonical_form(graph in all_stoppers(7)) {
        let mut stoppers = Stoppers::new();
        let engine = engine(&graph);
        let forms: Vec<_> = (0..graph.len()).map(|v| stopper(&mut stoppers, &engine, v)).collect();
        for &a in &forms {
            for &b in &forms {
                let ge = stoppers.ge(a, b, &mut Work::default()).unwrap();
                let le = stoppers.ge(b, a, &mut Work::default()).unwrap();
                prop_assert_eq!(a == b, ge && le);
            }
        }
    }

    #[test]
    fn what_is_greater_is_better_in_every_sum(graph in all_graphs(5), context in graphs(4)) {
        let engine = engine(&graph);
        let sum = Sum::new(&[&graph, &context]);
        let outcomes = sum.graph.outcomes();
        let from = graph.len().saturating_sub(5);
        for u in from..graph.len() {
            for v in from..graph.len() {
                if !compared(&engine, u, &engine, v).ge() {
                    continue;
                }
                for x in 0..context.len() {
                    let [more, less] = [u, v].map(|vertex| outcomes[sum.place(&[vertex, x])]);
                    for first in 0..2 {
                        prop_assert!(rank(more[first]) >= rank(less[first]), "{} {} {}", u, v, x);
                    }
                }
            }
        }
    }

    #[test]
    fn stoppers_that_are_not_greater_are_worse_beside_the_negative(graph in all_stoppers(5)) {
        let engine = engine(&graph);
        let sum = Sum::new(&[&graph, &graph.negative()]);
        let outcomes = sum.graph.outcomes();
        let from = graph.len().saturating_sub(5);
        for u in from..graph.len() {
            for v in from..graph.len() {
                let worse = rank(outcomes[sum.place(&[u, v])][1]) < 1;
                prop_assert!(outcomes[sum.place(&[v, v])][1] != Some(Plain::Right));
                let compared = compared(&engine, u, &engine, v);
                prop_assert_eq!(compared.ge(), !worse, "{} {}", u, v);
                prop_assert!(compared.relation() != Relation::Equal || compared.le());
            }
        }
    }
}
