//! Every limit ends every engine, and what is known then is right.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nimoon::affine::{Forms, ReadError};
use nimoon::graph::product::{ProductError, product};
use nimoon::impartial::explain::explain;
use nimoon::impartial::representative::{RepresentativeError, representative};
use nimoon::impartial::rounds::try_rounds;
use nimoon::impartial::turn::{best_turns, solve};
use nimoon::limits::Limit;
use nimoon::partizan::notation::{EvaluateError, Expression};
use nimoon::partizan::{Graph, Stoppers};
use nimoon::ruleset::{Interned, Move};
use nimoon::smith::compound::{Compound, Compounds, Kind as CompoundKind};
use nimoon::smith::grundy::{GrundyError, GrundyPair, wide};
use nimoon::smith::remoteness::{PartizanRemoteness, PayoffGame, PayoffSolution, Play, Remoteness};
use nimoon::solve::solution::Solution;
use nimoon::transfinite::expression::{ExpressionErrorKind, read};
use nimoon::{
    AnyValue, Digraph, Interrupted, Labelling, Limits, Node, Notation, NotationError, Positions,
    Progress, Ruleset, Shortcuts, Sum, Theory, Work, label,
};

/// The four ways to an end before the work has begun.
fn ends() -> [(Work, Option<Limit>); 4] {
    let many = Limits::new(u64::MAX);
    [
        (Work::new(Limits::new(0)), Some(Limit::Positions)),
        (Work::new(many.bytes(0)), Some(Limit::Bytes)),
        (Work::new(many.time(Duration::ZERO)), Some(Limit::Time)),
        (stopped(), None),
    ]
}

fn stopped() -> Work {
    Work::new(Limits::new(u64::MAX)).until(Arc::new(AtomicBool::new(true)))
}

/// Runs an engine under each of the limits that it has; time and token end all of them.
fn ended(engine: &str, limits: &[Limit], ask: impl Fn(&Work) -> Option<Interrupted>) {
    for (work, limit) in ends() {
        if matches!(limit, Some(Limit::Positions | Limit::Bytes))
            && !limit.is_some_and(|limit| limits.contains(&limit))
        {
            continue;
        }
        let interrupted = ask(&work).unwrap_or_else(|| panic!("{engine} did not stop: {limit:?}"));
        assert_eq!(interrupted.limit(), limit, "{engine}: {interrupted}");
    }
    assert_eq!(ask(&Work::new(Limits::new(1 << 20))), None, "{engine} ends by itself");
}

const BOTH: [Limit; 2] = [Limit::Positions, Limit::Bytes];
const BYTES: [Limit; 1] = [Limit::Bytes];

fn digraph(len: usize, gray: &[Node], arcs: &[(Node, Node)]) -> Digraph {
    Digraph::new(len, gray.iter().copied(), arcs.to_vec()).unwrap()
}

/// Smith's trap.
fn trap() -> Digraph {
    digraph(3, &[], &[(0, 1), (1, 0), (1, 2)])
}

/// A digraph for each theory.
fn of_theory(theory: Theory) -> Digraph {
    match theory {
        Theory::Short => digraph(3, &[], &[(1, 0), (2, 1), (2, 0)]),
        Theory::Cyclic => trap(),
        Theory::Entailing => digraph(4, &[2], &[(1, 0), (2, 0), (2, 1), (3, 2)]),
        Theory::CarryOn => {
            digraph(6, &[1, 3], &[(1, 0), (2, 2), (2, 1), (3, 2), (4, 0), (4, 3), (5, 0)])
        }
        Theory::General => digraph(4, &[2], &[(0, 1), (1, 0), (0, 2), (2, 3), (2, 1)]),
    }
}

#[test]
fn every_labelling_is_ended_by_every_limit() {
    for theory in Theory::ALL {
        let digraph = of_theory(theory);
        for requested in [Some(theory), None] {
            ended(theory.name(), &BYTES, |work| {
                label(&digraph, requested, work).unwrap().interrupted()
            });
        }
    }
}

#[test]
fn questions_about_digraphs_are_ended_by_every_limit() {
    let trap = trap();
    let labels = label(&trap, None, &Work::default()).unwrap();
    ended("rounds", &BYTES, |work| try_rounds(&trap, &labels, work).err());
    ended("explain", &[], |work| explain(&trap, &labels, 0, work).err());
    ended("remoteness", &BYTES, |work| Remoteness::try_new(&trap, Play::Normal, work).err());
    ended("product", &BOTH, |work| match product(&trap, 0, 1, work) {
        Err(ProductError::Interrupted(interrupted, _)) => Some(interrupted),
        other => other.map(|_| None).unwrap(),
    });
    ended("grundy", &BYTES, |work| match GrundyPair::try_new(&trap, work) {
        Err(GrundyError::Interrupted(interrupted)) => Some(interrupted),
        other => other.map(|_| None).unwrap(),
    });
    let positions = [Limit::Positions];
    ended("wide", &positions, |work| wide::functions(&trap, 10, work).interrupted);
    let pays = PayoffGame::impartial(&trap, |_| 1).unwrap();
    ended("payoffs", &BYTES, |work| PayoffSolution::try_of_payoffs(&pays, work).err());
    ended("compound", &BOTH, |work| {
        let compounds = Compounds::new(&trap, work).unwrap();
        let two = Compound::new(CompoundKind::Disjunctive, vec![0, 1]).unwrap();
        let answer = compounds.solve(&two, Play::Normal);
        answer.too_large.map(|over| over.interrupted)
    });
    let over = Graph::new(2, [(0, 1)], [(0, 0)]).unwrap();
    ended("partizan remoteness", &BYTES, |work| {
        PartizanRemoteness::try_new(&over, Play::Normal, work).err()
    });
    let value: AnyValue = "ninny{3}".parse().unwrap();
    ended("representative", &BOTH, |work| match representative(&value, work) {
        Err(RepresentativeError::Interrupted { interrupted, .. }) => Some(interrupted),
        other => other.map(|_| None).unwrap(),
    });
}

#[test]
fn sums_of_the_general_theory_are_ended_by_clock_and_token() {
    let general = of_theory(Theory::General);
    let labels = label(&general, None, &Work::default()).unwrap();
    let sum = Sum::new(&general, &labels, vec![0, 1]).unwrap();
    ended("solve", &[], |work| solve(&sum, work).err());
    ended("winning turns", &[], |work| best_turns(&sum, work, 10).err());
}

#[test]
fn turns_by_values_are_ended_by_clock_and_token() {
    let carry_on = of_theory(Theory::CarryOn);
    let labels = label(&carry_on, None, &Work::default()).unwrap();
    let sum = Sum::new(&carry_on, &labels, vec![4, 5]).unwrap();
    // No positions: the product is not searched, and the measure decides.
    assert!(solve(&sum, &Work::new(Limits::new(0))).unwrap().turn.is_some());
    ended("solve by values", &[], |work| solve(&sum, work).err());
}

#[test]
fn loopy_games_forms_and_ordinals_are_ended() {
    ended("loopy", &BOTH, |work| {
        let expression: Expression = "{1|over} + ^[on]".parse().unwrap();
        match expression.evaluate(&mut Stoppers::new(), &mut work.clone()) {
            Err(EvaluateError::Interrupted(interrupted)) => Some(interrupted),
            other => other.map(|_| None).unwrap(),
        }
    });
    ended("affine", &BOTH, |work| match Forms::new().read("{0|*} + *3", &mut work.clone()) {
        Err(ReadError::Interrupted(interrupted)) => Some(interrupted),
        other => other.map(|_| None).unwrap(),
    });
    ended("ordinals", &[Limit::Positions], |work| match read("w^2 + 5", &mut work.clone()) {
        Err(error) => match error.kind {
            ExpressionErrorKind::Interrupted(interrupted) => Some(interrupted),
            other => panic!("{other}"),
        },
        Ok(_) => None,
    });
}

/// Nim, which cancels the work when the options of a heap of this size are needed.
struct Nim {
    stop: Arc<AtomicBool>,
    stops_at: u64,
}

impl Ruleset for Nim {
    type Position = u64;

    fn name(&self) -> String {
        "nim".into()
    }

    fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> {
        if *heap == self.stops_at {
            self.stop.store(true, Ordering::Relaxed);
        }
        (0..*heap).map(Move::to)
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        text.parse().map_err(|_| NotationError::at(0, "expected a number"))
    }

    fn write(&self, heap: &u64) -> String {
        heap.to_string()
    }
}

impl Notation for Nim {}

impl Shortcuts for Nim {}

fn nim(heap: u64, stops_at: u64, work: &Work, stop: Arc<AtomicBool>) -> Option<Interrupted> {
    let mut nim = Interned::new(Nim { stop, stops_at });
    let terms = [(0, nim.intern(heap))];
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(nim)];
    let solved = Solution::new(fields, &terms, None, work);
    solved.err().map(|error| error.interrupted().unwrap_or_else(|| panic!("{error}")))
}

#[test]
fn exploring_is_ended_by_every_limit() {
    let none = u64::MAX;
    ended("explore", &BOTH, |work| nim(9, none, work, Arc::default()));
}

#[test]
fn a_token_that_is_set_meanwhile_ends_the_exploring() {
    let stop = Arc::new(AtomicBool::new(false));
    let work = Work::new(Limits::new(u64::MAX)).until(Arc::clone(&stop));
    assert_eq!(nim(50, 49, &work, stop), Some(Interrupted::Stopped));
}

#[test]
fn a_solution_answers_under_another_clock() {
    let mut nim = Interned::new(Nim { stop: Arc::default(), stops_at: u64::MAX });
    let terms = [(0, nim.intern(5))];
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(nim)];
    let mut sum = Solution::new(fields, &terms, None, &Work::default()).unwrap();
    let start = sum.start().clone();
    assert!(sum.answer(&start).is_ok());
    sum.answer_within(&stopped());
    let error = sum.answer(&start).unwrap_err();
    assert_eq!(error.interrupted(), Some(Interrupted::Stopped));
    sum.answer_within(&Work::default());
    assert!(sum.answer(&start).is_ok());
}

/// A digraph that takes many levels: nim-heaps, and what makes it one of the theory.
fn large(theory: Theory, heaps: Node) -> Digraph {
    let below = (0..heaps).flat_map(|a| (0..a).map(move |b| (a, b)));
    let mut arcs: Vec<(Node, Node)> = below.collect();
    let mut gray = Vec::new();
    let mut len = heaps;
    match theory {
        Theory::Cyclic | Theory::General => {
            arcs.extend([(len, len), (len, 0)]);
            len += 1;
        }
        Theory::Entailing | Theory::CarryOn => {
            gray.push(len);
            arcs.extend([(heaps - 1, len), (len, heaps - 2)]);
            len += 1;
        }
        Theory::Short => {}
    }
    if theory == Theory::CarryOn {
        arcs.push((len, len));
        len += 1;
    }
    if theory == Theory::General {
        gray.push(len);
        arcs.extend([(heaps, len), (len, 1), (len, 2)]);
        len += 1;
    }
    Digraph::new(len as usize, gray, arcs).unwrap()
}

/// What is known of a node before the end holds in the end.
fn agrees(part: &Labelling, whole: &Labelling) -> usize {
    let mut known = 0;
    for node in 0..part.len() as Node {
        let (actual, right) = (part.label(node), whole.label(node));
        let is_unknown = match part.value(node) {
            Some(AnyValue::General(outcomes)) => {
                // Only what the mover wins is known.
                let value = whole.value(node).unwrap();
                for n in (0..100).filter(|&n| outcomes.win.contains(n)) {
                    let outcome = match &value {
                        AnyValue::General(outcomes) => outcomes.beside(n),
                        value => {
                            let heap = AnyValue::CarryOn(nimoon::Value::Nimber(n));
                            value.try_add(&heap).and_then(|sum| sum.outcome())
                        }
                    };
                    assert_eq!(outcome, Some(nimoon::Outcome::N), "node {node} beside {n}");
                }
                true
            }
            Some(_) => false,
            None => matches!(part.cover(node), Some(nimoon::Cover::Mixed(_))),
        };
        if !is_unknown {
            assert_eq!(actual, right, "node {node}");
            known += 1;
        }
    }
    known
}

#[test]
fn a_labelling_that_is_stopped_in_the_midst_has_right_labels_alone() {
    for theory in [Theory::Cyclic, Theory::CarryOn] {
        let digraph = large(theory, 60);
        let whole = label(&digraph, Some(theory), &Work::default()).unwrap();
        let mut known = Vec::new();
        for level in 0..70 {
            let stop = Arc::new(AtomicBool::new(false));
            let work = Work::new(Limits::new(u64::MAX)).until(Arc::clone(&stop));
            let work = work.on_progress(move |progress| {
                if let Progress::Labelling { level: reached, .. } = progress {
                    stop.store(reached >= level, Ordering::Relaxed);
                }
            });
            let part = label(&digraph, Some(theory), &work).unwrap();
            if part.is_complete() {
                assert_eq!(part, whole);
                break;
            }
            assert_eq!(part.interrupted(), Some(Interrupted::Stopped));
            known.push(agrees(&part, &whole));
        }
        assert!(known.len() > 2, "{theory}: {known:?}");
        assert!(known.is_sorted() && known[0] < known[known.len() - 1], "{theory}: {known:?}");
    }
}

#[test]
fn a_labelling_is_stopped_from_another_thread() {
    let digraph = large(Theory::Cyclic, 300);
    let stop = Arc::new(AtomicBool::new(false));
    let work = Work::new(Limits::new(u64::MAX)).until(Arc::clone(&stop));
    let begun = Arc::new(AtomicBool::new(false));
    let part = std::thread::scope(|scope| {
        let theirs = Arc::clone(&begun);
        scope.spawn(move || {
            while !theirs.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
        });
        // The callback waits for the other thread, so that it comes neither too early nor too late.
        let (token, theirs) = (work.token(), Arc::clone(&begun));
        let work = work.on_progress(move |progress| {
            if matches!(progress, Progress::Labelling { level: 1.., .. }) {
                theirs.store(true, Ordering::Relaxed);
                while !token.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            }
        });
        let part = label(&digraph, Some(Theory::Cyclic), &work);
        begun.store(true, Ordering::Relaxed);
        part.unwrap()
    });
    assert_eq!(part.interrupted(), Some(Interrupted::Stopped));
}

#[test]
fn interrupted_labellings_of_acyclic_digraphs_claim_nothing_false() {
    for theory in [Theory::Short, Theory::Entailing, Theory::General] {
        let digraph = large(theory, 30);
        let whole = label(&digraph, Some(theory), &Work::default()).unwrap();
        assert!(whole.is_complete());
        for requested in [Some(theory), None] {
            for work in [Work::new(Limits::DEFAULT.time(Duration::ZERO)), stopped()] {
                let part = label(&digraph, requested, &work).unwrap();
                assert!(!part.is_complete());
                agrees(&part, &whole);
            }
        }
    }
}
