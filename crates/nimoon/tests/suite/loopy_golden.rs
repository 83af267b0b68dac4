//! Loopy games against the verified cases of `golden/loopy.json`.

use nimoon::partizan::order::compare;
use nimoon::{
    Work,
    partizan::{Graph, Outcomes, Stopper, Stoppers, Vertex, Winner},
    player::Player,
};
use serde_json::Value as Json;

fn cases() -> Json {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/loopy.json");
    serde_json::from_str(&std::fs::read_to_string(file).expect(file)).expect(file)
}

fn edges(lists: &Json) -> Vec<(Vertex, Vertex)> {
    let lists = lists.as_array().expect("lists").iter().zip(0..);
    let edges = lists.flat_map(|(list, from)| {
        let list = list.as_array().expect("a list").iter();
        list.map(move |to| (from, to.as_u64().expect("a vertex") as Vertex))
    });
    edges.collect()
}

fn graph(json: &Json) -> Graph {
    let len = json["L"].as_array().expect("lists").len();
    Graph::new(len, edges(&json["L"]), edges(&json["R"])).expect("a graph")
}

fn start(json: &Json) -> Vertex {
    json["start"].as_u64().expect("a start") as Vertex
}

fn letter(winner: Winner) -> &'static str {
    match winner {
        Some(Player::Left) => "L",
        Some(Player::Right) => "R",
        None => "D",
    }
}

/// Tries to complete a map of vertices to one that keeps all edges.
fn extend(a: &Graph, b: &Graph, map: &mut Vec<Option<Vertex>>) -> bool {
    let Some(from) = map.iter().position(Option::is_none) else {
        return (0..a.len() as Vertex).all(|v| {
            Player::BOTH.iter().all(|&player| {
                let mut mapped: Vec<Vertex> =
                    a.options(v, player).iter().filter_map(|&to| map[to as usize]).collect();
                mapped.sort_unstable();
                map[v as usize].is_some_and(|w| mapped == b.options(w, player))
            })
        });
    };
    for to in 0..b.len() as Vertex {
        let fits = Player::BOTH
            .iter()
            .all(|&p| a.options(from as Vertex, p).len() == b.options(to, p).len());
        if fits && !map.contains(&Some(to)) {
            map[from] = Some(to);
            let consistent = (0..a.len()).all(|v| {
                map[v].is_none_or(|w| {
                    Player::BOTH.iter().all(|&p| {
                        a.options(v as Vertex, p)
                            .iter()
                            .all(|&t| map[t as usize].is_none_or(|m| b.options(w, p).contains(&m)))
                    })
                })
            });
            if consistent && extend(a, b, map) {
                return true;
            }
            map[from] = None;
        }
    }
    false
}

/// Whether two graphs are equal but for the numbering, starts included.
fn isomorphic(a: (&Graph, Vertex), b: (&Graph, Vertex)) -> bool {
    let (a, b) = ((a.0.reachable(a.1)), (b.0.reachable(b.1)));
    if a.len() != b.len() {
        return false;
    }
    let mut map = vec![None; a.len()];
    map[0] = Some(0);
    extend(&a, &b, &mut map)
}

#[test]
fn stoppers_and_outcomes_are_as_verified() {
    let cases = cases();
    for case in cases["games"].as_array().unwrap() {
        let (graph, start, id) = (graph(case), start(case), &case["id"]);
        assert_eq!(graph.is_stopper(start), case["is_stopper"].as_bool().unwrap(), "{id}");
        let outcomes = Outcomes::new(&graph);
        for (player, key) in [(Player::Left, "left_first"), (Player::Right, "right_first")] {
            let actual = letter(outcomes.winner(start, player));
            assert_eq!(actual, case["outcome"][key].as_str().unwrap(), "{id} {key}");
        }
    }
}

#[test]
fn canonical_forms_and_sides_are_as_verified() {
    let cases = cases();
    let mut stoppers = Stoppers::new();
    let (mut found, mut more) = (0, 0);
    for case in cases["games"].as_array().unwrap() {
        let (graph, start, id) = (graph(case), start(case), &case["id"]);
        let sides = stoppers.sides(&graph, start, &mut Work::default()).unwrap();
        if !case["canonical"].is_null() {
            let canonical = sides.stopper().unwrap_or_else(|| panic!("{id} equals a stopper"));
            let actual = stoppers.graph(canonical);
            let known = &case["canonical"];
            assert!(isomorphic((&actual, 0), (&self::graph(known), self::start(known))), "{id}");
        }
        for (side, key) in [(sides.onside, "onside"), (sides.offside, "offside")] {
            let known = &case["sides"][key];
            if known["found"].as_bool().unwrap() {
                found += 1;
                let side = side.unwrap_or_else(|| panic!("{id}: no {key}"));
                let actual = stoppers.graph(side);
                let known = &known["stopper"];
                let known = (&self::graph(known), self::start(known));
                assert!(isomorphic((&actual, 0), known), "{id} {key}");
            } else if let Some(side) = side {
                more += 1;
                let actual = stoppers.graph(side);
                let compared =
                    compare((&actual, 0), (&graph, start), &mut Work::default()).unwrap();
                assert!(match key {
                    "onside" => compared.ge_plus && compared.le_plus,
                    _ => compared.ge_minus && compared.le_minus,
                });
            }
        }
    }
    println!("{found} sides as verified, {more} more");
    assert!(found > 250);
}

#[test]
fn comparisons_are_as_verified() {
    let cases = cases();
    let games = cases["games"].as_array().unwrap();
    let find = |id: &Json| games.iter().find(|game| game["id"] == *id).expect("a game");
    for pair in cases["pairs"].as_array().unwrap() {
        let [a, b] = ["a", "b"].map(|key| graph(find(&pair[key])));
        let [u, v] = ["a_vertex", "b_vertex"].map(|key| pair[key].as_u64().unwrap() as Vertex);
        let actual = compare((&a, u), (&b, v), &mut Work::default()).unwrap();
        let known =
            ["ge_plus", "ge_minus", "le_plus", "le_minus"].map(|key| pair[key].as_bool().unwrap());
        let actual = [actual.ge_plus, actual.ge_minus, actual.le_plus, actual.le_minus];
        assert_eq!(actual, known, "{} {}", pair["a"], pair["b"]);
    }
}

#[test]
fn the_wrong_steps_differ_from_what_the_engine_finds() {
    let cases = cases();
    for trap in cases["lemma_traps"].as_array().unwrap() {
        let [before, after] = ["before", "after"].map(|key| graph(&trap[key]));
        let mut stoppers = Stoppers::new();
        for (vertex, kept) in trap["plus_value_preserved"].as_array().unwrap().iter().enumerate() {
            let vertex = vertex as Vertex;
            let [one, other]: [Option<Stopper>; 2] = [&before, &after]
                .map(|graph| stoppers.onside(graph, vertex, &mut Work::default()).unwrap());
            if let (Some(kept), Some(one), Some(other)) = (kept.as_bool(), one, other) {
                assert_eq!(one == other, kept, "{} at {vertex}", trap["note"]);
            }
        }
    }
}
