//! The verified cases of `golden/`: values of nodes, values and outcomes of sums.

use std::cmp::Ordering;

use nimoon::impartial::control::{Control, Layers, values};
use nimoon::{
    AnyValue, Digraph, EntailingValue, NimberSet, Nimbers, Node, Theory, Value, Work, label,
};
use serde_json::Value as Json;

fn read(name: &str) -> Vec<Json> {
    let path = format!("{}/../../golden/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let json: Json = serde_json::from_str(&text).expect(&path);
    json["cases"].as_array().expect("cases").clone()
}

fn strings(json: &Json) -> Vec<String> {
    let items = json.as_array().expect("a list");
    items.iter().map(|item| item.as_str().expect("a string").to_owned()).collect()
}

struct Case {
    names: Vec<String>,
    digraph: Digraph,
}

impl Case {
    fn new(json: &Json) -> Self {
        let names = strings(&json["nodes"]);
        let node = |name: &str| names.iter().position(|n| n == name).expect(name) as Node;
        let gray: Vec<Node> = strings(&json["gray"]).iter().map(|name| node(name)).collect();
        let arcs = json["arcs"].as_array().expect("arcs").iter();
        let arcs = arcs.map(strings).map(|arc| (node(&arc[0]), node(&arc[1])));
        let digraph = Digraph::new(names.len(), gray, arcs.collect()).expect("a digraph");
        Self { names, digraph }
    }

    fn node(&self, name: &str) -> Node {
        self.names.iter().position(|n| n == name).expect(name) as Node
    }
}

fn numbers(json: &Json) -> Nimbers {
    json.as_array().expect("a list").iter().map(|n| n.as_u64().expect("a number")).collect()
}

fn value(json: &Json) -> Value {
    match json["kind"].as_str().expect("a kind") {
        "nimber" => Value::Nimber(json["n"].as_u64().expect("n")),
        "full-moon" => Value::FullMoon,
        "moon" => Value::Moon(numbers(&json["forced"])),
        "ninny" => Value::Ninny(json["forced"].as_u64().expect("forced")),
        "cyclic" => Value::Cyclic(numbers(&json["exits"])),
        kind => panic!("unknown kind {kind}"),
    }
}

#[test]
fn carry_on_values_sums_and_outcomes() {
    let mut checked = 0;
    for json in read("carry_on.json") {
        let case = Case::new(&json["digraph"]);
        let labelling =
            label(&case.digraph, Some(Theory::CarryOn), &Work::default()).expect("fits");
        for (name, expected) in json["values"].as_object().expect("values") {
            let found = labelling.value(case.node(name));
            assert_eq!(found, Some(AnyValue::CarryOn(value(expected))), "{name} in {json}");
            checked += 1;
        }
        for sum in json["sums"].as_array().expect("sums") {
            let values = strings(&sum["nodes"]).into_iter().map(|name| {
                match labelling.value(case.node(&name)) {
                    Some(AnyValue::CarryOn(value)) => value,
                    other => panic!("{name} is {other:?}"),
                }
            });
            let total: Value = values.collect::<Vec<_>>().iter().sum();
            assert_eq!(total, value(&sum["value"]), "{sum} in {json}");
            assert_eq!(total.outcome().to_string(), sum["outcome"], "{sum} in {json}");
            checked += 1;
        }
    }
    assert!(checked > 1000, "only {checked} cases");
}

#[test]
fn entailing_values() {
    let mut checked = 0;
    for json in read("entailing.json") {
        let case = Case::new(&json["digraph"]);
        let labelling =
            label(&case.digraph, Some(Theory::Entailing), &Work::default()).expect("fits");
        for (name, expected) in json["values"].as_object().expect("values") {
            let expected = match expected["kind"].as_str() {
                Some("moon") => EntailingValue::Moon,
                _ => EntailingValue::Nimber(expected["n"].as_u64().expect("n")),
            };
            let found = labelling.value(case.node(name));
            assert_eq!(found, Some(AnyValue::Entailing(expected)), "{name} in {json}");
            checked += 1;
        }
    }
    assert!(checked > 300, "only {checked} cases");
}

/// The values of all white nodes by the theory of entailing moves of any outdegree.
fn control_values(case: &Case, work: &mut Work) -> Vec<Option<Control>> {
    let layers = Layers::of(&case.digraph, work);
    let white: Vec<Node> =
        case.digraph.nodes().filter(|&node| !case.digraph.is_gray(node)).collect();
    let found = values(&case.digraph, &layers, &white, work).expect("no limit");
    let mut all = vec![None; case.digraph.len()];
    for (node, value) in white.into_iter().zip(found) {
        all[node as usize] = Some(value);
    }
    all
}

#[test]
fn control_values_sums_and_orders() {
    let mut work = Work::endless();
    let [mut nodes, mut sums, mut orders] = [0; 3];
    for json in read("general.json") {
        let case = Case::new(&json["digraph"]);
        let found = control_values(&case, &mut work);
        let value = |name: &str| found[case.node(name) as usize].clone().expect(name);
        for (name, expected) in json["values"].as_object().expect("values") {
            let text = expected["name"].as_str().expect("a name");
            let found = value(name);
            assert_eq!(format!("{found:#}"), text, "{name} in {json}");
            assert_eq!(Control::read(text, &mut work).expect(text), found, "{name} in {json}");
            let kind = expected["kind"].as_str().map(|kind| {
                let kind = kind.replace("inf_", "oo").replace("moon_", "moon");
                let kind = kind.replace("full moon", "full-moon");
                kind.replace("ninny ", "ninny").parse::<Value>().expect("a kind")
            });
            assert_eq!(found.value(), kind, "{name} in {json}");
            if !expected["wins"].is_null() {
                let wins = match &expected["wins"]["only"] {
                    Json::Null => NimberSet::AllExcept(numbers(&expected["wins"]["all_except"])),
                    only => NimberSet::Only(numbers(only)),
                };
                assert_eq!(found.wins_beside(), wins, "{name} in {json}");
            }
            nodes += 1;
        }
        for sum in json["sums"].as_array().expect("sums") {
            let parts: Vec<Control> =
                strings(&sum["nodes"]).iter().map(|name| value(name)).collect();
            let total = Control::sum(&parts, &mut work).expect("no limit");
            assert_eq!(total.outcome().to_string(), sum["outcome"], "{sum} in {json}");
            sums += 1;
        }
        for order in json["orders"].as_array().expect("orders") {
            let [x, y] = ["x", "y"].map(|key| value(order[key].as_str().expect("a node")));
            let relation = match x.relation(&y, &mut work).expect("no limit") {
                Some(Ordering::Less) => "<",
                Some(Ordering::Equal) => "=",
                Some(Ordering::Greater) => ">",
                None => "||",
            };
            assert_eq!(relation, order["relation"], "{order} in {json}");
            orders += 1;
        }
    }
    assert_eq!([nodes, sums, orders], [856, 900, 112]);
}

#[test]
fn carry_on_values_are_values_of_the_theory_of_all_entailing_moves() {
    let mut work = Work::endless();
    let mut checked = 0;
    for json in read("carry_on.json") {
        let case = Case::new(&json["digraph"]);
        let found = control_values(&case, &mut work);
        let of = |name: &str| found[case.node(name) as usize].clone().expect(name);
        for (name, expected) in json["values"].as_object().expect("values") {
            assert_eq!(of(name).value(), Some(value(expected)), "{name} in {json}");
            assert_eq!(Control::of_value(&value(expected)), of(name), "{name} in {json}");
            checked += 1;
        }
        for sum in json["sums"].as_array().expect("sums") {
            let parts: Vec<Control> = strings(&sum["nodes"]).iter().map(|name| of(name)).collect();
            let total = Control::sum(&parts, &mut work).expect("no limit");
            assert_eq!(total.value(), Some(value(&sum["value"])), "{sum} in {json}");
            checked += 1;
        }
    }
    assert!(checked > 1000, "only {checked} cases");
}

/// Beside cycles the one moon of acyclic digraphs splits into many values, which win beside all
/// heaps.
#[test]
fn entailing_values_are_values_of_the_theory_of_all_entailing_moves() {
    let mut work = Work::endless();
    let mut checked = 0;
    for json in read("entailing.json") {
        let case = Case::new(&json["digraph"]);
        let found = control_values(&case, &mut work);
        for (name, expected) in json["values"].as_object().expect("values") {
            let found = found[case.node(name) as usize].clone().expect(name);
            assert_eq!(found.as_number(), expected["n"].as_u64(), "{name} in {json}");
            assert!(found.as_number().is_some() || found.wins_beside().is_everything());
            checked += 1;
        }
    }
    assert!(checked > 300, "only {checked} cases");
}
