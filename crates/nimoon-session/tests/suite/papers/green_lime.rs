//! Green-Lime Hackenbush [ACLNSS, §3].

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use nimoon::Kind::{Again, Ordinary};
use nimoon::solve::explore::digraph::{State, StateDigraph, Unit};
use nimoon::solve::explore::{Exploration, Part};
use nimoon::{Digraph, Limits, Theory, Work, label};
use nimoon_oracle::{Board, Contexts};
use nimoon_session::expression::{Expression, NoLibrary};

use crate::papers::engine::{self, Dice};
use crate::papers::rules::{Edge, Position, green_lime_options, read_edges};

#[test]
fn the_bartenders_problem_is_won_by_two_carry_on_moves_and_one_exit() {
    let full = ["1-2l,1-3g,2-3g", "1-2g,1-3l,2-3g", "1-2g,1-3g,2-3l"];
    let glasses = ["1-2g,1-3l", "1-2l,1-3g"];
    let moons = ["1-2l,1-3l", "1-2g,1-3l", "1-2l,1-3g"];
    let mut problems = 0;
    for full in full {
        for stalk in ["lg", "gg", "ll"] {
            for glass in glasses {
                for moon in moons {
                    check_problem(full, stalk, glass, moon);
                    problems += 1;
                }
            }
        }
    }
    assert_eq!(problems, 54);
}

/// The full glass and the last glass on green stems, the third component on a lime one.
fn check_problem(full: &str, stalk: &str, glass: &str, moon: &str) {
    let sum = format!(
        "green-lime:0-1g,{full} + green-lime:{stalk} + green-lime:0-1l,{glass} + \
         green-lime:0-1g,{moon}"
    );
    let mut solution = engine::solution(&sum);
    assert_eq!(solution.theory(), Theory::CarryOn);
    let values = engine::values_of_components(&mut solution);
    assert_eq!(values, ["ninny{0}", "2", "oo{0,2}", "moon{0}"], "{sum}");
    let start = solution.start().clone();
    assert_eq!(engine::ascii(solution.value(&start).as_ref()), "oo{0,2}", "{sum}");
    // "removing the green edges at the bottom of the leftmost and rightmost components […]. Next,
    // it is enough to remove any of the top edges of the third component."
    let turns = engine::best_turns(&mut solution);
    for kept in glass.split(',') {
        let left = format!("green-lime:0-1l,{kept}");
        for [first, second] in [[0, 3], [3, 0]] {
            let described = [
                (first, "green-lime:0", Again),
                (second, "green-lime:0", Again),
                (2, left.as_str(), Ordinary),
            ];
            let found = turns.iter().any(|turn| engine::plain_turn(turn) == described);
            assert!(found, "{described:?} is not among the winning turns of {sum}: {turns:?}");
        }
        assert_eq!(engine::value(&format!("{left} + green-lime:{stalk}")), "0");
    }
    let turn = solution.answer(&start).unwrap().turn.expect("a turn");
    let kinds: Vec<_> = turn.plies.iter().map(|ply| ply.kind).collect();
    assert_eq!(kinds, [Again, Again, Ordinary], "{sum}");
}

/// A drawing of so many edges, each on what is there.
fn random_drawing(edges: usize, dice: &mut Dice) -> String {
    let mut text = String::new();
    let mut vertices = 1;
    for _ in 0..edges {
        let from = dice.below(vertices);
        // To a new vertex, or to one that is there, the ground and the vertex itself among them.
        let to = if dice.below(5) < 3 { vertices } else { dice.below(vertices) };
        vertices = vertices.max(to + 1);
        let color = ['g', 'l'][dice.below(2)];
        let comma = if text.is_empty() { "" } else { "," };
        write!(text, "{comma}{from}-{to}{color}").expect("a string takes everything");
    }
    text
}

/// The moves of a drawing are those of the rules said once more.
fn check_moves(text: &str, note: &str) {
    let mut solution = engine::solution(text);
    let start = solution.start().clone();
    let moves = solution.moves(&start).expect("few");
    let seen = moves.iter().map(|made| {
        let after = solution.after(&start, made);
        (made.kind, Position::read([solution.text(&after, 0)]).components())
    });
    let seen: BTreeSet<_> = seen.collect();
    let options = Position::read([text.to_owned()]).options().into_iter();
    let options: BTreeSet<_> = options.map(|(_, kind, after)| (kind, after.components())).collect();
    assert_eq!(seen, options, "{note}");
}

/// The digraph of whole drawings with the vertices that they have, by the rules said once more. The
/// drawing itself is node 0.
fn by_rules(drawing: &[Edge]) -> Board {
    let mut nodes = HashMap::from([(drawing.to_vec(), 0)]);
    let mut board = Board::white(vec![Vec::new()]);
    let mut waiting = vec![drawing.to_vec()];
    let add = |board: &mut Board, gray: bool| {
        board.gray.push(gray);
        board.options.push(Vec::new());
        board.len() - 1
    };
    while let Some(drawing) = waiting.pop() {
        let from = nodes[&drawing];
        for (kind, left) in green_lime_options(&drawing) {
            let to = nodes.get(&left).copied().unwrap_or_else(|| {
                let node = add(&mut board, false);
                nodes.insert(left.clone(), node);
                waiting.push(left);
                node
            });
            if kind == Again {
                let gray = add(&mut board, true);
                board.options[gray].push(to);
                board.options[from].push(gray);
            } else {
                board.options[from].push(to);
            }
        }
    }
    board
}

/// The digraph of the explorer, and the node of the drawing.
fn by_explorer(text: &str) -> (Digraph, usize) {
    let Expression { fields, terms } = Expression::read(text, &mut NoLibrary).unwrap();
    let mut exploration = Exploration::new(fields);
    let (field, position) = terms[0];
    let positions = exploration.field_mut(field).parts(position);
    let parts: Vec<Part> =
        positions.into_iter().map(|position| exploration.part(field, position)).collect();
    exploration.explore(&Work::default()).unwrap();
    let start = State::Free(exploration.normal(parts).into());
    let states = StateDigraph::new(
        &exploration,
        Unit::Component,
        [start.clone()],
        &Work::new(Limits::new(1_000_000)),
    );
    let states = states.unwrap();
    let node = states.node(&start).expect("the start is there");
    (states.digraph, node as usize)
}

/// Above all numbers in values of drawings of 6 edges.
const LARGEST: usize = 9;

/// The values of the white nodes of a board by the oracle, those asked for.
fn by_oracle(board: &Board, nodes: impl Iterator<Item = usize>) -> Vec<(usize, String)> {
    let contexts = Contexts::carry_on(LARGEST);
    let product = contexts.beside(board).expect("small");
    let value = |node| {
        let behaviour = contexts.behaviour(&product, node).expect("a node");
        behaviour.value().map_or_else(|| "none".to_owned(), |value| value.to_string())
    };
    nodes.filter(|&node| !board.is_gray(node)).map(|node| (node, value(node))).collect()
}

#[test]
fn random_drawings_of_up_to_6_edges_have_their_values_by_the_oracle() {
    let seed = 3;
    let mut dice = Dice(seed);
    let mut kinds: HashMap<char, usize> = HashMap::new();
    for case in 0..600 {
        let edges = if case < 20 { 1 + dice.below(3) } else { 4 + dice.below(3) };
        let drawing = random_drawing(edges, &mut dice);
        let text = format!("green-lime:{drawing}");
        let note = format!("seed {seed}, case {case}: {text}");
        check_moves(&text, &note);
        let library = &mut NoLibrary;
        let solution = engine::solution_in(&text, Some(Theory::CarryOn), library);
        let value = engine::ascii(solution.value(solution.start()).as_ref());

        let board = by_rules(&read_edges(&drawing));
        assert_eq!(by_oracle(&board, 0..1), [(0, value.clone())], "{note}");

        let (digraph, start) = by_explorer(&text);
        let gray = digraph.nodes().map(|node| digraph.is_gray(node)).collect();
        let options = digraph
            .nodes()
            .map(|node| digraph.options(node).iter().map(|&option| option as usize).collect());
        let explored = Board { gray, options: options.collect() };
        let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).unwrap();
        for (node, expected) in by_oracle(&explored, 0..explored.len()) {
            let found = engine::ascii(labelling.value(node as u32).as_ref());
            assert_eq!(found, expected, "{note}, node {node} of its digraph");
            assert!(node != start || found == value, "{note}");
        }
        *kinds.entry(value.chars().next().unwrap()).or_default() += 1;
    }
    // Numbers, moons, ninnies and cyclic values all occur.
    assert!(kinds.len() >= 4 && ['m', 'n', 'o'].iter().all(|kind| kinds[kind] > 3), "{kinds:?}");
}
