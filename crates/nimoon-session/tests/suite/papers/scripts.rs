//! The scripts of `examples/rules` have the values of the built-in rulesets.

use nimoon::Positions;
use nimoon::ruleset::Interned;
use nimoon_script::{Limits, Script};
use nimoon_session::expression::{ExpressionError, Library};

use crate::papers::engine;

/// Only this script, which comes before the ruleset of the same name.
struct OneScript(Script);

impl Library for OneScript {
    fn file(&mut self, name: &str, _most: u64) -> Result<Vec<u8>, ExpressionError> {
        Err(ExpressionError::Unreadable { message: format!("file {name} not found") })
    }

    fn ruleset(&mut self, name: &str) -> Option<Box<dyn Positions>> {
        let named = name == nimoon::Ruleset::name(&self.0);
        named.then(|| Box::new(Interned::new(self.0.clone())) as Box<dyn Positions>)
    }
}

/// The values of a script and of a built-in ruleset at the same positions.
fn check(file: &str, source: &str, built_in: &str, positions: &[String]) {
    let script = Script::compile(file, source, Limits::default()).expect("it compiles");
    let name = nimoon::Ruleset::name(&script);
    let sum = |ruleset: &str| {
        let terms = positions.iter().map(|position| format!("{ruleset}:{position}"));
        terms.collect::<Vec<_>>().join(" + ")
    };
    let scripted = engine::solution_in(&sum(&name), None, &mut OneScript(script));
    let built_in = engine::solution(&sum(built_in));
    let [scripted, built_in] =
        [scripted, built_in].map(|mut it| engine::values_of_components(&mut it));
    assert!(positions.len() > 20 && scripted.len() == positions.len());
    for ((position, scripted), built_in) in positions.iter().zip(scripted).zip(built_in) {
        assert_eq!(scripted, built_in, "{name}:{position}");
    }
}

macro_rules! example {
    ($name:literal) => {
        (
            concat!("examples/rules/", $name, ".rhai"),
            include_str!(concat!("../../../../../examples/rules/", $name, ".rhai")),
        )
    };
}

fn numbers(last: u32) -> Vec<String> {
    (0..=last).map(|number| number.to_string()).collect()
}

#[test]
fn the_script_for_nim_has_the_values_of_nim() {
    let (file, source) = example!("nim");
    check(file, source, "nim", &numbers(40));
}

#[test]
fn the_script_for_kayles_has_the_values_of_kayles() {
    let (file, source) = example!("kayles");
    let pairs = (1..8).flat_map(|a| (a..8).map(move |b| format!("{a},{b}")));
    // The script has no row without pins.
    let rows = numbers(90).into_iter().skip(1);
    let positions: Vec<String> = rows.chain(pairs).collect();
    check(file, source, "kayles", &positions);
}

#[test]
fn the_script_for_top_entails_has_the_values_of_top_entails() {
    let (file, source) = example!("top-entails");
    check(file, source, "top-entails", &numbers(90));
}

#[test]
fn the_script_for_slide_has_the_values_of_slide() {
    let (file, source) = example!("slide");
    check(file, source, "slide[-2,-3,+1;20]", &numbers(20));
}

#[test]
fn the_script_for_lights_has_the_values_of_lights() {
    let (file, source) = example!("lights");
    let mut positions = vec!["2b3s5b1s4b2s2b".to_owned(), "2b1s3b1s1b3s1b".to_owned()];
    for length in 1..=8 {
        for bits in 0..1_u32 << length {
            let piece = |at: u32| if bits >> at & 1 == 1 { 'b' } else { 's' };
            positions.push((0..length).map(piece).collect());
        }
    }
    check(file, source, "lights", &positions);
}
