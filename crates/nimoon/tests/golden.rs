//! The verified cases of `golden/`: values of nodes, values and outcomes of sums.

use nimoon::{AnyValue, Budget, Digraph, EntailingValue, Nimbers, Node, Theory, Value, label};
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
        let labelling = label(&case.digraph, Some(Theory::CarryOn), Budget::DEFAULT).expect("fits");
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
            label(&case.digraph, Some(Theory::Entailing), Budget::DEFAULT).expect("fits");
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
