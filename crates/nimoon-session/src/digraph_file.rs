//! A game that is a digraph in a file: move the piece along an arc.
//!
//! White nodes are ordinary positions. A move to a gray node is *entailing*: the opponent must
//! answer it by moving the same piece, and loses if it cannot be moved. A gray node with one option
//! makes a carry-on move: the answer is forced, and the mover moves again.
//!
//! ```text
//! # trap.game
//! a: b        a ──► b ──► c
//! b: a c      ▲     │
//! c:          └─────┘
//! ```
//!
//! The extension of the file name determines the format. Play is normal play of an impartial game;
//! files with other rules are errors.
//!
//! ## References
//! [ACLNSS, Def. 1.1], T. Abuku, A. Carvalho, U. Larsson, R. J. Nowakowski, C. P. Santos,
//! K. Suetsugu, *Cyclic impartial games with carry-on moves*.

use nimoon::{
    Node, Work,
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};
use nimoon_formats::Game;
use nimoon_formats::read::{Format, ReadError, ReadErrorKind, nearest, read_impartial};

use nimoon_rulesets::catalogue::{Board, Entry, Make, MakeError, Parameters};

/// Move the piece along an arc of a digraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigraphFile {
    file: String,
    game: Game,
}

impl DigraphFile {
    /// Reads the contents of a file. The extension of its name determines the format; with an
    /// unknown extension it is `.game`.
    ///
    /// # Errors
    /// When the contents are not a digraph, with the line and the column; when the file defines
    /// something other than normal play of an impartial game; or when a limit is reached.
    pub fn new(file: &str, contents: &[u8], work: &Work) -> Result<Self, MakeError> {
        let refuse =
            |message: String| Err(NotationError::at(0, format!("{file}: {message}")).into());
        let format = file.rsplit_once('.').and_then(|(_, end)| Format::from_extension(end));
        let format = format.unwrap_or(Format::Game);
        let source = match read_impartial(format, contents, work) {
            Ok(source) => source,
            Err(ReadError { kind: ReadErrorKind::Interrupted(interrupted), .. }) => {
                return Err(interrupted.into());
            }
            Err(error) => return refuse(error.to_string()),
        };
        let game = match source.into_game() {
            Ok(game) => game,
            Err(error) => return refuse(error.to_string()),
        };
        Ok(Self { file: file.to_owned(), game })
    }
}

impl Ruleset for DigraphFile {
    type Position = Node;

    fn name(&self) -> String {
        format!("digraph[{}]", self.file)
    }

    fn options(&self, node: &Node) -> impl Iterator<Item = Move<Node>> {
        let digraph = &self.game.digraph;
        digraph
            .options(*node)
            .iter()
            .map(|&to| if digraph.is_gray(to) { Move::entailing(to) } else { Move::to(to) })
    }

    fn read(&self, text: &str) -> Result<Node, NotationError> {
        let names = &self.game.names;
        names.node(text).ok_or_else(|| {
            let meant = nearest(names.iter(), text)
                .map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
            NotationError::at(0, format!("{} has no node `{text}`{meant}", self.file))
        })
    }

    fn write(&self, node: &Node) -> String {
        self.game.names.name(*node).into_owned()
    }
}

impl Notation for DigraphFile {
    fn words(&self, _node: &Node, _number: usize, option: &Move<Node>) -> String {
        format!("move the piece to {}", self.game.names.name(option.to))
    }

    fn board(&self, node: &Node) -> String {
        /// More options than this are not listed.
        const LISTED: usize = 20;
        let names = &self.game.names;
        let marked = |node: Node| {
            let gray = if self.game.digraph.is_gray(node) { " (gray)" } else { "" };
            format!("{}{gray}", names.name(node))
        };
        let options = self.game.digraph.options(*node);
        let mut listed: Vec<_> = options.iter().take(LISTED).map(|&to| marked(to)).collect();
        match options.len() {
            0 => listed.push("nowhere".into()),
            count if count > LISTED => listed.push(format!("… ({count} in all)")),
            _ => {}
        }
        format!("{} → {}", marked(*node), listed.join(", "))
    }
}

impl Shortcuts for DigraphFile {
    fn must_be_answered(&self, node: &Node) -> bool {
        self.game.digraph.is_gray(*node)
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "digraph",
        board: Board::Graph,
        rules: "Move the piece along an arc. A move to a gray node must be answered with the same \
                piece.",
        notation: "digraph[FILE]:NODE, a node of the digraph in the file",
        example: "digraph[examples/zones.game]:x",
        value: "☾₀",
        parameters: Parameters::File {
            holds: "a digraph, in a format reply by the extension",
            most: 1_000_000_000,
        },
        source: "Abuku, Carvalho, Larsson, Nowakowski, Santos, Suetsugu: Cyclic impartial games \
                 with carry-on moves",
        make: Make::Impartial(|given| {
            Ok(Box::new(Interned::new(DigraphFile::new(given.text, given.file, given.work)?)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(file: &str, contents: &[u8]) -> Result<DigraphFile, MakeError> {
        DigraphFile::new(file, contents, &Work::default())
    }

    const GAME: &[u8] = b"gray g\nstart: end g\ng: end start\nend:\n";

    #[test]
    fn a_move_to_a_gray_node_entails_and_must_be_answered() {
        let game = made("x.game", GAME).unwrap();
        let [start, g, end] = ["start", "g", "end"].map(|name| game.read(name).unwrap());
        let options: Vec<_> = game.options(&start).collect();
        assert_eq!(options, [Move::to(end), Move::entailing(g)]);
        assert!(game.must_be_answered(&g) && !game.must_be_answered(&start));
        assert_eq!(game.words(&start, 1, &options[1]), "move the piece to g");
        assert_eq!(game.board(&start), "start → end, g (gray)");
        assert_eq!(game.board(&end), "end → nowhere");
        assert_eq!(game.name(), "digraph[x.game]");
        assert_eq!([start, g, end].map(|node| game.write(&node)), ["start", "g", "end"]);
    }

    #[test]
    fn the_example_of_the_catalogue_has_the_value_it_says() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/zones.game");
        let game = made(file, &std::fs::read(file).unwrap()).unwrap();
        let labelling = nimoon::label(&game.game.digraph, None, &Work::default()).unwrap();
        let value = labelling.value(game.read("x").unwrap()).unwrap();
        assert_eq!(value.to_string(), entry().value);
    }

    #[test]
    fn the_extension_tells_the_format_and_game_is_the_default() {
        let json = br#"{"arcs":[["a","b"]],"gray":["b"]}"#;
        let game = made("some.where/x.JSON", json).unwrap();
        assert!(game.must_be_answered(&game.read("b").unwrap()));
        assert!(made("x", GAME).is_ok());
        assert!(made("x.json", GAME).is_err());
    }

    #[test]
    fn an_unknown_node_is_answered_with_the_nearest_name() {
        let game = made("x.game", GAME).unwrap();
        let message = |text| game.read(text).unwrap_err().to_string();
        assert_eq!(message("strat"), "x.game has no node `strat`; did you mean `start`?");
        assert_eq!(message("q"), "x.game has no node `q`");
        assert_eq!(message(""), "x.game has no node ``");
    }

    #[test]
    fn faults_of_the_file_keep_their_line_and_column() {
        let message = |contents: &[u8]| made("x.game", contents).unwrap_err().to_string();
        assert!(message(b"a: b\nb: c:d\n").starts_with("x.game: line 2, column 5: found a second"));
        assert!(message(b"").contains("line 1, column 1"));
        assert!(
            message(b"a: b\nlose b\n").starts_with("x.game: line 2, column 6: play does not end")
        );
        assert!(
            message(b"a: b\nleft a\n").starts_with("x.game: line 2, column 6: only one player")
        );
    }
}
