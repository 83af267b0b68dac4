//! Random partizan graphs for the tests, as the engine and the oracle see them.

// Each test program uses its own part of this.
use nimoon::{
    Work,
    partizan::{Graph, Stopper, Stoppers, Vertex},
    player::Player,
};
use nimoon_oracle::loopy::{Partizan, Player as Plain};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The graph as the engine takes it.
pub fn engine(plain: &Partizan) -> Graph {
    let edges = |lists: &[Vec<usize>]| {
        let lists = lists.iter().zip(0..);
        let edges = lists.flat_map(|(list, from)| list.iter().map(move |&to| (from, to as Vertex)));
        edges.collect::<Vec<(Vertex, Vertex)>>()
    };
    Graph::new(plain.len(), edges(&plain.left), edges(&plain.right)).expect("a graph")
}

/// The graph as the oracle takes it.
pub fn oracle(graph: &Graph) -> Partizan {
    let lists = |player: Player| {
        let options = (0..graph.len() as Vertex).map(|v| graph.options(v, player));
        options.map(|list| list.iter().map(|&to| to as usize).collect()).collect()
    };
    Partizan { left: lists(Player::Left), right: lists(Player::Right) }
}

pub fn plain(player: Player) -> Plain {
    match player {
        Player::Left => Plain::Left,
        Player::Right => Plain::Right,
    }
}

/// The stopper of a vertex of a graph that has no alternating cycle.
pub fn stopper(stoppers: &mut Stoppers, graph: &Graph, vertex: usize) -> Stopper {
    let sides = stoppers.sides(graph, vertex as Vertex, &mut Work::default());
    sides.expect("within the budget").stopper().expect("a stopper")
}

/// An edge that may be in a graph: whether it is Left's, and from where to where.
type Edge = (bool, usize, usize);

fn edges(len: usize) -> impl Strategy<Value = Vec<Edge>> {
    // Up to one edge for each vertex, or up to eight.
    prop::sample::select(&[2, 4, 6, 8, 12, 16][..]).prop_flat_map(move |halves| {
        let most = (halves * len).div_ceil(2);
        prop::collection::vec((any::<bool>(), 0..len, 0..len), 0..=most)
    })
}

pub fn lists(graph: &mut Partizan, left: bool) -> &mut Vec<Vec<usize>> {
    if left { &mut graph.left } else { &mut graph.right }
}

/// Adds those edges that close no alternating cycle.
fn add_all(graph: &mut Partizan, edges: &[Edge]) {
    for &(left, from, to) in edges {
        add_unless_alternating(graph, left, from, to);
    }
}

/// Adds an edge unless it closes an alternating cycle; whether it did.
pub fn add_unless_alternating(graph: &mut Partizan, left: bool, from: usize, to: usize) -> bool {
    if lists(graph, left)[from].contains(&to) {
        return false;
    }
    lists(graph, left)[from].push(to);
    // Whatever alternating cycle is new goes by this edge.
    let stops = graph.is_stopper(from);
    if !stops {
        lists(graph, left)[from].pop();
    }
    stops
}

fn without_edges(len: usize) -> Partizan {
    Partizan { left: vec![Vec::new(); len], right: vec![Vec::new(); len] }
}

/// Any graphs with at most so many vertices.
pub fn graphs(most: usize) -> impl Strategy<Value = Partizan> {
    (1..=most).prop_flat_map(|len| {
        edges(len).prop_map(move |edges| {
            let mut graph = without_edges(len);
            for (left, from, to) in edges {
                let list = &mut lists(&mut graph, left)[from];
                if !list.contains(&to) {
                    list.push(to);
                }
            }
            graph
        })
    })
}

/// Graphs all of whose vertices are stoppers.
pub fn stopper_graphs(most: usize) -> impl Strategy<Value = Partizan> {
    (1..=most).prop_flat_map(|len| {
        edges(len).prop_map(move |edges| {
            let mut graph = without_edges(len);
            add_all(&mut graph, &edges);
            graph
        })
    })
}

/// 0, *, *2, *3, 1, 2, −1, −2, ↑ and {0|−2}, in this order.
const EXITS: usize = 10;

fn exits() -> Partizan {
    let left = [&[][..], &[0], &[0, 1], &[0, 1, 2], &[0], &[4], &[], &[], &[0], &[0]];
    let right = [&[][..], &[0], &[0, 1], &[0, 1, 2], &[], &[], &[0], &[6], &[1], &[7]];
    Partizan {
        left: left.map(<[usize]>::to_vec).into(),
        right: right.map(<[usize]>::to_vec).into(),
    }
}

/// The steps round a cycle: whether Left makes them, and the exit of the other player.
fn rounds(most: usize) -> impl Strategy<Value = Vec<(bool, usize)>> {
    let exits = prop::sample::select(&[2, 3, 4, EXITS][..]);
    let arbitrary = (2..=most, exits)
        .prop_flat_map(|(len, exits)| prop::collection::vec((any::<bool>(), 0..exits), len));
    // Few of these are canonical. But runs of Left's steps with single steps of Right between them
    // are, if there are two runs or more, not all of one step, and run j has the exit *j and all of
    // Right's steps the exit 0. Of these, and those with an exit or two changed, there are many.
    let runs = prop::collection::vec(1..=most.div_ceil(4).max(2), 1..3);
    let other = prop::collection::vec((any::<prop::sample::Index>(), 0..EXITS), 0..3);
    let canonical = (runs, any::<bool>(), other).prop_map(|(runs, left, other)| {
        let mut steps = Vec::new();
        for (run, exit) in std::iter::once(2).chain(runs).zip(1..) {
            steps.extend(vec![(left, exit); run]);
            steps.push((!left, 0));
        }
        for (place, exit) in other {
            let place = place.index(steps.len());
            steps[place].1 = exit;
        }
        steps
    });
    prop_oneof![arbitrary, canonical]
}

/// A cycle with an exit for the other player at each vertex, and perhaps an edge more; the vertices
/// of the cycle come after the exits. `stops` has only stoppers.
pub fn cycles(most: usize, stops: bool) -> impl Strategy<Value = Partizan> {
    rounds(most).prop_flat_map(move |steps| {
        let len = steps.len();
        let vertex = 0..EXITS + len;
        let more = prop::collection::vec((any::<bool>(), EXITS..EXITS + len, vertex), 0..2);
        (Just(steps), more).prop_map(move |(steps, more)| {
            let mut graph = exits();
            for (i, &(left, exit)) in steps.iter().enumerate() {
                let (step, exit) = (vec![EXITS + (i + 1) % len], vec![exit]);
                let [of_left, of_right] = if left { [step, exit] } else { [exit, step] };
                graph.left.push(of_left);
                graph.right.push(of_right);
            }
            if stops && !graph.is_stopper(EXITS) {
                // One turned step is enough to break the alternation.
                let (left, right) = (graph.left[EXITS].clone(), graph.right[EXITS].clone());
                (graph.left[EXITS], graph.right[EXITS]) = (right, left);
            }
            for (left, from, to) in more {
                if stops {
                    add_unless_alternating(&mut graph, left, from, to);
                } else if !lists(&mut graph, left)[from].contains(&to) {
                    lists(&mut graph, left)[from].push(to);
                }
            }
            graph
        })
    })
}

/// Stoppers of both kinds.
pub fn all_stoppers(most: usize) -> impl Strategy<Value = Partizan> {
    prop_oneof![1 => stopper_graphs(most), 1 => cycles(most.min(8), true)]
}

/// Graphs of all kinds.
pub fn all_graphs(most: usize) -> impl Strategy<Value = Partizan> {
    prop_oneof![
        4 => graphs(most),
        1 => stopper_graphs(most),
        1 => cycles(most.min(5), true),
        1 => cycles(most.min(5), false),
    ]
}

/// The same graphs in every run, so that a test which passes keeps passing. `NIMOON_CASES=20` runs
/// twenty times as many.
pub fn config(cases: u32) -> ProptestConfig {
    let factor = std::env::var("NIMOON_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    ProptestConfig {
        cases: cases * factor,
        failure_persistence: None,
        max_shrink_iters: 50_000,
        rng_seed: RngSeed::Fixed(2009),
        ..Default::default()
    }
}
