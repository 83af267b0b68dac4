//! Loopy games through their notation: facts of the literature, errors with their place, and texts
//! that read back.

use nimoon::partizan::notation::{EvaluateError, Expression, Game};
use nimoon::partizan::order::{Relation, compare};
use nimoon::{
    Interrupted, Limits, Work,
    partizan::{Graph, Sides, Stopper, Stoppers, Vertex},
};

fn evaluate(stoppers: &mut Stoppers, text: &str) -> Game {
    let expression: Expression = text.parse().unwrap_or_else(|error| panic!("{text}: {error:?}"));
    expression
        .evaluate(stoppers, &mut Work::new(Limits::new(20_000_000)))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn printed(text: &str) -> String {
    let mut stoppers = Stoppers::new();
    let sides = evaluate(&mut stoppers, text).sides();
    stoppers.sides_text(sides).unwrap_or_else(|| panic!("{text}: a side was not found"))
}

/// Both texts stand for the same sides.
fn equal(stoppers: &mut Stoppers, a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|text| evaluate(stoppers, text).sides());
    assert!(a.onside.is_some() && a.offside.is_some());
    a == b
}

fn graph(text: &str) -> Graph {
    let mut stoppers = Stoppers::new();
    let game = evaluate(&mut stoppers, text);
    game.graph(&stoppers, &mut Work::default()).unwrap().expect(text)
}

fn is_stopper(text: &str) -> bool {
    let mut stoppers = Stoppers::new();
    let game = evaluate(&mut stoppers, text);
    game.is_stopper(&stoppers, &mut Work::default()).unwrap()
}

const CAROUSEL: &str = "a{0,b{1|1,c{*,d{1*|1*,a}|*}}|0}";

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn games_print_as_in_the_literature() {
    let known = [
        ("0", "0"),
        ("{|}", "0"),
        ("{0|}", "1"),
        ("{|0}", "-1"),
        ("3", "3"),
        ("-12", "-12"),
        ("{0|1}", "1/2"),
        ("3/4", "3/4"),
        ("-5/8", "-5/8"),
        ("6/8", "3/4"),
        ("{1/2|1}", "3/4"),
        ("{-3|17}", "0"),
        ("{0|0}", "*"),
        ("*2+*3", "*"),
        ("{0,*|0,*}", "*2"),
        ("1*", "1*"),
        ("-1*", "-1*"),
        ("{1|1}", "1*"),
        ("1+*2", "1+*2"),
        ("1/2+*3", "1/2+*3"),
        ("2*3", "6"),
        ("2**3", "0"),
        ("3**2", "*2"),
        ("2*-1", "1*"),
        ("3*", "3*"),
        ("{0|*}", "^"),
        ("^", "^"),
        ("{0,*|0}", "^*"),
        ("^*", "^*"),
        ("{0|^*}", "^2"),
        ("^+^", "^2"),
        ("^2*3", "^2*3"),
        ("3*^+*2", "^3*2"),
        ("v", "v"),
        ("v3", "v3"),
        ("v*", "v*"),
        ("^*2", "^*2"),
        ("v2*2", "v2*2"),
        ("^-v", "^2"),
        ("^0", "0"),
        ("1+^2*", "1+^2*"),
        ("{1|1*}", "1+^"),
        ("-1+v*3", "-1+v*3"),
        ("+-1", "+-1"),
        ("{1|-1}", "+-1"),
        ("+-1*", "+-1*"),
        ("+-(1+*2)", "+-(1+*2)"),
        ("2*+-1", "0"),
        ("1+-1", "0"),
        ("1+(+-1)", "{2|0}"),
        ("+-{2|1}", "{2|1||-1|-2}"),
        ("{0||0|-2}", "Tiny(2)"),
        ("Tiny(1)", "Tiny(1)"),
        ("Miny(1/2)", "Miny(1/2)"),
        ("-Tiny(3)", "Miny(3)"),
        ("{2|0||0}", "Miny(2)"),
        ("Tiny(0)", "^"),
        ("on", "on"),
        ("-on", "off"),
        ("{pass|}", "on"),
        ("over", "over"),
        ("a{0|a}", "over"),
        ("{0|pass}", "over"),
        ("-under", "over"),
        ("1+over", "1+over"),
        ("{1/2|pass}", "1/2+over"),
        ("upon", "upon"),
        ("^[on]", "upon"),
        ("-^[on]", "v[on]"),
        ("{pass|*}", "upon"),
        ("upon+*", "^[on]*"),
        ("^[on]*", "^[on]*"),
        ("v[on]*", "v[on]*"),
        ("2+upon", "2+upon"),
        ("^<on>", "^<on>"),
        ("{0|v[on]*}", "^<on>"),
        ("v<on>", "v<on>"),
        ("^<1>", "^"),
        ("^[2]-^", "{0|v*}"),
        ("^<2>", "{0|v*}"),
        ("v[2]", "{*|v}"),
        ("dud", "dud"),
        ("{pass|pass}", "dud"),
        ("on+off", "dud"),
        ("on-on", "dud"),
        ("over+under", "over & under"),
        ("over-over", "over & under"),
        ("over+over", "over"),
        ("over+*", "over"),
        ("upon+upon", "{0|^[on]*}"),
        ("on+over", "on"),
        ("dud+3", "dud"),
        ("a{1||a|0}", "2 & +-1"),
        ("a{{|a}|}", "1 & 0"),
        ("1 & 0", "1 & 0"),
        ("3 & 3", "3"),
        ("on & off", "dud"),
        ("-(1 & 0)", "0 & -1"),
        ("(1 & 0)+1", "2 & 1"),
        ("2*(1 & 0)", "2 & 0"),
        ("1:1", "2"),
        ("1:*", "1*"),
        ("1:-1", "1/2"),
        ("-1:1", "-1/2"),
        ("*:1", "^*"),
        ("*:*", "*2"),
        ("{|}:on", "on"),
        ("a{0||||0|||a|*||*}", "a{0||||0|||a|*||*}"),
        ("10000+1/2-10000", "1/2"),
        ("  { 0 , *2 || - { 0 | } } ", "{0,*2|-1}"),
    ];
    for (text, expected) in known {
        assert_eq!(printed(text), expected, "{text}");
    }
}

#[test]
fn the_longest_run_of_bars_splits_first() {
    let mut stoppers = Stoppers::new();
    let same = [
        ("{3|2||1|0}", "{{3|2}|{1|0}}"),
        ("{5||||4|3||2|||1|0}", "{5|{{{4|3}|2}|{1|0}}}"),
        ("{1,2||0,*|-1}", "{1,2|{0,*|-1}}"),
        ("{|| |on}", "{|{|on}}"),
        ("{|||on}", "{|on}"),
        ("{2|1||}", "{{2|1}|}"),
        ("{2||pass|0}", "{2|{pass|0}}"),
        ("a{2||b{a|b}|0}", "c{2|{d{c|d}|0}}"),
    ];
    for (a, b) in same {
        assert!(equal(&mut stoppers, a, b), "{a} {b}");
    }
    assert!(!equal(&mut stoppers, "{2||pass|0}", "a{2|{a|0}}"));
    assert!(!equal(&mut stoppers, "{3||2|0}", "{3|2||0}"));
}

#[test]
fn the_graph_is_the_one_that_was_written() {
    assert_eq!(graph("a{{a|}|}").len(), 2);
    assert_eq!(graph("{0|{0|{0|pass}}}").len(), 4);
    assert_eq!(graph("{0,{|}|}").len(), 3);
    assert_eq!(graph(CAROUSEL).len(), 8);
    assert_eq!(graph("a{0||||0|||a|*||*}").len(), 6);
    assert_eq!(graph("dud+dud+3*dud").len(), 1);
    // Operands of a sum that equal stoppers are in canonical form.
    assert_eq!(graph("a{{a|}|}+{0|{0|pass}}").len(), 2);
    assert_eq!(graph("1+*").len(), 4);
    // The form of what is below counts in an ordinal sum.
    assert_eq!(printed("{-1|1}:1"), "1/2");
    assert_eq!(printed("0:1"), "1");
    let mut stoppers = Stoppers::new();
    let sides = evaluate(&mut stoppers, "1 & 0");
    assert!(sides.graph(&stoppers, &mut Work::default()).unwrap().is_none());
}

#[test]
fn stoppers_are_recognized_by_the_graph_as_given() {
    for text in ["on", "over", "a{{a|}|}", "{1|0}+on", "over+upon+*", "{0|{0|pass}}", "3*on", "1&1"]
    {
        assert!(is_stopper(text), "{text}");
    }
    for text in ["dud", "on+off", "on-on", "over+under", "{dud|0}", CAROUSEL, "1&0", "dud+*"] {
        assert!(!is_stopper(text), "{text}");
    }
}

#[test]
fn bachs_carousel_has_no_sides_that_are_found_but_adds_up() {
    let mut stoppers = Stoppers::new();
    let none = Sides { onside: None, offside: None };
    let game = evaluate(&mut stoppers, CAROUSEL);
    assert_eq!(game.sides(), none);
    assert_eq!(stoppers.sides_text(none), None);
    // A sum is still a graph.
    let sum = evaluate(&mut stoppers, &format!("1+{CAROUSEL}"));
    let sum = sum.graph(&stoppers, &mut Work::default()).unwrap().unwrap();
    let carousel = game.graph(&stoppers, &mut Work::default()).unwrap().unwrap();
    let order = compare((&sum, 0), (&carousel, 0), &mut Work::default()).unwrap();
    assert_eq!(order.relation(), Relation::Greater);
    // And where a side is known after all, it is found: on has no equal.
    assert_eq!(printed(&format!("on+{CAROUSEL}")), "on");
    assert_eq!(printed(&format!("{CAROUSEL}+dud")), "dud");
}

#[test]
fn figures_of_the_paper() {
    let mut stoppers = Stoppers::new();
    // Figure 1: a 2-cycle that reduces to on.
    assert!(equal(&mut stoppers, "a{{a|}|}", "on"));
    // Figures 2 and 3: two forms of over.
    assert!(equal(&mut stoppers, "{0|{0|{0|pass}}}", "over"));
    assert!(equal(&mut stoppers, "{0|pass}", "over"));
    // Figure 5: a 4-cycle that is its own canonical form.
    let stopper = evaluate(&mut stoppers, "a{0||||0|||a|*||*}").sides().stopper().unwrap();
    assert_eq!(stoppers.graph(stopper).len(), 6);
}

#[test]
fn fusing_equal_vertices_can_change_the_value_unless_the_game_is_a_stopper() {
    // As in Figure 4: with w = {0|x,v} and x = {w,1|v}, both v = {w|} and u = {x|} are 2 & 0, but u
    // in place of v makes 3 & 0.
    assert_eq!(printed("p{w{0|x{w,1|p},p}|}"), "2 & 0");
    assert_eq!(printed("{x{w{0|x,p{w|}},1|q{y{0|x,q}|}}|}"), "2 & 0");
    assert_eq!(printed("u{x{w{0|x,u},1|u}|}"), "3 & 0");
}

#[test]
fn multiples_are_repeated_sums() {
    let mut stoppers = Stoppers::new();
    for game in ["a{0||||0|||a|*||*}", "upon", "{2|pass}", "1 & 0", "dud", "Tiny(1)", "+-1", "3/8"]
    {
        let sum = format!("({game})+({game})+({game})");
        assert!(equal(&mut stoppers, &format!("3*({game})"), &sum), "{game}");
        assert!(equal(&mut stoppers, &format!("0*({game})"), "0"), "{game}");
    }
    // The graph is the product of three graphs with four vertices that are interchangeable.
    assert_eq!(graph("a{1||a|0}").len(), 4);
    assert_eq!(graph("3*a{1||a|0}").len(), 20);
    evaluate(&mut stoppers, "40*a{0||||0|||a|*||*}");
    assert_eq!(printed("1000*1/2"), "500");
    assert_eq!(printed("999*(*5)"), "*5");
}

#[test]
fn repeated_arrows_switches_of_several_games_and_a_plus_are_read() {
    let stoppers = &mut Stoppers::new();
    for (text, same) in [
        ("^^", "^2"),
        ("^^^", "^+^+^"),
        ("^^*", "^+^+*"),
        ("^^*3", "^2*3"),
        ("vv", "-^2"),
        ("vv*", "v2*"),
        ("vvv * 2", "v3+*2"),
        ("{vv,0|^^}", "{v2,0|^2}"),
        ("^^+vv", "0"),
        ("2*^^", "^4"),
        ("^^:1", "(^2):1"),
        ("+1", "1"),
        ("+ +-1", "{1|-1}"),
        ("+-+1", "{1|-1}"),
        ("1 + +1", "2"),
        ("-+ -1", "1"),
        ("-+-1", "+-1"),
        ("+-(1)", "{1|-1}"),
        ("+-(1,2)", "{1,2|-1,-2}"),
        ("+-({2|1},^,3)", "{{2|1},^,3|{-1|-2},v,-3}"),
        ("+-(0,+-(1,*2))", "{0,{1,*2|-1,*2}|0,{1,*2|-1,*2}}"),
        ("+-(1+1, (3)) + +-(on, over):1", "{2,3|-2,-3} + {on,over|off,under}:1"),
        ("-+-(1,{4|0})", "{1,{4|0}|-1,{0|-4}}"),
        // Names of braces stay what they are, and end with the braces.
        ("vv{0|vv}", "over"),
        ("vv {0|vvv{vv|vvv}}", "a{0|b{a|b}}"),
        ("vv{0|vvv}", "{0|v3}"),
        ("vv{0|vv}+vv", "over-^2"),
        ("vv{0|{vv|}}", "a{0|{a|}}"),
    ] {
        let message = format!("{text} and {same}");
        let [a, b] = [text, same].map(|text| evaluate(stoppers, text).sides());
        assert!(a.onside.is_some() && a.offside.is_some(), "{message}");
        assert_eq!(a, b, "{message}");
    }
    // They are printed as before.
    assert_eq!(printed("^^*"), "^2*");
    assert_eq!(printed("vvv"), "v3");
}

#[test]
fn errors_point_at_the_character() {
    let wrong = [
        ("", 0, "the text ends"),
        ("  ", 2, "the text ends"),
        ("{", 1, "expected"),
        ("{0", 2, "the text ends; expected `}` for the `{` in column 1"),
        ("1 + a{0|{a|", 11, "expected"),
        ("1 + a{0|{a|1", 12, "expected `}` for the `{` in column 9"),
        ("(1", 2, "expected `)` for the `(` in column 1"),
        ("1 + +-(1", 8, "expected `)` for the `(` in column 7"),
        ("Tiny (1", 7, "expected `)` for the `(` in column 6"),
        ("{0|\n  {1", 8, "expected `}` for the `{` in line 2, column 3"),
        ("{0", 2, "`}`"),
        ("{0}", 2, "`|`"),
        ("{}", 1, "`|`"),
        ("{0|1", 4, "`}`"),
        ("{0|1}}", 5, "an operator"),
        ("0|1", 1, "braces"),
        ("{0|1|2}", 4, "which splits first"),
        ("{0||1||2}", 5, "a second run of 2"),
        ("{0,|1}", 3, "found `|`"),
        ("{,0|1}", 1, "found `,`"),
        ("{0|1,}", 5, "found `}`"),
        ("1,2", 1, "an operator"),
        ("(1", 2, "`)`"),
        ("(1}", 2, "an operator"),
        ("{(1|2)|3}", 3, "an operator"),
        ("{1)|3}", 2, "`,`"),
        ("1)", 1, "an operator"),
        ("1 2", 2, "an operator"),
        ("1 +", 3, "the text ends"),
        ("+", 1, "the text ends"),
        ("{+|1}", 2, "found `|`"),
        ("a{0|+a}", 5, "not closed"),
        ("^^2", 2, "an operator"),
        ("^^[on]", 2, "an operator"),
        ("^ ^", 2, "an operator"),
        ("vv3", 0, "not the name"),
        ("vv{0|vv2}", 5, "not the name"),
        ("+-(1,2", 6, "`)`"),
        ("+-(1,)", 5, "found `)`"),
        ("+-(,1)", 3, "found `,`"),
        ("+-()", 3, "found `)`"),
        ("+-(1,1&0)", 5, "no graph"),
        ("a{0|+-(1,a)}", 9, "not closed"),
        ("+-(1|2)", 4, "braces"),
        ("(1,2)", 2, "an operator"),
        ("1/3", 2, "not a power of 2"),
        ("1/0", 2, "not a power of 2"),
        ("1/", 2, "a whole number"),
        ("1/2*^", 0, "whole"),
        ("1000001", 0, "larger"),
        ("1+2000001/2", 2, "larger"),
        ("99999999999999999999", 0, "larger"),
        ("*501", 1, "larger"),
        ("^[1001]", 2, "larger"),
        ("^[x]", 2, "a whole number"),
        ("^[off]", 2, "`on`"),
        ("^<0>", 2, "from 1"),
        ("^<2]", 3, "`>`"),
        ("b", 0, "not the name"),
        ("{0|b}", 3, "not the name"),
        ("a{0|a}+a", 7, "not the name"),
        ("a{0|a{1|a}}", 4, "already"),
        ("a{0|a+1}", 4, "not closed"),
        ("a{0|-a}", 5, "not closed"),
        ("a{0|1+{a|}}", 7, "not closed"),
        ("a{0|Tiny(a)}", 9, "not closed"),
        ("{0|2*pass}", 5, "not closed"),
        ("pass", 0, "there are none"),
        ("on{0|on}", 0, "a meaning of its own"),
        ("v{0|1}", 0, "a meaning of its own"),
        ("Tiny 1", 5, "`(`"),
        ("{1&0|}", 1, "no graph"),
        ("(1&0):1", 1, "no graph"),
        ("1&0&0", 0, "no graph"),
        ("+-(1&0)", 3, "no graph"),
        ("{0|é}", 3, "found `é`"),
        ("½", 0, "found `½`"),
        ("*{0|1}", 1, "an operator"),
        ("... (3 vertices)", 0, "found `.`"),
    ];
    for (text, at, message) in wrong {
        let error = text.parse::<Expression>().map(|_| ()).expect_err(text);
        assert_eq!(error.at, at, "{text}: {}", error.message);
        assert!(error.message.contains(message), "{text}: {}", error.message);
    }
}

#[test]
fn an_expression_without_a_value_is_an_error() {
    let fails = |text: &str, budget: u64| {
        let expression: Expression = text.parse().unwrap();
        expression
            .evaluate(&mut Stoppers::new(), &mut Work::new(Limits::new(budget)))
            .map(|_| ())
            .unwrap_err()
    };
    assert!(matches!(fails("0 & 1", 1_000_000), EvaluateError::Notation(error) if error.at == 0));
    assert!(
        matches!(fails("1+(0 & *)", 1_000_000), EvaluateError::Notation(error) if error.at == 3)
    );
    let budget = Interrupted::positions(100_000);
    assert_eq!(fails("(+-1000)+(+-999)", 100_000), EvaluateError::Interrupted(budget));
    assert!(matches!(fails("1000000+1", 10_000_000), EvaluateError::Notation(_)));
    assert!(matches!(fails("1000000*2000", 10_000_000), EvaluateError::Notation(_)));
    assert_eq!(fails(&format!("9*{CAROUSEL}"), 100_000), EvaluateError::Interrupted(budget));
    assert_eq!(fails("*500", 100_000), EvaluateError::Interrupted(budget));
}

const DEPTH: usize = 100_000;

fn nested(open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(DEPTH), close.repeat(DEPTH))
}

#[test]
fn deep_braces_without_cycles_have_values() {
    assert_eq!(printed(&nested("{", "0", "|}")), DEPTH.to_string());
    assert_eq!(printed(&nested("{0|", "*", "}")), format!("^{DEPTH}*"));
    assert_eq!(printed(&nested("(", "1/2", ")")), "1/2");
}

#[test]
fn numbers_that_could_not_be_read_stay_in_braces() {
    let small = |levels: usize| format!("{}1{}", "{0|".repeat(levels), "}".repeat(levels));
    assert_eq!(printed(&small(40)), "1/1099511627776");
    assert_eq!(printed(&small(42)), "{0||0|1/1099511627776}");
    assert_eq!(printed("{0|*100}"), "^*101");
    assert!(printed(&small(1_000)).starts_with("{0|"));
}

#[test]
fn long_chains_of_operators_have_values() {
    assert_eq!(printed(&nested("-", "{1|0}", "")), "{1|0}");
    assert_eq!(printed(&nested("1+", "2", "")), (DEPTH + 2).to_string());
    assert_eq!(printed(&nested("*+", "on", "")), "on");
    assert_eq!(printed(&nested("dud+", "1", "")), "dud");
}

#[test]
fn long_cycles_are_read() {
    // Left goes round 300 vertices: on.
    let text = format!("a{{{}a{}|}}", "{".repeat(300), "|}".repeat(300));
    assert_eq!(printed(&text), "on");
    let cycle = format!("a{{{}", nested("{0|", "a", "}|}"));
    assert!(cycle.parse::<Expression>().is_err());
    let names: Vec<String> = (0..DEPTH).map(|i| format!("n{i}{{0|")).collect();
    let names = names.concat();
    let text = format!("{names}pass{}", "}".repeat(DEPTH));
    assert_eq!(printed(&text), "over");
}

#[test]
fn a_long_name_is_not_repeated_in_errors() {
    let name = "x".repeat(1_000_000);
    for text in [name.clone(), format!("{name}{{0|{name}{{|}}}}")] {
        let error = text.parse::<Expression>().expect_err("no such name");
        assert!(error.message.starts_with(&format!("`{}…`", "x".repeat(40))));
        assert!(error.message.len() < 400, "{}", error.message.len());
    }
}

#[test]
fn large_multiples_have_values() {
    // Following all of a sum again with every term that is added would take 10⁸ steps.
    assert_eq!(printed("10000*^"), "^10000");
    assert_eq!(printed("10000*(1*)"), "10000");
}

#[test]
fn what_is_deep_and_wrong_is_refused() {
    for open in ["{", "{|", "(", "-", "+-", "a:", "Tiny(", "{0,", "1&", "3*(", "a{", "{0||0|", "^["]
    {
        assert!(open.repeat(DEPTH).parse::<Expression>().is_err(), "{open}");
    }
    assert!(nested("{0|", "b", "}").parse::<Expression>().is_err());
}

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn edges(&mut self, len: usize) -> Vec<(Vertex, Vertex)> {
        let count = 1 + self.below(2 * len);
        (0..count).map(|_| (self.below(len) as Vertex, self.below(len) as Vertex)).collect()
    }
}

#[test]
fn texts_read_back_as_the_same_stopper_and_do_not_depend_on_the_store() {
    let mut random = Random(7);
    let mut stoppers = Stoppers::new();
    let mut found = 0;
    for _ in 0..6_000 {
        let len = 1 + random.below(7);
        let [left, right] = [random.edges(len), random.edges(len)];
        let graph = Graph::new(len, left.clone(), right.clone()).unwrap();
        let sides = stoppers.sides(&graph, 0, &mut Work::default()).unwrap();
        for stopper in [sides.onside, sides.offside].into_iter().flatten() {
            found += 1;
            let text = stoppers.text(stopper);
            assert_eq!(evaluate(&mut stoppers, &text).sides(), Sides::of(stopper), "{text}");
            // In a store of its own, from the graph with other numbers.
            let mut other = Stoppers::new();
            let shift = |edges: &[(Vertex, Vertex)]| -> Vec<(Vertex, Vertex)> {
                let turn = |v: Vertex| len as Vertex - 1 - v;
                edges.iter().map(|&(from, to)| (turn(from), turn(to))).collect()
            };
            let turned = Graph::new(len, shift(&right), shift(&left)).unwrap();
            let turned = other.sides(&turned, len as Vertex - 1, &mut Work::default()).unwrap();
            let again = if Some(stopper) == sides.onside { turned.offside } else { turned.onside };
            let again: Stopper = other.negative(again.expect("the negative has sides too"));
            assert_eq!(other.text(again), text);
        }
        if let Some(text) = stoppers.sides_text(sides) {
            assert_eq!(evaluate(&mut stoppers, &text).sides(), sides, "{text}");
        }
    }
    assert!(found > 4_000, "{found}");
}

#[test]
fn no_text_is_too_strange_to_be_answered() {
    let tokens = [
        "0", "1", "3", "/", "2", "*", "^", "v", "+", "-", "+-", ":", "&", "(", ")", "{", "}", "|",
        "||", ",", "on", "off", "over", "upon", "dud", "pass", "a", "a{", "b{", "b", "Tiny(",
        "Miny(", "[", "]", "<", ">", " ", "{0|", "|}", "}", ")", "é",
    ];
    let mut random = Random(5);
    let (mut read, mut valued) = (0, 0);
    for _ in 0..60_000 {
        let text: String =
            (0..=random.below(9)).map(|_| tokens[random.below(tokens.len())]).collect();
        match text.parse::<Expression>() {
            Err(error) => assert!(text.is_char_boundary(error.at), "{text}"),
            Ok(expression) => {
                read += 1;
                let mut stoppers = Stoppers::new();
                let mut work = Work::new(Limits::new(200_000));
                let Ok(game) = expression.evaluate(&mut stoppers, &mut work) else { continue };
                let Some(text) = stoppers.sides_text(game.sides()) else { continue };
                valued += 1;
                assert_eq!(evaluate(&mut stoppers, &text).sides(), game.sides(), "{text}");
                let Ok(Some(graph)) = game.graph(&stoppers, &mut work) else { continue };
                // The graph has the sides that were computed without it.
                let sides = stoppers.sides(&graph, 0, &mut Work::default()).unwrap();
                assert_eq!(sides, game.sides(), "{text}");
                let stopper = game.is_stopper(&stoppers, &mut work).unwrap();
                assert_eq!(stopper, graph.is_stopper(0), "{text}");
            }
        }
    }
    assert!(read > 2_000 && valued > 2_000, "{read} {valued}");
}

#[test]
fn cycles_with_exits_read_back_too() {
    let exits = ["0", "*", "1", "-1", "*2", "^", "v*", "1/2", "{1|-2}", "over", "upon", "{0,^|-1}"];
    let mut random = Random(11);
    let mut stoppers = Stoppers::new();
    let mut named = 0;
    for round in 0..8_000 {
        // A vertex for each letter: one player continues, the other leaves; now and then there are
        // chords.
        let len = 4 + random.below(5);
        let few = 2 + random.below(if round % 2 == 0 { 4 } else { exits.len() - 1 });
        let mut text = String::new();
        let mut close = String::new();
        for i in 0..len {
            let name = ["a", "b", "c", "d", "e", "f", "g", "h"][i];
            let exit = if round % 3 == 0 && i > 1 && random.below(4) == 0 {
                ["a", "b", "c", "d", "e", "f", "g", "h"][random.below(i)]
            } else {
                exits[random.below(few)]
            };
            if random.below(2) == 0 {
                text.extend([name, "{"]);
                close.insert_str(0, &format!("|{exit}}}"));
            } else {
                text.extend([name, "{", exit, "|"]);
                close.insert(0, '}');
            }
        }
        let text = format!("{text}a{close}");
        let sides = evaluate(&mut stoppers, &text).sides();
        for stopper in [sides.onside, sides.offside].into_iter().flatten() {
            let text = stoppers.text(stopper);
            named += usize::from(text.contains("a{"));
            assert_eq!(evaluate(&mut stoppers, &text).sides(), Sides::of(stopper), "{text}");
            let mut other = Stoppers::new();
            let again = evaluate(&mut other, &text).sides().stopper().expect("a stopper");
            assert_eq!(other.text(again), text);
        }
    }
    assert!(named > 100, "{named}");
}

#[test]
fn a_text_that_would_be_too_long_says_how_large_the_game_is() {
    let text = printed(&nested("{0|", "-1", "}"));
    assert_eq!(text, format!("... ({} vertices)", DEPTH + 2));
    assert_eq!(printed("{0|{0|{0|{0|{0|{0|{0|-1}}}}}}}"), "{0|{0||||0|||0||0|Tiny(1)}}");
}
