//! Answers are the same with a store as without one, whether it knows everything, something or
//! nothing.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use nimoon::ruleset::memory::Memory;
use nimoon::ruleset::{Interned, Remembered};
use nimoon::solve::solution::Solution;
use nimoon::{Positions, Ruleset, Theory, Work};
use nimoon_script::{Limits, Script};
use nimoon_session::catalogue;
use nimoon_session::expression::{AnyExpression, ExpressionError, Library};
use nimoon_store::{Options, Store};

/// The examples, with or without a memory.
struct Examples {
    scripts: Vec<Script>,
    memory: Option<Arc<dyn Memory>>,
}

fn example(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read(folder.join(name)).unwrap()
}

impl Examples {
    fn new(memory: Option<Arc<dyn Memory>>) -> Self {
        let scripts = ["kayles", "lights", "slide", "top-entails"].map(|name| {
            let source = String::from_utf8(example(&format!("rules/{name}.rhai"))).unwrap();
            let file = format!("scripted-{name}.rhai");
            Script::compile(&file, &source, Limits::default()).unwrap()
        });
        Self { scripts: scripts.into(), memory }
    }
}

impl Library for Examples {
    fn file(&mut self, name: &str, _most: u64) -> Result<Vec<u8>, ExpressionError> {
        Ok(example(name))
    }

    fn ruleset(&mut self, name: &str) -> Option<Box<dyn Positions>> {
        let script = self.scripts.iter().find(|script| script.name() == name)?;
        Some(Box::new(Interned::new(script.clone())))
    }

    fn remembering(&mut self, made: Box<dyn Positions>) -> Box<dyn Positions> {
        match &self.memory {
            None => made,
            Some(memory) => {
                // Everything is kept, also heaps, so that there is more to compare.
                Box::new(Remembered::new(made, Arc::clone(memory), "").keeping_from(1))
            }
        }
    }
}

/// The full report on an expression, and on positions that follow.
fn report(text: &str, theory: Option<Theory>, budget: u64, library: &mut Examples) -> String {
    let AnyExpression::Impartial(read) = AnyExpression::read(text, library).unwrap() else {
        return "partizan".to_owned();
    };
    let budget = nimoon::Limits::new(budget);
    let mut solution = match Solution::new(read.fields, &read.terms, theory, &Work::new(budget)) {
        Ok(solution) => solution,
        Err(error) => return error.to_string(),
    };
    let mut report = format!("{} {:?}\n", solution.theory(), solution.size());
    let mut placement = solution.start().clone();
    for depth in 0..3 {
        for component in 0..placement.len() {
            let label = solution.label(&placement, component);
            let _ = writeln!(report, "{} {label:?}", solution.text(&placement, component));
            let _ = writeln!(report, "{:?}", solution.boards(&placement, component));
        }
        let (value, outcome) = (solution.value(&placement), solution.outcome(&placement));
        let _ = writeln!(report, "{value:?} {outcome:?}");
        let answer = solution.answer(&placement);
        let answer = answer.map(|answer| (answer.outcome, answer.turn, answer.guide));
        let _ = writeln!(report, "{answer:?}");
        let _ = writeln!(report, "{:?}", solution.best_turns(&placement, 5));
        if depth == 0 {
            let _ = writeln!(report, "{:?}", solution.explain(&placement, 0));
        }
        let moves = solution.moves(&placement);
        let _ = writeln!(report, "{:?}", moves.as_ref().map(Vec::len));
        let Ok(moves) = moves else { break };
        let Some(made) = moves.get(moves.len() / 2) else { break };
        let _ = writeln!(report, "{}", solution.words(&placement, made));
        placement = solution.after(&placement, made);
    }
    report
}

/// Positions of all rulesets, and sums of them.
fn expressions() -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let values = include_str!("../../../../golden/rulesets/values.txt");
    let lines = values.lines().filter(|line| !line.starts_with('#'));
    all.extend(lines.filter_map(|line| Some(line.split_once(" = ")?.0.to_owned())));
    let unnamed = |example: &&str| !example.contains(".json") && !example.contains(".game");
    all.extend(catalogue().iter().map(|entry| entry.example).filter(unnamed).map(str::to_owned));
    for size in 1..12 {
        for heap in ["nim", "grundys-game", "kayles", "top-entails", "octal[0.156]"] {
            all.push(format!("{heap}:{size}"));
        }
        all.push(format!("wythoff:{size},{}", size / 2 + 3));
        all.push(format!("subtraction[1,3,4]:{size}"));
        all.push(format!("slide[-2,+1;12]:{size}"));
        all.push(format!("scripted-kayles:{size}"));
        all.push(format!("scripted-top-entails:{size}"));
        all.push(format!("ordinal[nim | kayles]:{} | {size}", size % 3));
        all.push(format!("ordinal[scripted-kayles | nim]:{size} | 2"));
    }
    let more = [
        "nimstring:1x1",
        "nimstring:1x4",
        "nimstring:2x2",
        "nimstring:2x2/110000/000000",
        "coins:0-1,1-2,2-0,0-3",
        "coins:0-1,1-2,2-3,3-0,1-3",
        "green-hackenbush:0-1,1-2,2-0,1-3,3-4",
        "green-lime:0-1g,1-2l,2-3g,3-1l,3-4g",
        "green-lime:0-1g,1-2l,2-3g,3-0l,1-3g,3-4l",
        "lights:bsbsbsb",
        "lights:bbssbsbbs",
        "scripted-lights:bsbsbs",
        "scripted-lights:bbssbsb",
        "digraph[zones.game]:x",
        "digraph[zones.game]:d",
        "digraph[general.game]:a",
        "digraph[menagerie.game]:a",
    ];
    all.extend(more.map(str::to_owned));
    // Sums: of neighbours in the list, and of components that are known already.
    let single = all.clone();
    for (one, other) in single.iter().zip(single.iter().skip(5)) {
        all.push(format!("{one} + {other}"));
    }
    for one in single.iter().step_by(3) {
        all.push(format!("{one} + {one} + nim:2"));
    }
    all
}

fn is_readable(text: &str) -> bool {
    AnyExpression::read(text, &mut Examples::new(None)).is_ok()
}

#[test]
fn answers_about_hundreds_of_sums_are_the_same_with_and_without_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let expressions: Vec<String> =
        expressions().into_iter().filter(|text| is_readable(text)).collect();
    assert!(expressions.len() > 300, "{}", expressions.len());
    let path = folder.path().join("a.store");
    let mut without = Examples::new(None);
    let expected: Vec<String> =
        expressions.iter().map(|text| report(text, None, 5_000, &mut without)).collect();
    // First the store is filled in another order; then it is opened and queried again.
    for round in 0..2 {
        let store = Arc::new(Store::open(&path, Options::default()).unwrap());
        let mut with = Examples::new(Some(Arc::clone(&store) as _));
        let mut order: Vec<usize> = (0..expressions.len()).collect();
        if round == 0 {
            order.reverse();
        }
        for place in order {
            let found = report(&expressions[place], None, 5_000, &mut with);
            assert_eq!(found, expected[place], "{} in round {round}", expressions[place]);
        }
    }
    let store = Store::open(&path, Options::READ_ONLY).unwrap();
    let contents = store.contents();
    assert!(contents.rulesets.len() > 15, "{contents:?}");
    assert!(store.check().unwrap().is_whole());
}

#[test]
fn answers_are_the_same_in_larger_theories_and_within_small_budgets() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(&folder.path().join("a.store"), Options::default()).unwrap());
    let (mut with, mut without) = (Examples::new(Some(store as _)), Examples::new(None));
    let expressions = [
        "nimstring:2x2",
        "green-lime:0-1g,1-2l,2-3g,3-1l,3-4g + lights:bsbsb",
        "top-entails:9 + kayles:5",
        "scripted-lights:bbssbsb",
        "slide[-2,+1;12]:9",
    ];
    for text in expressions {
        for round in 0..2 {
            let theories = Theory::ALL.into_iter().map(Some).chain([None]);
            for theory in theories {
                for budget in [0, 1, 2, 3, 5, 8, 13, 20, 40, 100, 1000, 20_000] {
                    let expected = report(text, theory, budget, &mut without);
                    let found = report(text, theory, budget, &mut with);
                    assert_eq!(found, expected, "{text} {theory:?} {budget} {round}");
                }
            }
        }
    }
}

#[test]
fn a_store_of_other_rules_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Memory> =
        Arc::new(Store::open(&folder.path().join("a.store"), Options::default()).unwrap());
    let value = |source: &str, memory: Option<&Arc<dyn Memory>>| {
        let script = Script::compile("heap.rhai", source, Limits::default()).unwrap();
        let mut positions: Box<dyn Positions> = Box::new(Interned::new(script));
        if let Some(memory) = memory {
            let remembered = Remembered::new(positions, Arc::clone(memory), "");
            positions = Box::new(remembered.keeping_from(1));
        }
        let heap = positions.read("50").unwrap();
        let solved = Solution::new(vec![positions], &[(0, heap)], None, &Work::default());
        let solution = solved.unwrap();
        solution.value(&solution.start().clone()).unwrap().to_string()
    };
    let one_or_two =
        "fn options(n) { let m = []; for k in 1..3 { if k <= n { m.push(n - k) } } m }";
    let up_to_three = one_or_two.replace("1..3", "1..4");
    assert_eq!(value(one_or_two, Some(&store)), "2");
    assert_eq!(value(one_or_two, Some(&store)), "2");
    // Under the same name, as if they were the same rules.
    assert_eq!(value(&up_to_three, None), "2");
    let skipping = one_or_two.replace("1..3", "2..4");
    assert_eq!(value(&skipping, None), value(&skipping, Some(&store)));
    assert_eq!(value(&up_to_three, Some(&store)), "2");
}
