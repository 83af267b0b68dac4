//! Whole games: turns, undo, repetition and endings, and that the engine keeps what it has.

use std::collections::HashSet;

use nimoon::solve::play::{Duty, Ending, Game, Player, Seat};
use nimoon::solve::solution::{Placement, Solution};
use nimoon::{
    Kind, Limits, Notation, Outcome, Positions, Ruleset, Shortcuts, TurnKind, Work,
    notation::NotationError,
    ruleset::{Interned, Move},
};

/// A piece that moves along arrows; what a move leaves may stand in several parts.
#[derive(Clone)]
struct Arrows(Vec<Vec<(Kind, Vec<usize>)>>);

impl Ruleset for Arrows {
    type Position = Vec<usize>;

    fn name(&self) -> String {
        "arrows".into()
    }

    fn options(&self, pieces: &Vec<usize>) -> impl Iterator<Item = Move<Vec<usize>>> {
        pieces.iter().enumerate().flat_map(move |(i, &piece)| {
            self.0[piece].iter().map(move |(kind, left)| {
                let mut to = pieces.clone();
                to.splice(i..=i, left.iter().copied());
                Move { to, kind: *kind }
            })
        })
    }

    fn components(&self, pieces: Vec<usize>) -> Vec<Vec<usize>> {
        pieces.into_iter().map(|piece| vec![piece]).collect()
    }

    fn read(&self, _text: &str) -> Result<Vec<usize>, NotationError> {
        Err(NotationError::at(0, "not read in tests"))
    }

    fn write(&self, pieces: &Vec<usize>) -> String {
        format!("{pieces:?}")
    }
}

impl Notation for Arrows {}

impl Shortcuts for Arrows {}

fn one(kind: Kind, to: usize) -> (Kind, Vec<usize>) {
    (kind, vec![to])
}

fn ordinary(to: usize) -> (Kind, Vec<usize>) {
    one(Kind::Ordinary, to)
}

fn again(to: usize) -> (Kind, Vec<usize>) {
    one(Kind::Again, to)
}

fn entailing(to: usize) -> (Kind, Vec<usize>) {
    one(Kind::Entailing, to)
}

fn heaps(most: usize) -> Arrows {
    Arrows((0..=most).map(|n| (0..n).map(ordinary).collect()).collect())
}

fn solution_within(arrows: &Arrows, pieces: &[usize], budget: u64) -> Solution {
    let mut field = Interned::new(arrows.clone());
    let terms: Vec<_> = pieces.iter().map(|&piece| (0, field.intern(vec![piece]))).collect();
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(field)];
    Solution::new(fields, &terms, None, &Work::new(Limits::new(budget))).expect("it is small")
}

fn solution(arrows: &Arrows, pieces: &[usize]) -> Solution {
    solution_within(arrows, pieces, 100_000)
}

const PERSONS: [Player; 2] = [Player::Person; 2];
const SECOND_IS_ENGINE: [Player; 2] = [Player::Person, Player::Engine];
const FIRST_IS_ENGINE: [Player; 2] = [Player::Engine, Player::Person];

fn game(solution: &mut Solution, players: [Player; 2]) -> Game {
    let start = solution.start().clone();
    Game::new(solution, start, players).expect("the moves are known")
}

fn play(game: &mut Game, solution: &mut Solution, number: usize) {
    let before = game.played().len();
    game.play(solution, number).expect("the moves are known");
    assert_eq!(game.played().len(), before + 1);
}

/// Everything that no person decides; returns how many moves that were.
fn go_on(game: &mut Game, solution: &mut Solution) -> usize {
    let before = game.played().len();
    while game.go_on(solution).unwrap_or_else(|error| {
        panic!("{error} in {:?} after {:?}", game.placement(), game.played())
    }) {
        assert!(game.played().len() < before + 1000, "the engine plays for ever");
    }
    game.played().len() - before
}

#[test]
fn a_player_without_moves_loses() {
    let mut nim = solution(&heaps(2), &[1, 1]);
    let mut game = game(&mut nim, PERSONS);
    assert_eq!((game.mover(), game.duty(), game.moves().len()), (Seat::First, Duty::Move, 2));
    play(&mut game, &mut nim, 0);
    assert_eq!((game.mover(), game.ending()), (Seat::Second, None));
    play(&mut game, &mut nim, 0);
    assert_eq!(game.ending(), Some(Ending::Stuck { loser: Seat::First }));
    assert_eq!(game.winner(), Some(Seat::Second));
}

#[test]
fn a_game_without_moves_is_over_at_once() {
    let mut nim = solution(&heaps(0), &[0]);
    let mut game = game(&mut nim, SECOND_IS_ENGINE);
    assert_eq!(game.winner(), Some(Seat::Second));
    assert!(!game.go_on(&mut nim).unwrap());
    game.resign();
    assert_eq!(game.ending(), Some(Ending::Stuck { loser: Seat::First }));
}

#[test]
fn after_a_carry_on_move_the_same_player_moves_and_must() {
    let arrows = Arrows(vec![vec![], vec![again(0)], vec![ordinary(0)]]);
    let mut sum = solution(&arrows, &[1, 2]);
    let mut game = game(&mut sum, PERSONS);
    play(&mut game, &mut sum, 0);
    assert_eq!((game.mover(), game.duty()), (Seat::First, Duty::Again));
    play(&mut game, &mut sum, 0);
    assert_eq!(game.winner(), Some(Seat::First));

    let mut alone = solution(&arrows, &[1]);
    let mut game = self::game(&mut alone, PERSONS);
    play(&mut game, &mut alone, 0);
    assert_eq!(game.ending(), Some(Ending::Stuck { loser: Seat::First }));
}

#[test]
fn an_entailing_move_is_answered_where_it_was_made() {
    let arrows =
        Arrows(vec![vec![], vec![ordinary(0)], vec![ordinary(0), ordinary(1)], vec![entailing(2)]]);
    let mut sum = solution(&arrows, &[1, 3]);
    let mut game = game(&mut sum, PERSONS);
    let entails = game.moves().iter().position(|made| made.kind == Kind::Entailing).unwrap();
    play(&mut game, &mut sum, entails);
    assert_eq!((game.mover(), game.duty()), (Seat::Second, Duty::Answer(1)));
    assert!(game.moves().iter().all(|made| made.component == 1));
    assert_eq!((game.moves().len(), go_on(&mut game, &mut sum)), (2, 0));
}

#[test]
fn an_only_answer_is_made_for_the_person() {
    let arrows = Arrows(vec![vec![], vec![ordinary(0)], vec![entailing(1)]]);
    let mut sum = solution(&arrows, &[2, 1]);
    let mut game = game(&mut sum, PERSONS);
    play(&mut game, &mut sum, 0);
    assert_eq!(go_on(&mut game, &mut sum), 1);
    let last = game.played().last().unwrap();
    assert_eq!((last.seat, last.forced, game.mover()), (Seat::Second, true, Seat::First));
    // It was not a decision, so undo goes behind it.
    assert!(game.undo(&mut sum).unwrap());
    assert!(game.played().is_empty());
}

#[test]
fn undo_takes_back_decisions_one_by_one_with_what_the_engine_did() {
    let mut nim = solution(&heaps(3), &[3, 3]);
    let mut game = game(&mut nim, SECOND_IS_ENGINE);
    let mut seen: Vec<Placement> = Vec::new();
    for _ in 0..3 {
        seen.push(game.placement().clone());
        let last = game.moves().len() - 1;
        play(&mut game, &mut nim, last);
        assert_eq!(go_on(&mut game, &mut nim), 1);
    }
    assert_eq!(game.winner(), Some(Seat::Second));
    while let Some(placement) = seen.pop() {
        assert!(game.undo(&mut nim).unwrap());
        assert_eq!((game.placement(), game.mover()), (&placement, Seat::First));
        assert_eq!((game.ending(), game.moves().is_empty()), (None, false));
    }
    assert!(!game.undo(&mut nim).unwrap());
}

#[test]
fn redo_makes_again_what_was_taken_back_until_something_else_is_decided() {
    let mut nim = solution(&heaps(3), &[3, 3]);
    let mut game = game(&mut nim, SECOND_IS_ENGINE);
    assert!(!game.redo(&mut nim).unwrap());
    let mut after: Vec<Placement> = Vec::new();
    for _ in 0..3 {
        let last = game.moves().len() - 1;
        play(&mut game, &mut nim, last);
        go_on(&mut game, &mut nim);
        after.push(game.placement().clone());
    }
    while game.undo(&mut nim).unwrap() {}
    for (i, placement) in after.iter().enumerate() {
        assert_eq!((game.ending(), game.played().len()), (None, 2 * i));
        assert!(game.redo(&mut nim).unwrap());
        assert_eq!((game.placement(), game.mover()), (placement, Seat::First));
    }
    assert_eq!(game.ending(), Some(Ending::Stuck { loser: Seat::First }));
    assert!(game.moves().is_empty() && !game.redo(&mut nim).unwrap());
    assert!(game.undo(&mut nim).unwrap() && game.undo(&mut nim).unwrap());
    play(&mut game, &mut nim, 0);
    assert!(!game.redo(&mut nim).unwrap());
}

#[test]
fn a_first_move_of_the_engine_is_not_taken_back() {
    let mut nim = solution(&heaps(3), &[3, 2]);
    let mut game = game(&mut nim, FIRST_IS_ENGINE);
    assert_eq!(go_on(&mut game, &mut nim), 1);
    assert!(!game.undo(&mut nim).unwrap());
    assert_eq!((game.played().len(), game.mover()), (1, Seat::Second));
}

#[test]
fn giving_up_and_agreeing_can_be_taken_back() {
    let mut nim = solution(&heaps(3), &[3]);
    let mut game = game(&mut nim, PERSONS);
    game.resign();
    assert_eq!(game.winner(), Some(Seat::Second));
    assert!(game.undo(&mut nim).unwrap());
    game.agree_on_draw();
    assert_eq!((game.winner(), game.ending()), (None, Some(Ending::Agreed)));
    assert!(game.undo(&mut nim).unwrap());
    assert_eq!(game.ending(), None);
    assert!(!game.undo(&mut nim).unwrap());
    assert!(game.redo(&mut nim).unwrap());
    assert_eq!(game.ending(), Some(Ending::Agreed));
}

#[test]
fn repetitions_are_counted_for_the_player_to_move() {
    // 0 → 1 → 0 for ever.
    let arrows = Arrows(vec![vec![ordinary(1)], vec![ordinary(0)]]);
    let mut sum = solution(&arrows, &[0]);
    let mut game = game(&mut sum, PERSONS);
    let mut counted = Vec::new();
    for _ in 0..5 {
        counted.push(game.repetitions());
        play(&mut game, &mut sum, 0);
    }
    // After two moves the same player is to move.
    assert_eq!(counted, [0, 0, 1, 1, 2]);
    assert!(game.opponent_cannot_win(&mut sum).unwrap());
}

#[test]
fn a_circle_of_forced_answers_is_a_draw() {
    let arrows = Arrows(vec![vec![entailing(1)], vec![entailing(2)], vec![entailing(1)]]);
    for players in [PERSONS, SECOND_IS_ENGINE, FIRST_IS_ENGINE] {
        let mut sum = solution(&arrows, &[0]);
        let mut game = game(&mut sum, players);
        if players[0] == Player::Person {
            play(&mut game, &mut sum, 0);
        }
        go_on(&mut game, &mut sum);
        assert_eq!(game.ending(), Some(Ending::Endless));
    }
}

#[test]
fn an_engine_that_carries_on_for_ever_has_a_draw() {
    // 1 carries on to itself; its other move loses.
    let arrows = Arrows(vec![vec![], vec![again(1), ordinary(2)], vec![ordinary(0)]]);
    let mut sum = solution(&arrows, &[1]);
    let mut game = game(&mut sum, FIRST_IS_ENGINE);
    go_on(&mut game, &mut sum);
    assert_eq!((game.winner(), game.ending()), (None, Some(Ending::Endless)));
}

#[test]
fn the_engine_agrees_on_a_draw_exactly_if_it_cannot_win() {
    for (pieces, cannot_win) in [([3, 3], false), ([3, 2], true)] {
        let mut nim = solution(&heaps(3), &pieces);
        let game = game(&mut nim, SECOND_IS_ENGINE);
        assert_eq!(game.opponent_cannot_win(&mut nim).unwrap(), cannot_win);
    }
}

#[test]
fn each_move_is_judged_for_its_player() {
    use TurnKind::{Drawing, Losing, Winning};
    // From 3: to a lost position, to a won one, carry on to either, or into a circle.
    let arrows = Arrows(vec![
        vec![],
        vec![ordinary(0)],
        vec![ordinary(2)],
        vec![ordinary(0), ordinary(1), again(0), again(1), ordinary(2), entailing(0), entailing(1)],
    ]);
    let mut sum = solution(&arrows, &[3]);
    let game = game(&mut sum, PERSONS);
    let moves = game.moves().to_vec();
    let judged: Vec<_> = moves.iter().map(|made| game.achieves(&mut sum, made).unwrap()).collect();
    assert_eq!(judged, [Winning, Losing, Losing, Winning, Drawing, Winning, Losing]);
}

/// The engine against every decision of the person.
struct Tree<'a> {
    solution: &'a mut Solution,
    engine: Seat,
    /// Draws go round: each position is visited once.
    seen: HashSet<(Placement, Seat)>,
    endings: HashSet<Option<Seat>>,
}

impl Tree<'_> {
    fn walk(&mut self, game: &mut Game, won: bool, depth: usize) {
        assert!(depth < 400, "a won game does not end");
        go_on(game, self.solution);
        if game.ending().is_some() {
            self.endings.insert(game.winner());
            return;
        }
        assert_eq!(game.mover(), self.engine.other());
        let key = (game.placement().clone(), game.mover());
        if !won && !self.seen.insert(key) {
            return;
        }
        for number in 0..game.moves().len() {
            let mut next = game.clone();
            play(&mut next, self.solution, number);
            self.walk(&mut next, won, depth + 1);
        }
    }
}

fn check(arrows: &Arrows, pieces: &[usize], budget: u64) -> Outcome {
    let mut solution = solution_within(arrows, pieces, budget);
    let start = solution.start().clone();
    let outcome = solution.outcome(&start).expect("small enough");
    for players in [FIRST_IS_ENGINE, SECOND_IS_ENGINE] {
        let engine = if players == FIRST_IS_ENGINE { Seat::First } else { Seat::Second };
        let won = match outcome {
            Outcome::N => engine == Seat::First,
            Outcome::P => engine == Seat::Second,
            Outcome::D => false,
        };
        let mut game = game(&mut solution, players);
        let mut tree =
            Tree { solution: &mut solution, engine, seen: HashSet::new(), endings: HashSet::new() };
        tree.walk(&mut game, won, 0);
        let endings = tree.endings;
        let lost = Some(engine.other());
        if won {
            assert_eq!(endings, HashSet::from([Some(engine)]), "{:?} {pieces:?}", arrows.0);
        } else if outcome == Outcome::D {
            assert!(!endings.contains(&lost), "{:?} {pieces:?}", arrows.0);
        } else {
            assert!(endings.contains(&lost), "{:?} {pieces:?}", arrows.0);
        }
    }
    outcome
}

#[test]
fn the_engine_never_loses_a_won_game_of_nim() {
    for a in 0..4 {
        for b in 0..3 {
            for c in 0..3 {
                check(&heaps(3), &[a, b, c], 100_000);
            }
        }
    }
}

/// Random numbers that are the same on every machine (G. Marsaglia, Xorshift RNGs, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// Checks many random arrows; returns how many were won by the first, by the second, and drawn.
fn check_random(kinds: &[Kind], acyclic: bool, most_left: usize, budget: u64) -> [usize; 3] {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut count = [0; 3];
    for _ in 0..150 {
        let nodes = 2 + random.below(3);
        let mut arrows = Arrows(vec![Vec::new(); nodes]);
        for from in 0..nodes {
            let below = if acyclic { from } else { nodes };
            for _ in 0..random.below(4).min(below * 2) {
                let kind = kinds[random.below(kinds.len())];
                let left = (0..=random.below(most_left)).map(|_| random.below(below)).collect();
                arrows.0[from].push((kind, left));
            }
        }
        let pieces = [nodes - 1, random.below(nodes)];
        count[match check(&arrows, &pieces, budget) {
            Outcome::N => 0,
            Outcome::P => 1,
            Outcome::D => 2,
        }] += 1;
    }
    count
}

#[test]
fn the_engine_keeps_what_it_has_with_carry_on_moves_and_cycles() {
    let count = check_random(&[Kind::Ordinary, Kind::Ordinary, Kind::Again], false, 1, 100_000);
    assert!(count.iter().all(|&count| count > 5), "{count:?}");
}

#[test]
fn the_engine_keeps_what_it_has_with_entailing_moves() {
    let kinds = [Kind::Ordinary, Kind::Again, Kind::Entailing];
    let [next, previous, drawn] = check_random(&kinds, true, 1, 100_000);
    assert!(next > 20 && previous > 5 && drawn == 0, "{next} {previous} {drawn}");
}

#[test]
fn the_engine_keeps_what_it_has_with_everything_at_once() {
    let kinds = [Kind::Ordinary, Kind::Again, Kind::Entailing];
    let count = check_random(&kinds, false, 1, 100_000);
    assert!(count.iter().all(|&count| count > 5), "{count:?}");
}

#[test]
fn the_engine_keeps_what_it_has_where_positions_split() {
    let kinds = [Kind::Ordinary, Kind::Again, Kind::Entailing];
    // The small budget has room for the parts and for all moves of a position, but not for every
    // whole component: one game in five is then played by the values of its parts.
    for budget in [100_000, 10] {
        let [next, previous, drawn] = check_random(&kinds, true, 2, budget);
        assert!(next > 20 && previous > 5 && drawn == 0, "{next} {previous} {drawn}");
    }
}

/// Heaps up to 3, a position s of value 2 that splits, and then others.
fn beside_two(others: impl IntoIterator<Item = Vec<(Kind, Vec<usize>)>>) -> Arrows {
    let mut arrows = heaps(3);
    arrows.0.push(vec![ordinary(0), ordinary(1), (Kind::Ordinary, vec![1, 1])]);
    arrows.0.extend(others);
    arrows
}

#[test]
fn a_draw_by_a_circle_of_carry_on_moves_is_shown_up_to_the_first_repetition() {
    // x0 ↻ x1 and x2, both of which ↻ x3, which ↻ x0. The exits 0, 1 and 3 lose beside 2.
    let exits = [ordinary(0), ordinary(1), ordinary(3)];
    let x = |next: &[usize]| next.iter().map(|&to| again(to)).chain(exits.clone()).collect();
    let arrows = beside_two([x(&[6, 7]), x(&[8]), x(&[8]), x(&[5])]);
    let mut solution = solution(&arrows, &[5, 4]);
    solution.rely_on_values();
    let start = solution.start().clone();
    let answer = solution.answer(&start).unwrap();
    assert_eq!(answer.outcome, Outcome::D);
    let turn = answer.turn.unwrap();
    assert!(turn.endless);
    let plies: Vec<_> = turn.plies.iter().map(|ply| (ply.from.as_str(), ply.to.as_str())).collect();
    assert_eq!(plies.len(), 3);
    assert_eq!(plies[0].0, plies[2].1);
    assert_ne!(plies[0].0, plies[1].1);
}

#[test]
fn a_win_behind_more_carry_on_moves_than_could_be_tried_is_found() {
    // y ↻ 0 and y → y: a ninny. All of them must be carried away before the last move.
    let arrows = beside_two([vec![again(0), ordinary(5)]]);
    let mut pieces = vec![5; 40];
    pieces.push(4);
    let mut solution = solution(&arrows, &pieces);
    solution.rely_on_values();
    let start = solution.start().clone();
    let answer = solution.answer(&start).unwrap();
    assert_eq!(answer.outcome, Outcome::N);
    let turn = answer.turn.unwrap();
    assert!(!turn.endless);
    assert_eq!(turn.plies.len(), 41);
    assert_eq!(turn.plies[40].kind, Kind::Ordinary);
    let mut placement = start;
    for made in &answer.moves {
        placement = solution.after(&placement, made);
    }
    assert_eq!(solution.outcome(&placement).unwrap(), Outcome::P);
}
