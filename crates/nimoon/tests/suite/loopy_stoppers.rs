//! Canonical stoppers: what they lack, and that equal ones are identical.

use crate::loopy_common::{
    add_unless_alternating, all_stoppers, config, engine, lists, oracle, stopper, stopper_graphs,
};
use nimoon::partizan::order::{Relation, compare};
use nimoon::{
    Work,
    partizan::{Graph, Stoppers, Vertex},
};
use nimoon_oracle::loopy::{Order, Partizan, Player};
use proptest::prelude::*;

/// A step that changes the form of a graph and keeps the values of its vertices.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A new option that is dominated, or that reverses out: for Left any that is not greater
    /// than the vertex or equal to it.
    Option { left: bool, vertex: usize, to: usize },
    /// A second vertex with the same options, to which some edges lead instead.
    Double { vertex: usize, edges: u64 },
    /// Other numbers for the vertices.
    Turn { by: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (any::<bool>(), any::<usize>(), any::<usize>())
            .prop_map(|(left, vertex, to)| Step::Option { left, vertex, to }),
        2 => (any::<usize>(), any::<u64>())
            .prop_map(|(vertex, edges)| Step::Double { vertex, edges }),
        1 => any::<usize>().prop_map(|by| Step::Turn { by }),
    ];
    prop::collection::vec(step, 0..10)
}

/// Takes the steps, and says where each vertex is then; how many took effect.
fn changed(graph: &Partizan, steps: &[Step]) -> (Partizan, Vec<usize>, usize) {
    let order = Order::new(graph, graph);
    let mut graph = graph.clone();
    // For each vertex, which of the given ones it is worth.
    let mut worth: Vec<usize> = (0..graph.len()).collect();
    let mut effective = 0;
    for &step in steps {
        match step {
            Step::Option { left, vertex, to } => {
                let (vertex, to) = (vertex % graph.len(), to % graph.len());
                let ge = |a: usize, b: usize| order.ge(worth[a], worth[b]);
                let harmless = if left {
                    !ge(to, vertex) || graph.left[vertex].iter().any(|&other| ge(other, to))
                } else {
                    !ge(vertex, to) || graph.right[vertex].iter().any(|&other| ge(to, other))
                };
                if harmless {
                    effective += usize::from(add_unless_alternating(&mut graph, left, vertex, to));
                }
            }
            Step::Double { vertex, edges } => {
                let (vertex, double) = (vertex % graph.len(), graph.len());
                let mut bits = edges;
                for left in [true, false] {
                    let lists = lists(&mut graph, left);
                    let copy = lists[vertex].clone();
                    lists.push(copy);
                    for list in lists {
                        for to in list {
                            bits = bits.rotate_right(1);
                            if *to == vertex && bits & 1 == 1 {
                                *to = double;
                            }
                        }
                    }
                }
                worth.push(worth[vertex]);
                effective += 1;
            }
            Step::Turn { by } => {
                let len = graph.len();
                // Reversed, then turned.
                let moved = |vertex: usize| (len - 1 - vertex + by % len) % len;
                for left in [true, false] {
                    let lists = lists(&mut graph, left);
                    let mut turned = vec![Vec::new(); len];
                    for (from, list) in lists.iter().enumerate() {
                        turned[moved(from)] = list.iter().map(|&to| moved(to)).collect();
                    }
                    *lists = turned;
                }
                let mut turned = vec![0; len];
                for (from, &is) in worth.iter().enumerate() {
                    turned[moved(from)] = is;
                }
                worth = turned;
                effective += 1;
            }
        }
    }
    (graph, worth, effective)
}

/// The vertices that edges of one player lead to from a vertex, in any number of steps but none.
fn followed(lists: &[Vec<usize>], start: usize) -> Vec<bool> {
    let mut reached = vec![false; lists.len()];
    let mut waiting = vec![start];
    while let Some(vertex) = waiting.pop() {
        for &to in &lists[vertex] {
            if !reached[to] {
                reached[to] = true;
                waiting.push(to);
            }
        }
    }
    reached
}

/// The length of the longest shortest cycle through a vertex.
fn longest_cycle(graph: &Partizan) -> usize {
    let around = |start: usize| {
        let mut distance = vec![usize::MAX; graph.len()];
        let mut waiting = std::collections::VecDeque::from([(start, 0)]);
        while let Some((vertex, steps)) = waiting.pop_front() {
            for &to in graph.left[vertex].iter().chain(&graph.right[vertex]) {
                if distance[to] == usize::MAX {
                    distance[to] = steps + 1;
                    waiting.push_back((to, steps + 1));
                }
            }
        }
        if distance[start] == usize::MAX { 0 } else { distance[start] }
    };
    (0..graph.len()).map(around).max().unwrap_or(0)
}

fn check_canonical(form: &Partizan) -> Result<(), TestCaseError> {
    let order = Order::new(form, form);
    for v in 0..form.len() {
        for w in 0..v {
            prop_assert!(!(order.ge(v, w) && order.ge(w, v)), "{} = {} in {:?}", v, w, form);
        }
        for player in Player::BOTH {
            let ge = |a: usize, b: usize| match player {
                Player::Left => order.ge(a, b),
                Player::Right => order.ge(b, a),
            };
            let options = form.options(v, player);
            for &x in options {
                for &y in options {
                    prop_assert!(
                        x == y || !ge(x, y),
                        "{} dominates {} at {} in {:?}",
                        x,
                        y,
                        v,
                        form
                    );
                }
                for &back in form.options(x, player.opponent()) {
                    prop_assert!(!ge(v, back), "{} reverses at {} in {:?}", x, v, form);
                }
            }
        }
    }
    Ok(())
}

/// Lemmas 11 and 12 of the paper, for both colours.
fn check_cycles(form: &Partizan) -> Result<(), TestCaseError> {
    for (own, other) in [(&form.left, &form.right), (&form.right, &form.left)] {
        for (v, others) in other.iter().enumerate() {
            let reached = followed(own, v);
            // A step to another vertex and back by the same colour.
            let back = own[v].iter().any(|&to| to != v && followed(own, to)[v]);
            prop_assert!(!back, "a cycle of one colour at {} in {:?}", v, form);
            // One edge to here from a vertex that the other colour leads to.
            let single = (0..other.len()).any(|u| u != v && reached[u] && other[u].contains(&v));
            prop_assert!(
                !single,
                "a single edge closes a cycle at {} of {:?}: {:?}",
                v,
                form,
                others
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn equal_stoppers_have_identical_graphs_and_no_others(graph in all_stoppers(7)) {
        let engine = engine(&graph);
        let mut stoppers = Stoppers::new();
        let from = graph.len().saturating_sub(7);
        let forms: Vec<_> = (from..graph.len())
            .map(|v| {
                let form = stopper(&mut stoppers, &engine, v);
                (v, form, stoppers.graph(form))
            })
            .collect();
        for (u, one, one_graph) in &forms {
            for (v, other, other_graph) in &forms[..u - from] {
                let compared =
                    compare((&engine, *u as Vertex), (&engine, *v as Vertex), &mut Work::default());
                let equal = compared.unwrap().relation() == Relation::Equal;
                prop_assert_eq!(equal, one == other, "{} and {}", u, v);
                prop_assert_eq!(equal, one_graph == other_graph, "{} and {}", u, v);
            }
        }
    }

    #[test]
    fn every_form_of_a_stopper_has_the_same_canonical_graph(
        graph in all_stoppers(6), steps in steps(),
    ) {
        let (other, worth, _) = changed(&graph, &steps);
        let [given, other] = [engine(&graph), engine(&other)];
        // Two stores, filled in opposite order.
        let [mut one, mut two] = [Stoppers::new(), Stoppers::new()];
        let known: Vec<_> = (0..graph.len())
            .map(|v| {
                let form = stopper(&mut one, &given, v);
                (form, one.graph(form))
            })
            .collect();
        for v in (0..other.len()).rev() {
            let (form, graph) = &known[worth[v]];
            let actual = stopper(&mut two, &other, v);
            prop_assert_eq!(&two.graph(actual), graph, "vertex {}", v);
            prop_assert_eq!(stopper(&mut one, &other, v), *form, "vertex {}", v);
        }
    }

    #[test]
    fn canonical_forms_have_nothing_to_leave_out(graph in all_stoppers(8)) {
        let engine = engine(&graph);
        let mut stoppers = Stoppers::new();
        for v in 0..graph.len() {
            let form = stopper(&mut stoppers, &engine, v);
            let form = oracle(&stoppers.graph(form));
            prop_assert!(form.is_stopper(0));
            check_canonical(&form)?;
            check_cycles(&form)?;
            let [one, other] = [Order::new(&form, &graph), Order::new(&graph, &form)];
            prop_assert!(one.ge(0, v) && other.ge(v, 0), "vertex {}", v);
        }
    }

    #[test]
    fn a_canonical_form_is_its_own_and_the_negative_of_its_negative(graph in stopper_graphs(8)) {
        let engine = engine(&graph);
        let mut stoppers = Stoppers::new();
        for v in 0..graph.len() {
            let form = stopper(&mut stoppers, &engine, v);
            let canonical = stoppers.graph(form);
            prop_assert_eq!(stopper(&mut stoppers, &canonical, 0), form);
            let minus = stoppers.negative(form);
            prop_assert_eq!(stopper(&mut stoppers, &engine.negative(), v), minus);
            prop_assert_eq!(stopper(&mut stoppers, &canonical.negative(), 0), minus);
            prop_assert_eq!(stoppers.negative(minus), form);
        }
    }
}

/// Whether every vertex of a graph has the value of the same vertex of another.
fn same_values(one: &Partizan, other: &Partizan) -> bool {
    let [up, down] = [Order::new(one, other), Order::new(other, one)];
    (0..one.len()).all(|v| up.ge(v, v) && down.ge(v, v))
}

/// The graphs that one step makes of a graph: an option dropped because another is as good,
/// bypassed because it reverses, or all edges to a vertex led to an equal one.
fn reductions(graph: &Partizan) -> Vec<Partizan> {
    let order = Order::new(graph, graph);
    let mut found = Vec::new();
    for v in 0..graph.len() {
        for player in Player::BOTH {
            let left = player == Player::Left;
            let ge = |a: usize, b: usize| if left { order.ge(a, b) } else { order.ge(b, a) };
            let options = graph.options(v, player);
            let mut push = |list: Vec<usize>| {
                let mut next = graph.clone();
                lists(&mut next, left)[v] = list;
                found.push(next);
            };
            for &x in options {
                let others: Vec<usize> = options.iter().copied().filter(|&y| y != x).collect();
                if others.iter().any(|&y| ge(y, x)) {
                    push(others.clone());
                }
                for &back in graph.options(x, player.opponent()) {
                    if ge(v, back) {
                        let mut list = others.clone();
                        list.extend(graph.options(back, player).iter().filter(|&&y| y != x));
                        list.sort_unstable();
                        list.dedup();
                        push(list);
                    }
                }
            }
        }
        for w in 0..graph.len() {
            let used = graph.left.iter().chain(&graph.right).any(|list| list.contains(&w));
            if v != w && used && order.ge(v, w) && order.ge(w, v) {
                let mut next = graph.clone();
                for list in next.left.iter_mut().chain(&mut next.right) {
                    list.iter_mut().filter(|to| **to == w).for_each(|to| *to = v);
                    list.sort_unstable();
                    list.dedup();
                }
                found.push(next);
            }
        }
    }
    found
}

/// Vertices and edges.
fn size(graph: &Partizan) -> usize {
    graph.len() + graph.left.iter().chain(&graph.right).map(Vec::len).sum::<usize>()
}

/// Whether a graph is the canonical form but for the numbers of its vertices, which their values
/// determine.
fn is_form(graph: &Partizan, start: usize, form: &Partizan) -> bool {
    let [up, down] = [Order::new(graph, form), Order::new(form, graph)];
    let mut place = vec![None; graph.len()];
    place[start] = Some(0);
    let mut met = vec![start];
    let mut next = 0;
    while let Some(&v) = met.get(next) {
        next += 1;
        for player in Player::BOTH {
            let mut mapped = Vec::new();
            for &to in graph.options(v, player) {
                let equal = (0..form.len()).find(|&w| up.ge(to, w) && down.ge(w, to));
                let Some(equal) = equal else { return false };
                if place[to].is_none() {
                    place[to] = Some(equal);
                    met.push(to);
                }
                mapped.push(equal);
            }
            mapped.sort_unstable();
            let mut known = place[v].map_or(Vec::new(), |w| form.options(w, player).to_vec());
            known.sort_unstable();
            if mapped != known {
                return false;
            }
        }
    }
    met.len() == form.len()
}

proptest! {
    #![proptest_config(config(150))]

    /// [Siegel2009, Thm 9]: whatever is done first, what is left in the end is the same.
    #[test]
    fn reductions_in_any_order_end_in_the_canonical_graph(
        graph in all_stoppers(6), mut seed in any::<u64>(),
    ) {
        let start = graph.len() - 1;
        let given = engine(&graph);
        let mut stoppers = Stoppers::new();
        let form = stopper(&mut stoppers, &given, start);
        let form = oracle(&stoppers.graph(form));
        let mut reduced = oracle(&given.reachable(start as Vertex));
        for _ in 0..200 {
            let steps = reductions(&reduced);
            let mut allowed: Vec<Partizan> = steps
                .into_iter()
                .filter(|next| *next != reduced && (0..next.len()).all(|v| next.is_stopper(v)))
                // Not every fusion is right.
                .filter(|next| same_values(&reduced, next))
                .map(|next| oracle(&engine(&next).reachable(0)))
                .collect();
            // Bypasses alone can go round in a ring.
            if allowed.iter().any(|next| size(next) < size(&reduced)) {
                allowed.retain(|next| size(next) < size(&reduced));
            }
            if allowed.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            reduced = allowed.swap_remove((seed >> 33) as usize % allowed.len());
        }
        prop_assert!(is_form(&reduced, 0, &form), "{:?} and {:?}", reduced, form);
    }
}

/// The tests above would show nothing if no canonical form had a cycle, or no step took effect.
#[test]
fn random_stoppers_have_long_canonical_cycles_and_steps_take_effect() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::new(config(1));
    let mut lengths = vec![0; 20];
    let mut effective = 0;
    for _ in 0..500 {
        let strategy = (all_stoppers(7), steps());
        let (graph, steps) = strategy.new_tree(&mut runner).expect("a graph").current();
        effective += changed(&graph, &steps).2;
        let engine: Graph = engine(&graph);
        let mut stoppers = Stoppers::new();
        let form = stopper(&mut stoppers, &engine, graph.len() - 1);
        lengths[longest_cycle(&oracle(&stoppers.graph(form)))] += 1;
    }
    println!("canonical forms by the length of their longest cycle: {lengths:?}");
    println!("steps that took effect: {effective}");
    assert!(lengths[1] > 30 && lengths[4..].iter().sum::<usize>() > 10, "{lengths:?}");
    assert!(effective > 500, "{effective}");
}
