//! Theories on arbitrary small digraphs, against the oracle.

use std::cell::RefCell;
use std::collections::HashSet;

use nimoon::impartial::turn::{best_turns, solve};
use nimoon::smith::compound::{Answer as CompoundAnswer, Compound, Compounds, Kind};
use nimoon::smith::remoteness::Play;
use nimoon::{
    Guide, Label, Labelling, Limits, Node, Outcome, Sum, Theory, Turn, TurnKind, Work, label,
};
use nimoon_audit::{Checker, Claims};
use nimoon_oracle::compounds::{self, Options};
use nimoon_oracle::{Outcome as Truth, Product};

use crate::bytes::Bytes;
use crate::digraph::Plain;
use crate::limits::ENOUGH;

/// The most nodes of a digraph that is labelled.
pub(crate) const MOST_NODES: usize = 6;

thread_local! {
    static CHECKER: RefCell<Checker> = RefCell::new(Checker::new());
}

/// Every theory that fits labels the digraph like brute force, and one that does not fit returns a
/// reason.
pub(super) fn labels(bytes: &[u8]) {
    let plain = Plain::read(&mut Bytes::new(bytes), MOST_NODES);
    let digraph = plain.digraph();
    let smallest = label(&digraph, None, &Work::new(ENOUGH)).expect("some theory fits").theory();
    let mut fits = false;
    for theory in Theory::ALL {
        let Ok(labelling) = label(&digraph, Some(theory), &Work::new(ENOUGH)) else {
            assert_ne!(theory, smallest);
            continue;
        };
        fits |= theory == smallest;
        let labels: Vec<Option<Label>> =
            digraph.nodes().map(|node| Some(labelling.label(node))).collect();
        let claims = Claims { theory, labels };
        let findings = CHECKER.with_borrow_mut(|checker| checker.check(&digraph, &claims));
        if let Some(wrong) = findings.first {
            panic!("{wrong}");
        }
    }
    assert!(fits, "{smallest} fits");
}

/// Sums of up to three pieces: who wins, how soon, and by which turn.
pub(super) fn turns(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let plain = Plain::read(bytes, 5);
    let mut pieces: Vec<usize> = Vec::new();
    for _ in 0..=bytes.below(3) {
        let node = bytes.below(plain.len());
        // At most one piece can be due.
        if !plain.gray[node] || pieces.iter().all(|&piece| !plain.gray[piece]) {
            pieces.push(node);
        }
    }
    let digraph = plain.digraph();
    let labelling = label(&digraph, None, &Work::new(ENOUGH)).expect("some theory fits");
    let board = plain.board();
    let product = Product::new(&vec![&board; pieces.len()]).expect("it is small");
    let game = SumGame { plain: &plain, product };
    let nodes: Vec<Node> = pieces.iter().map(|&node| node as Node).collect();
    let sum = Sum::new(&digraph, &labelling, nodes).expect("one piece at most is due");
    let truth = game.outcome(&pieces);
    if let Some(outcome) = sum.outcome() {
        assert_eq!(outcome.to_string(), truth.to_string());
    }
    let answer = solve(&sum, &Work::new(ENOUGH)).expect("the budget is enough");
    assert_eq!(answer.outcome.to_string(), truth.to_string());
    if let Guide::Search { remoteness } = answer.guide {
        assert_eq!(remoteness.map(|plies| plies as usize), game.product.remoteness(&pieces));
    }
    game.check(&pieces, answer.turn.as_ref().expect("there is a turn, of no plies if need be"));
    by_measure(&game, &pieces, &sum, &labelling);
    let listed = best_turns(&sum, &Work::new(ENOUGH), 200).expect("the budget is enough");
    let expected = if truth == Truth::N { TurnKind::Winning } else { TurnKind::Drawing };
    // Turns that hold a draw are listed where they end.
    assert!(truth != Truth::N || !listed.turns.is_empty(), "{listed:?}");
    assert!(truth != Truth::P || listed.turns.is_empty(), "{listed:?}");
    for turn in &listed.turns {
        assert_eq!(turn.kind, expected);
        game.check(&pieces, turn);
    }
}

/// Without a budget for searching, the algebra alone must find an equally good turn.
fn by_measure(game: &SumGame<'_>, pieces: &[usize], sum: &Sum<'_>, labelling: &Labelling) {
    if labelling.theory() == Theory::General {
        return;
    }
    let answer = solve(sum, &Work::new(Limits::new(0))).expect("no search is needed");
    assert_eq!(answer.outcome.to_string(), game.outcome(pieces).to_string());
    if let Some(turn) = &answer.turn {
        game.check(pieces, turn);
    }
}

/// A sum as the oracle plays it.
struct SumGame<'a> {
    plain: &'a Plain,
    product: Product,
}

impl SumGame<'_> {
    fn outcome(&self, pieces: &[usize]) -> Truth {
        self.product.outcome(pieces).expect("it is a position")
    }

    /// The piece that must be moved.
    fn due(&self, pieces: &[usize]) -> Option<usize> {
        pieces.iter().position(|&node| self.plain.gray[node])
    }

    fn plies(&self, pieces: &[usize]) -> Vec<(usize, usize)> {
        let due = self.due(pieces);
        let movable = (0..pieces.len()).filter(|&piece| due.is_none_or(|due| due == piece));
        let plies = movable
            .flat_map(|piece| self.plain.options[pieces[piece]].iter().map(move |&to| (piece, to)));
        plies.collect()
    }

    /// The player to move has no choice.
    fn is_forced(&self, pieces: &[usize]) -> bool {
        self.due(pieces).is_some_and(|due| self.plain.options[pieces[due]].len() == 1)
    }

    /// A turn is legal, goes as far as it should, and achieves what it claims.
    fn check(&self, pieces: &[usize], turn: &Turn) {
        let truth = self.outcome(pieces);
        let mut now = pieces.to_vec();
        let mut mover = true;
        let mut seen = HashSet::from([now.clone()]);
        for ply in &turn.plies {
            let (component, to) = (ply.component, ply.to as usize);
            assert_eq!(now[component], ply.from as usize, "{turn:?}");
            assert!(self.plies(&now).contains(&(component, to)), "{ply:?} of {turn:?}");
            assert_eq!(ply.forced, !mover, "{ply:?} of {turn:?}");
            assert!(mover || self.is_forced(&now), "the opponent chooses: {turn:?}");
            now[component] = to;
            mover = !mover;
            let _ = seen.insert(now.clone());
        }
        if turn.endless {
            assert!(seen.len() <= turn.plies.len(), "nothing repeats: {turn:?}");
        } else {
            let stuck = self.plies(&now).is_empty();
            assert!(stuck || (!mover && !self.is_forced(&now)), "it stops early: {turn:?}");
        }
        let kind = match truth {
            Truth::N => TurnKind::Winning,
            Truth::D => TurnKind::Drawing,
            Truth::P if turn.plies.is_empty() => TurnKind::None,
            Truth::P => TurnKind::Losing,
        };
        assert_eq!(turn.kind, kind, "{turn:?}");
        match kind {
            TurnKind::Winning => assert!(!mover && self.outcome(&now) == Truth::P, "{turn:?}"),
            TurnKind::Drawing => {
                let holds = !mover && self.outcome(&now) == Truth::D;
                assert!(turn.endless || holds, "{turn:?}");
            }
            TurnKind::Losing => assert!(!turn.endless, "{turn:?}"),
            TurnKind::None => assert!(self.plies(pieces).is_empty(), "{turn:?}"),
        }
    }
}

/// Compounds of two pieces by formula and by search, in normal and misère play, against compounds
/// written out.
pub(super) fn together(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let kind = Kind::ALL[bytes.below(Kind::ALL.len())];
    let play = if bytes.byte() & 1 == 0 { Play::Normal } else { Play::Misere };
    let mut plain = Plain::read(bytes, 5);
    plain.gray.fill(false);
    let pieces = [bytes.below(plain.len()), bytes.below(plain.len())];
    let written = compounds::compound(
        match kind {
            Kind::Conjunctive => compounds::Kind::Conjunctive,
            Kind::Selective => compounds::Kind::Selective,
            Kind::Disjunctive => compounds::Kind::Disjunctive,
        },
        &plain.options,
        &plain.options,
    );
    let remoteness = compounds::remoteness(&written, &vec![play == Play::Misere; written.len()]);
    let position = pieces[0] * plain.len() + pieces[1];
    let nodes = pieces.map(|node| node as Node).to_vec();
    let compound = Compound::new(kind, nodes).expect("there are two pieces");
    let digraph = plain.digraph();
    for budget in [ENOUGH, Limits::new(0)] {
        let compounds = Compounds::new(&digraph, &Work::new(budget)).expect("no node is gray");
        let answer = compounds.solve(&compound, play);
        let written = Written { options: &written, remoteness: &remoteness, nodes: plain.len() };
        written.check(pieces, position, &answer);
        if budget == ENOUGH {
            assert!(answer.outcome.is_some() && answer.remoteness.is_some(), "{answer:?}");
        }
    }
}

/// A compound written out by the oracle.
struct Written<'a> {
    options: &'a Options,
    remoteness: &'a [Option<usize>],
    nodes: usize,
}

impl Written<'_> {
    fn outcome(&self, position: usize) -> Outcome {
        match self.remoteness[position].map(|plies| plies % 2) {
            Some(0) => Outcome::P,
            Some(_) => Outcome::N,
            None => Outcome::D,
        }
    }

    fn check(&self, mut pieces: [usize; 2], position: usize, answer: &CompoundAnswer) {
        let distance = compounds::distances(self.options)[position];
        assert_eq!(answer.distance, distance.map(|plies| plies as u64));
        if let Some(found) = answer.remoteness {
            assert_eq!(found.value, self.remoteness[position].map(|plies| plies as u64));
        }
        let truth = self.outcome(position);
        if let Some(found) = answer.outcome {
            assert_eq!(found.value, truth, "{:?}", found.by);
        }
        let Some(turn) = &answer.turn else { return };
        if self.options[position].is_empty() {
            assert_eq!((turn.kind, turn.steps.len()), (TurnKind::None, 0));
            return;
        }
        for step in &turn.steps {
            pieces[step.component] = step.to as usize;
        }
        let to = pieces[0] * self.nodes + pieces[1];
        assert!(self.options[position].contains(&to), "no move: {:?}", turn.steps);
        let kind = match truth {
            Outcome::N => TurnKind::Winning,
            Outcome::P => TurnKind::Losing,
            Outcome::D => TurnKind::Drawing,
        };
        assert_eq!(turn.kind, kind);
        if kind == TurnKind::Winning {
            assert_eq!(self.outcome(to), Outcome::P, "{turn:?}");
        }
        if kind == TurnKind::Drawing {
            assert_eq!(self.outcome(to), Outcome::D, "{turn:?}");
        }
    }
}
