//! Strings and coins: cut strings, take coins that come loose.
//!
//! Strings join coins to each other or to the ground. A move cuts a string. A coin whose last
//! string is cut is taken, and who took one or two coins moves again; a player who must move and
//! finds no string loses. On a square grid this is Nimstring, drawn with coins for boxes.
//!
//! ```text
//!   a ── b ── c ──0       coins:a-b,b-c,c-0
//! ```
//!
//! Here a player who cuts a-b takes a and moves again. Who cuts b-c takes nothing: b still hangs on
//! a, and c on the ground.
//!
//! ## References
//! [LNS2021, §4]; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning ways for your mathematical
//! plays (1982), chapter 16.

use std::fmt;
use std::sync::Arc;

use nimoon::limits::Interrupted;
use nimoon::ruleset::memory::Memory;
use nimoon::{
    Work,
    notation::NotationError,
    ruleset::{Found, Interned, Move, Notation, Ruleset, Shortcuts},
};

use super::canonical;
use super::edges::{Graph, read_edges, select};
use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;
use crate::strings::Strings as Search;

/// The name of a coin, or the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Coin(u128);

impl Coin {
    /// The ground; it comes after all names.
    pub const GROUND: Self = Self(u128::MAX);

    /// How many ASCII letters and digits a name may have: one byte of the number each.
    const LONGEST: usize = 16;

    /// The coin of this name, if it is one to sixteen ASCII letters and digits; `0` is the ground.
    pub fn new(name: &str) -> Option<Self> {
        if name == "0" {
            return Some(Self::GROUND);
        }
        let allowed = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if name.is_empty() || name.len() > Self::LONGEST || !allowed {
            return None;
        }
        let mut bytes = [0; Self::LONGEST];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        Some(Self(u128::from_be_bytes(bytes)))
    }

    /// The coin whose name is this number, or the ground for 0.
    fn numbered(number: u32) -> Self {
        Self::new(&number.to_string()).unwrap_or(Self::GROUND)
    }

    fn read(scanner: &mut Scanner<'_>) -> Result<Self, NotationError> {
        let place = scanner.place();
        let name = scanner.run(|c| c.is_ascii_alphanumeric());
        if name.is_empty() {
            return Err(scanner.expected(
                "the name of a coin, letters from A to Z or a to z and digits, or 0, the ground",
            ));
        }
        Self::new(name).ok_or_else(|| {
            let longest = Self::LONGEST;
            let message = format!(
                "expected the name of a coin of at most {longest} letters and digits, found {} of \
                 them",
                name.len()
            );
            NotationError::at(place, message)
        })
    }
}

impl fmt::Display for Coin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::GROUND {
            return f.write_str("0");
        }
        let bytes = self.0.to_be_bytes();
        bytes
            .into_iter()
            .filter(|&byte| byte != 0)
            .try_for_each(|byte| write!(f, "{}", byte as char))
    }
}

/// Cut a string; a player who takes a coin moves again.
///
/// A position is the sorted list of strings, each given by its ends, the ground last.
#[derive(Debug, Default)]
pub struct Coins {
    search: Search,
}

type Strings = Vec<[Coin; 2]>;

fn graph(strings: &[[Coin; 2]]) -> Graph<Coin> {
    Graph::new(Coin::GROUND, strings.iter().copied())
}

/// The coins that are taken when this string is cut.
fn taken(graph: &Graph<Coin>, string: usize) -> impl Iterator<Item = Coin> {
    let [a, b] = graph.ends(string);
    let last = |vertex: &u32| *vertex != 0 && graph.edges_at(*vertex).len() == 1;
    let second = Some(b).filter(|_| a != b);
    [Some(a), second].into_iter().flatten().filter(last).map(|vertex| *graph.name(vertex))
}

/// The strings by numbers of the coins, 1, 2, …; 0 is the ground.
fn numbered(strings: &[[Coin; 2]]) -> impl Iterator<Item = [u32; 2]> {
    let graph = graph(strings);
    (0..strings.len()).map(move |string| graph.ends(string))
}

fn write_string([a, b]: [Coin; 2]) -> String {
    format!("{a}-{b}")
}

impl Ruleset for Coins {
    type Position = Strings;

    fn name(&self) -> String {
        "coins".into()
    }

    fn options(&self, strings: &Strings) -> impl Iterator<Item = Move<Strings>> {
        let graph = graph(strings);
        (0..strings.len()).map(move |string| {
            let mut to = strings.clone();
            to.remove(string);
            if taken(&graph, string).next().is_some() { Move::again(to) } else { Move::to(to) }
        })
    }

    fn read(&self, text: &str) -> Result<Strings, NotationError> {
        if text == "0" {
            return Ok(Vec::new());
        }
        let read = Scanner::whole(text, |scanner| {
            read_edges(scanner, |scanner| {
                let one = Coin::read(scanner)?;
                scanner.need('-')?;
                let other = Coin::read(scanner)?;
                Ok([one.min(other), one.max(other)])
            })
        })?;
        let mut strings: Strings = read.into_iter().map(|(_, string)| string).collect();
        strings.sort_unstable();
        Ok(strings)
    }

    fn write(&self, strings: &Strings) -> String {
        if strings.is_empty() {
            return "0".into();
        }
        strings.iter().map(|&string| write_string(string)).collect::<Vec<_>>().join(",")
    }

    fn components(&self, strings: Strings) -> Vec<Strings> {
        graph(&strings).parts().iter().map(|part| select(&strings, part)).collect()
    }

    fn canonical(&self, strings: Strings) -> Strings {
        let Some(form) = canonical::form(&graph(&strings), |_| 0) else { return strings };
        let mut renamed: Strings = form
            .into_iter()
            .map(|(ends, _)| {
                let [a, b] = ends.map(Coin::numbered);
                [a.min(b), a.max(b)]
            })
            .collect();
        renamed.sort_unstable();
        renamed
    }
}

impl Notation for Coins {
    fn words(&self, strings: &Strings, number: usize, _option: &Move<Strings>) -> String {
        let Some(&string) = strings.get(number) else { return String::new() };
        let taken: Vec<_> = taken(&graph(strings), number).map(|coin| coin.to_string()).collect();
        let taken = match &taken[..] {
            [] => String::new(),
            [one] => format!("; take {one}"),
            more => format!("; take {}", more.join(" and ")),
        };
        format!("cut the string {}{taken}", write_string(string))
    }

    /// Each coin with what it is tied to.
    fn board(&self, strings: &Strings) -> String {
        if strings.is_empty() {
            return "no coins".into();
        }
        let graph = graph(strings);
        // The ground is named only for strings that hold no coin.
        let loops =
            graph.edges_at(0).iter().filter(|&&string| graph.ends(string as usize) == [0, 0]);
        let ground = loops.map(|_| "0: 0".to_owned());
        let coins = (1..graph.order() as u32).map(|coin| {
            let others = graph.edges_at(coin).iter().map(|&string| graph.across(string, coin));
            let others: Vec<_> = others.map(|other| graph.name(other).to_string()).collect();
            format!("{}: {}", graph.name(coin), others.join(" "))
        });
        coins.chain(ground).collect::<Vec<_>>().join("\n")
    }
}

impl Shortcuts for Coins {
    fn size(&self, strings: &Strings) -> usize {
        size_of_val(strings.as_slice())
    }

    fn can_search(&self, strings: &Strings) -> bool {
        Search::fits(numbered(strings))
    }

    fn search(
        &self,
        strings: &Strings,
        nimber: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<Found>, Interrupted> {
        self.search.search(numbered(strings), nimber, work)
    }

    fn remember(&mut self, memory: Arc<dyn Memory>) {
        self.search.remember(memory);
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "coins",
        board: Board::Graph,
        rules: "Cut a string. A coin whose last string is cut is taken, and a player who takes one \
                or two coins moves again.",
        notation: "coins:A-B,C-D,… is a list of strings, each between two coins or a coin and the ground \
                   0; a coin has a name of letters and digits; 0 alone has no strings",
        example: "coins:a-b,b-c,c-0,b-0",
        value: "1",
        parameters: Parameters::None,
        source: "LNS2021, section 4",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(Coins::default())))),
    }
}

#[cfg(test)]
mod tests {
    use nimoon::Kind;
    use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
    use proptest::prelude::*;

    use super::*;
    use crate::graph::testing::{Evaluator, read_or_refuse};

    fn read(text: &str) -> Strings {
        Coins::default().read(text).unwrap()
    }

    fn value(text: &str) -> EntailingValue {
        Evaluator::new(Coins::default()).value(&read(text))
    }

    #[test]
    fn small_positions_have_the_values_that_one_finds_by_hand() {
        assert_eq!(value("0"), Nimber(0));
        assert_eq!(value("0-0"), Nimber(1));
        // The coin is taken, and the player who must move again cannot.
        assert_eq!(value("a-0"), Nimber(0));
        assert_eq!(value("a-b"), Nimber(0));
        assert_eq!(value("a-a"), Nimber(0));
        // One cut leaves a-0, the other takes a coin and leaves nothing.
        assert_eq!(value("a-0,a-0"), Nimber(1));
        assert_eq!(value("a-b,b-0"), Moon);
        assert_eq!(value(entry().example.trim_start_matches("coins:")).to_string(), entry().value);
    }

    #[test]
    fn one_cut_may_take_two_coins() {
        let position = read("c-0,b-a,c-0");
        assert_eq!(Coins::default().write(&position), "a-b,c-0,c-0");
        let moves: Vec<_> = Coins::default()
            .options(&position)
            .enumerate()
            .map(|(number, option)| {
                (Coins::default().words(&position, number, &option), option.kind)
            })
            .collect();
        assert_eq!(moves[0], ("cut the string a-b; take a and b".to_owned(), Kind::Again));
        assert_eq!(moves[1], ("cut the string c-0".to_owned(), Kind::Ordinary));
        assert_eq!(Coins::default().board(&read("a-b,b-0,0-0")), "a: b\nb: a 0\n0: 0");
    }

    #[test]
    fn canonical_forms_forget_names() {
        let one = Coins::default().canonical(read("x-y,y-z,z-0,x-0,x-0"));
        assert_eq!(one, Coins::default().canonical(read("b-a,a-c,c-0,c-0,b-0")));
        assert_ne!(one, Coins::default().canonical(read("b-a,a-c,c-0,a-0,b-0")));
        assert_eq!(read(&Coins::default().write(&one)), one);
    }

    #[test]
    fn faults_are_pointed_at() {
        let error = |text| Coins::default().read(text).unwrap_err();
        assert_eq!(error("a-b,").at, 4);
        assert_eq!(error("a-b-c").message, "expected the end, found `-`");
        assert_eq!(error("a-abcdefghijklmnopq").at, 2);
        assert_eq!(error("é-b").at, 0);
        assert_eq!(error("").at, 0);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[ab0-]{0,4}|([ab0]-[ab0],){0,4}[ab]-[0c]|.{0,9}") {
            read_or_refuse(&Coins::default(), &text);
        }
    }
}
