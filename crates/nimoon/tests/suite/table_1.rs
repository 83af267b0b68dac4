//! The transfinite rows of Table 1 [Smith1966, §12], each with a game that has it, for Abe and for
//! Barbara. The finite rows are in `remoteness_payoffs.rs`.

use Assurance::{Bounded, Terminated, Unterminated};
use nimoon::smith::remoteness::security::{Assurance, Ending as Level, Length, table_1};
use nimoon::transfinite::Ordinal;
use nimoon::transfinite::game::{Ending, Game, Moves, Player};

/// What the player who is to move can choose.
#[derive(Clone, Copy)]
enum Choice {
    /// Play ends like this for him.
    At(Level),
    /// The opponent says how many coins there are, they are taken, and then play ends like this.
    After(Level),
    /// Play for ever.
    Endless,
}

/// How play ends if it ends like this for a player.
fn ending(level: Level, player: Player) -> Ending {
    match (level, player) {
        (Level::Draw, _) => Ending::Draw,
        (Level::Win, Player::Abe) | (Level::Loss, Player::Barbara) => Ending::Abe,
        (Level::Win, Player::Barbara) | (Level::Loss, Player::Abe) => Ending::Barbara,
    }
}

/// The game in which a player has these choices at position 0.
fn game(player: Player, choices: &[Choice]) -> Game {
    let other = player.opponent();
    let mut positions = vec![(player, Moves::To((1..=choices.len()).collect()))];
    let last = choices.len() + 1;
    positions.extend(choices.iter().map(|choice| {
        let moves = match *choice {
            Choice::At(level) => Moves::End(ending(level, player)),
            Choice::After(level) => Moves::Pool(Ordinal::omega(), ending(level, player)),
            Choice::Endless => Moves::To(vec![last]),
        };
        (other, moves)
    }));
    // From where the opponent can only move back.
    let endless = choices.iter().position(|choice| matches!(choice, Choice::Endless));
    if let Some(endless) = endless {
        positions.push((player, Moves::To(vec![endless + 1])));
    }
    Game::new(positions).expect("a game")
}

/// Q of the goals to win, to win or draw, and to end play, at position 0.
fn functions(game: &Game, player: Player) -> [Option<Ordinal>; 3] {
    // Abe succeeds where the goal of Barbara is missed.
    let first = |success: &dyn Fn(Ending) -> bool| {
        game.try_remoteness(success).expect("small ordinals").swap_remove(0)
    };
    match player {
        Player::Abe => [
            first(&|ending| ending == Ending::Abe),
            first(&|ending| ending != Ending::Barbara),
            first(&|_| true),
        ],
        Player::Barbara => [
            first(&|ending| ending != Ending::Barbara),
            first(&|ending| ending == Ending::Abe),
            first(&|_| false),
        ],
    }
}

#[test]
fn each_transfinite_row_of_table_1_has_a_game_for_abe_and_for_barbara() {
    use Choice::{After, At, Endless};
    use Level::{Draw, Loss, Win};
    type Row<'a> = (&'a [Choice], [Option<bool>; 3], &'a [(Level, Assurance)]);
    // For each Q whether it is odd and transfinite, finite and odd (`Some(false)`), or neither.
    let rows: [Row; 7] = [
        (
            &[After(Win), At(Draw)],
            [Some(true), Some(false), Some(false)],
            &[(Win, Terminated), (Draw, Bounded)],
        ),
        (
            &[After(Win), At(Loss)],
            [Some(true), Some(true), Some(false)],
            &[(Win, Terminated), (Loss, Bounded)],
        ),
        (&[After(Win)], [Some(true); 3], &[(Win, Terminated)]),
        (
            &[After(Draw), At(Loss)],
            [None, Some(true), Some(false)],
            &[(Draw, Terminated), (Loss, Bounded)],
        ),
        (&[After(Draw)], [None, Some(true), Some(true)], &[(Draw, Terminated)]),
        (
            &[Endless, After(Loss)],
            [None, None, Some(true)],
            &[(Draw, Unterminated), (Loss, Terminated)],
        ),
        (&[After(Loss)], [None, None, Some(true)], &[(Loss, Terminated)]),
    ];
    for (row, (choices, kinds, expected)) in rows.into_iter().enumerate() {
        for player in [Player::Abe, Player::Barbara] {
            let game = game(player, choices);
            let functions = functions(&game, player);
            let found = functions
                .each_ref()
                .map(|q| q.as_ref().filter(|q| q.is_odd()).map(|q| !Length::is_finite(q)));
            assert_eq!(found, kinds, "row {row} for {player:?}: {functions:?}");
            let levels = table_1(functions, true);
            let levels: Vec<_> =
                levels.iter().map(|level| (level.ending(), level.assurance)).collect();
            assert_eq!(levels, expected, "row {row} for {player:?}");
        }
    }
}
