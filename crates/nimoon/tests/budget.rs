//! Every limit ends every engine, and what is told all the same is right.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nimoon::affine::{Forms, ReadError};
use nimoon::compound::{Compound, Compounds, Kind as CompoundKind};
use nimoon::effort::Limit;
use nimoon::explain::explain;
use nimoon::grundy::{GrundyError, GrundyPair, wide};
use nimoon::loopy::notation::{EvaluateError, Expression};
use nimoon::loopy::{Graph, Stoppers};
use nimoon::product::{ProductError, product};
use nimoon::remoteness::{PartizanRemoteness, PayoffGame, PayoffSolution, Play, Remoteness};
use nimoon::representative::{RepresentativeError, representative};
use nimoon::rounds::try_rounds;
use nimoon::ruleset::{Interned, Move};
use nimoon::solution::Solution;
use nimoon::transfinite::expression::{ExpressionErrorKind, read};
use nimoon::turn::{solve, winning_turns};
use nimoon::{
    AnyValue, Budget, Digraph, Effort, Interrupted, Labelling, Node, NotationError, Positions,
    Ruleset, Sum, Theory, label,
};

/// The four ways to an end before the work has begun.
fn ends() -> [(Effort, Option<Limit>); 4] {
    let many = Budget::new(u64::MAX);
    [
        (Budget::new(0).into(), Some(Limit::Positions)),
        (many.bytes(0).into(), Some(Limit::Bytes)),
        (many.time(Duration::ZERO).into(), Some(Limit::Time)),
        (stopped(), None),
    ]
}

fn stopped() -> Effort {
    Effort::new(u64::MAX).until(Arc::new(AtomicBool::new(true)))
}

/// Asks an engine under each of the limits that it has; time and token end all of them.
fn ended(engine: &str, limits: &[Limit], ask: impl Fn(&Effort) -> Option<Interrupted>) {
    for (effort, limit) in ends() {
        if matches!(limit, Some(Limit::Positions | Limit::Bytes))
            && !limit.is_some_and(|limit| limits.contains(&limit))
        {
            continue;
        }
        let told = ask(&effort).unwrap_or_else(|| panic!("{engine} went on: {limit:?}"));
        assert_eq!(told.limit(), limit, "{engine}: {told}");
    }
    assert_eq!(ask(&Effort::new(1 << 20)), None, "{engine} ends by itself");
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
        for asked in [Some(theory), None] {
            ended(theory.name(), &BYTES, |effort| {
                label(&digraph, asked, effort).unwrap().interrupted()
            });
        }
    }
}

#[test]
fn questions_about_digraphs_are_ended_by_every_limit() {
    let trap = trap();
    let labels = label(&trap, None, Budget::DEFAULT).unwrap();
    ended("rounds", &BYTES, |effort| try_rounds(&trap, &labels, effort).err());
    ended("explain", &[], |effort| explain(&trap, &labels, 0, effort).err());
    ended("remoteness", &BYTES, |effort| Remoteness::try_new(&trap, Play::Normal, effort).err());
    ended("product", &BOTH, |effort| match product(&trap, 0, 1, effort) {
        Err(ProductError::Interrupted(interrupted, _)) => Some(interrupted),
        other => other.map(|_| None).unwrap(),
    });
    ended("grundy", &BYTES, |effort| match GrundyPair::try_new(&trap, effort) {
        Err(GrundyError::Interrupted(interrupted)) => Some(interrupted),
        other => other.map(|_| None).unwrap(),
    });
    let positions = [Limit::Positions];
    ended("wide", &positions, |effort| wide::functions(&trap, 10, effort).interrupted);
    let pays = PayoffGame::impartial(&trap, |_| 1).unwrap();
    ended("payoffs", &BYTES, |effort| PayoffSolution::try_of_payoffs(&pays, effort).err());
    ended("compound", &BOTH, |effort| {
        let compounds = Compounds::new(&trap, effort).unwrap();
        let two = Compound::new(CompoundKind::Disjunctive, vec![0, 1]).unwrap();
        let answer = compounds.solve(&two, Play::Normal);
        answer.too_large.map(|over| over.interrupted)
    });
    let over = Graph::new(2, [(0, 1)], [(0, 0)]).unwrap();
    ended("partizan remoteness", &BYTES, |effort| {
        PartizanRemoteness::try_new(&over, Play::Normal, effort).err()
    });
    let value: AnyValue = "ninny{3}".parse().unwrap();
    ended("representative", &BOTH, |effort| match representative(&value, effort) {
        Err(RepresentativeError::Interrupted { interrupted, .. }) => Some(interrupted),
        other => other.map(|_| None).unwrap(),
    });
}

#[test]
fn sums_without_an_algebra_are_ended_by_every_limit() {
    let general = of_theory(Theory::General);
    let labels = label(&general, None, Budget::DEFAULT).unwrap();
    let sum = Sum::new(&general, &labels, vec![0, 1]).unwrap();
    ended("solve", &BOTH, |effort| solve(&sum, effort).err());
    ended("winning turns", &BOTH, |effort| winning_turns(&sum, effort, 10).err());
}

#[test]
fn turns_by_values_are_ended_by_clock_and_token() {
    let carry_on = of_theory(Theory::CarryOn);
    let labels = label(&carry_on, None, Budget::DEFAULT).unwrap();
    let sum = Sum::new(&carry_on, &labels, vec![4, 5]).unwrap();
    // No positions: the product is not searched, and the measure tells.
    assert!(solve(&sum, Budget::new(0)).unwrap().turn.is_some());
    ended("solve by values", &[], |effort| solve(&sum, effort).err());
}

#[test]
fn loopy_games_forms_and_ordinals_are_ended() {
    ended("loopy", &BOTH, |effort| {
        let expression: Expression = "{1|over} + ^[on]".parse().unwrap();
        match expression.evaluate(&mut Stoppers::new(), &mut effort.clone()) {
            Err(EvaluateError::Interrupted(interrupted)) => Some(interrupted),
            other => other.map(|_| None).unwrap(),
        }
    });
    ended("affine", &BOTH, |effort| match Forms::new().read("{0|*} + *3", &mut effort.clone()) {
        Err(ReadError::Interrupted(interrupted)) => Some(interrupted),
        other => other.map(|_| None).unwrap(),
    });
    ended("ordinals", &[Limit::Positions], |effort| match read("w^2 + 5", effort) {
        Err(error) => match error.kind {
            ExpressionErrorKind::Interrupted(interrupted) => Some(interrupted),
            other => panic!("{other}"),
        },
        Ok(_) => None,
    });
}

/// Nim, which stops whoever asks for the options of a heap of this size.
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

fn nim(heap: u64, stops_at: u64, effort: &Effort, stop: Arc<AtomicBool>) -> Option<Interrupted> {
    let mut nim = Interned::new(Nim { stop, stops_at });
    let terms = [(0, nim.intern(heap))];
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(nim)];
    let mut watch = |_| ControlFlow::Continue(());
    let solved = Solution::new(fields, &terms, None, effort, &mut watch);
    solved.err().map(|error| error.interrupted().unwrap_or_else(|| panic!("{error}")))
}

#[test]
fn exploring_is_ended_by_every_limit() {
    let none = u64::MAX;
    ended("explore", &BOTH, |effort| nim(9, none, effort, Arc::default()));
}

#[test]
fn a_token_that_is_set_meanwhile_ends_the_exploring() {
    let stop = Arc::new(AtomicBool::new(false));
    let effort = Effort::new(u64::MAX).until(Arc::clone(&stop));
    assert_eq!(nim(50, 49, &effort, stop), Some(Interrupted::Stopped));
}

#[test]
fn a_solution_answers_under_another_clock() {
    let mut nim = Interned::new(Nim { stop: Arc::default(), stops_at: u64::MAX });
    let terms = [(0, nim.intern(5))];
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(nim)];
    let mut watch = |_| ControlFlow::Continue(());
    let mut sum = Solution::new(fields, &terms, None, Budget::DEFAULT, &mut watch).unwrap();
    let start = sum.start().clone();
    assert!(sum.answer(&start).is_ok());
    sum.answer_within(stopped());
    let error = sum.answer(&start).unwrap_err();
    assert_eq!(error.interrupted(), Some(Interrupted::Stopped));
    sum.answer_within(Budget::DEFAULT);
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

/// What is told of a node before everything is known holds in the end.
fn agrees(part: &Labelling, whole: &Labelling) -> usize {
    let mut known = 0;
    for node in 0..part.len() as Node {
        let (told, right) = (part.label(node), whole.label(node));
        let is_unknown = match part.value(node) {
            Some(AnyValue::General(outcomes)) => {
                // Only what the mover wins is told.
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
            assert_eq!(told, right, "node {node}");
            known += 1;
        }
    }
    known
}

#[test]
fn a_labelling_that_is_stopped_in_the_midst_has_right_labels_alone() {
    for theory in [Theory::Cyclic, Theory::CarryOn] {
        let digraph = large(theory, 60);
        let whole = label(&digraph, Some(theory), Budget::DEFAULT).unwrap();
        let mut known = Vec::new();
        for level in 0..70 {
            let stop = Arc::new(AtomicBool::new(false));
            let effort = Effort::new(u64::MAX).until(Arc::clone(&stop));
            let mut watch = |progress: nimoon::LabelProgress| {
                stop.store(progress.level >= level, Ordering::Relaxed);
            };
            let part = nimoon::label_watched(&digraph, Some(theory), &effort, &mut watch).unwrap();
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
    let effort = Effort::new(u64::MAX).until(Arc::clone(&stop));
    let begun = Arc::new(AtomicBool::new(false));
    let part = std::thread::scope(|scope| {
        let theirs = Arc::clone(&begun);
        scope.spawn(move || {
            while !theirs.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
        });
        // Who watches waits for the other thread, so that it comes neither too early nor too late.
        let mut watch = |progress: nimoon::LabelProgress| {
            begun.store(progress.level >= 1, Ordering::Relaxed);
            while progress.level >= 1 && effort.check().is_ok() {
                std::thread::yield_now();
            }
        };
        let part = nimoon::label_watched(&digraph, Some(Theory::Cyclic), &effort, &mut watch);
        begun.store(true, Ordering::Relaxed);
        part.unwrap()
    });
    assert_eq!(part.interrupted(), Some(Interrupted::Stopped));
}

#[test]
fn acyclic_digraphs_that_are_stopped_claim_nothing_that_is_not_so() {
    for theory in [Theory::Short, Theory::Entailing, Theory::General] {
        let digraph = large(theory, 30);
        let whole = label(&digraph, Some(theory), Budget::DEFAULT).unwrap();
        assert!(whole.is_complete());
        for asked in [Some(theory), None] {
            for effort in [Effort::from(Budget::DEFAULT.time(Duration::ZERO)), stopped()] {
                let part = label(&digraph, asked, &effort).unwrap();
                assert!(!part.is_complete());
                agrees(&part, &whole);
            }
        }
    }
}
