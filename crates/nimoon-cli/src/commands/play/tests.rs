//! Transcripts of games with rulesets made for them.

use insta::assert_snapshot;
use nimoon::solve::play::Player;
use nimoon::solve::solution::Solution;
use nimoon::{
    Kind, Notation, Positions, Ruleset, Shortcuts, Work,
    notation::NotationError,
    ruleset::{Interned, Move},
};

use super::Table;
use crate::lines::Plain;

/// A piece on a digraph with arrows of all kinds: `a>b` ordinary, `a>>b` again, `a>!b` entailing.
struct Arrows(&'static str);

impl Arrows {
    fn arrows(&self) -> impl Iterator<Item = (&'static str, Kind, &'static str)> {
        self.0.split(' ').filter_map(|arrow| {
            let (from, to) = arrow.split_once('>')?;
            Some(match to.chars().next()? {
                '>' => (from, Kind::Again, &to[1..]),
                '!' => (from, Kind::Entailing, &to[1..]),
                _ => (from, Kind::Ordinary, to),
            })
        })
    }
}

impl Ruleset for Arrows {
    type Position = &'static str;

    fn name(&self) -> String {
        "arrows".into()
    }

    fn options(&self, node: &&'static str) -> impl Iterator<Item = Move<&'static str>> {
        let from = *node;
        self.arrows().filter(move |arrow| arrow.0 == from).map(|(_, kind, to)| Move { to, kind })
    }

    fn read(&self, text: &str) -> Result<&'static str, NotationError> {
        let found = self.arrows().flat_map(|(from, _, to)| [from, to]).find(|node| *node == text);
        found.ok_or_else(|| NotationError::at(0, "no such node"))
    }

    fn write(&self, node: &&'static str) -> String {
        (*node).to_owned()
    }
}

impl Notation for Arrows {
    fn board(&self, node: &&'static str) -> String {
        format!(".---.\n| {node} |\n'---'")
    }
}

impl Shortcuts for Arrows {}

const AGAINST_ENGINE: [Player; 2] = [Player::Person, Player::Engine];
const ENGINE_FIRST: [Player; 2] = [Player::Engine, Player::Person];
const PERSONS: [Player; 2] = [Player::Person; 2];

fn solution(arrows: &'static str, nodes: &[&str]) -> Solution {
    let mut field = Interned::new(Arrows(arrows));
    let terms: Vec<_> = nodes.iter().map(|node| (0, field.read(node).unwrap())).collect();
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(field)];
    Solution::new(fields, &terms, None, &Work::default()).unwrap()
}

/// What a person sees who types these lines.
fn transcript(arrows: &'static str, nodes: &[&str], players: [Player; 2], typed: &str) -> String {
    let typed = typed.replace(", ", "\n");
    let mut lines = Plain::new(typed.as_bytes(), true);
    let mut text = String::new();
    let mut write = |said: &str| {
        text.push_str(said);
        Ok(())
    };
    let solution = solution(arrows, nodes);
    let start = solution.start().clone();
    let mut table = Table::new(solution, start, players, &mut lines, &mut write).unwrap();
    table.play().unwrap();
    text
}

#[test]
fn after_a_carry_on_move_the_same_player_is_asked_again() {
    let arrows = "x>>c x>z c>>z a>z";
    assert_snapshot!(transcript(arrows, &["x", "a"], AGAINST_ENGINE, "hint, c, arrows:z, 1"));
}

#[test]
fn after_an_entailing_move_the_answer_is_asked_for_there() {
    let arrows = "e>!f f>z f>a a>z";
    assert_snapshot!(transcript(arrows, &["e", "a"], PERSONS, "to f, board, values, z, 1"));
}

#[test]
fn an_only_answer_is_made_and_told() {
    let arrows = "e>!f f>a a>z";
    assert_snapshot!(transcript(arrows, &["e"], AGAINST_ENGINE, "1"));
    assert_snapshot!("engine_first", transcript(arrows, &["e", "a"], ENGINE_FIRST, "1"));
}

#[test]
fn a_mate_tells_where_the_answer_was_due() {
    assert_snapshot!(transcript("e>!f e>z", &["e", "e"], ENGINE_FIRST, ""));
}

#[test]
fn a_repetition_is_pointed_out_and_the_engine_agrees_on_a_draw() {
    let arrows = "p>q q>p p>l l>z";
    assert_snapshot!(transcript(arrows, &["p"], AGAINST_ENGINE, "values, hint, q, q, draw"));
}

#[test]
fn a_turn_without_end_is_a_draw() {
    let arrows = "s>>s s>l l>z";
    assert_snapshot!(transcript(arrows, &["s"], ENGINE_FIRST, ""));
    assert_snapshot!("by_a_person", transcript(arrows, &["s"], AGAINST_ENGINE, "1, hint, draw"));
}

#[test]
fn the_engine_declines_a_draw_that_it_need_not_take() {
    let arrows = "b>a a>z";
    assert_snapshot!(transcript(arrows, &["b"], AGAINST_ENGINE, "draw, resign"));
}

#[test]
fn persons_agree_on_a_draw_or_do_not() {
    let arrows = "p>q q>p";
    assert_snapshot!(transcript(arrows, &["p"], PERSONS, "draw, no, 1, 1, draw, yes"));
}
