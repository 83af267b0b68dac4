//! Every output format, on digraphs with every kind of value and with difficult names.

use nimoon::{
    AnyValue, Digraph, Label, Labelling, Limits, Node, Theory, Work, impartial::rounds::rounds,
    label,
};
use nimoon_formats::Names;
use nimoon_formats::read::{Format, read};
use nimoon_formats::write::{
    PictureError, PictureOptions, Report, latex, svg, write_csv, write_dot, write_json, write_table,
};
use proptest::prelude::*;
use quick_xml::events::Event;

/// A digraph with names and labels.
struct Labelled {
    digraph: Digraph,
    names: Names,
    labelling: Labelling,
    rounds: Option<Vec<Option<u32>>>,
}

impl Labelled {
    fn new(names: &[&str], gray: &[&str], arcs: &[(&str, &str)]) -> Self {
        let names: Names = names.iter().collect();
        let node = |name: &str| names.node(name).unwrap();
        let arcs = arcs.iter().map(|(from, to)| (node(from), node(to))).collect();
        let gray: Vec<Node> = gray.iter().map(|name| node(name)).collect();
        let digraph = Digraph::new(names.len(), gray, arcs).unwrap();
        let labelling = label(&digraph, None, &Work::default()).unwrap();
        Self { digraph, names, labelling, rounds: None }
    }

    fn with_rounds(mut self) -> Self {
        self.rounds = Some(rounds(&self.digraph, &self.labelling));
        self
    }

    fn report(&self) -> Report<'_> {
        Report {
            rounds: self.rounds.as_deref(),
            ..Report::new(&self.digraph, &self.names, &self.labelling)
        }
    }

    fn json(&self) -> String {
        text(|out| write_json(&self.report(), out))
    }

    fn csv(&self) -> String {
        text(|out| write_csv(&self.report(), out))
    }

    fn dot(&self) -> String {
        text(|out| write_dot(&self.report(), out))
    }

    fn table(&self) -> String {
        text(|out| write_table(&self.report(), out))
    }

    fn svg(&self) -> String {
        svg(&self.report(), &PictureOptions::default()).unwrap()
    }

    fn latex(&self) -> String {
        latex(&self.report(), &PictureOptions::default()).unwrap()
    }
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Every kind of value and cover of the carry-on theory.
///
/// z is terminal, t gray and terminal; y → t is a full moon, the gray h → y a new moon, j → t a
/// full moon; c, on a loop and with a carry-on to z, is ninny 0; x is a moon, d and e are cyclic.
fn carry_on() -> Labelled {
    Labelled::new(
        &["z", "a", "t", "y", "h", "g1", "c", "g2", "x", "d", "e", "i", "j"],
        &["t", "h", "g1", "g2", "i", "j"],
        &[
            ("a", "z"),
            ("y", "t"),
            ("h", "y"),
            ("g1", "z"),
            ("c", "c"),
            ("c", "g1"),
            ("g2", "c"),
            ("x", "z"),
            ("x", "g2"),
            ("d", "d"),
            ("e", "d"),
            ("d", "e"),
            ("e", "e"),
            ("d", "z"),
            ("d", "a"),
            ("i", "g1"),
            ("j", "t"),
        ],
    )
}

fn entailing() -> Labelled {
    Labelled::new(&["z", "g", "x", "y"], &["g"], &[("g", "z"), ("x", "g"), ("x", "z"), ("y", "g")])
}

/// A gray node with two options, and a cycle: no algebra is known.
fn general() -> Labelled {
    Labelled::new(
        &["z", "g", "x", "y", "w", "k"],
        &["g", "k"],
        &[
            ("g", "z"),
            ("g", "x"),
            ("x", "y"),
            ("y", "x"),
            ("x", "g"),
            ("y", "z"),
            ("w", "w"),
            ("w", "y"),
            ("k", "w"),
            ("k", "x"),
        ],
    )
}

/// Names that mean something to one format or another.
fn difficult() -> Labelled {
    let names = ["a\"b", "c,d", "<e>&'", "f\ng", "∞ 名前", "\\h_{i}%$#^~", "x\u{1}\u{1b}y", ""];
    let arcs: Vec<(&str, &str)> = names.windows(2).map(|pair| (pair[0], pair[1])).collect();
    Labelled::new(&names, &["c,d"], &arcs)
}

#[test]
fn the_carry_on_theory_in_every_format() {
    let labelled = carry_on().with_rounds();
    insta::assert_snapshot!("carry_on_json", labelled.json());
    insta::assert_snapshot!("carry_on_csv", labelled.csv());
    insta::assert_snapshot!("carry_on_dot", labelled.dot());
    insta::assert_snapshot!("carry_on_table", labelled.table());
    insta::assert_snapshot!("carry_on_svg", labelled.svg());
    insta::assert_snapshot!("carry_on_latex", labelled.latex());
}

#[test]
fn the_entailing_and_the_general_theory_in_the_formats_for_data() {
    insta::assert_snapshot!("entailing_json", entailing().json());
    insta::assert_snapshot!("entailing_table", entailing().table());
    insta::assert_snapshot!("general_json", general().json());
    insta::assert_snapshot!("general_csv", general().csv());
    insta::assert_snapshot!("general_table", general().table());
    insta::assert_snapshot!("general_svg", general().svg());
}

#[test]
fn difficult_names_in_every_format() {
    let labelled = difficult();
    insta::assert_snapshot!("difficult_json", labelled.json());
    insta::assert_snapshot!("difficult_csv", labelled.csv());
    insta::assert_snapshot!("difficult_dot", labelled.dot());
    insta::assert_snapshot!("difficult_table", labelled.table());
    insta::assert_snapshot!("difficult_latex", labelled.latex());
    check_svg(&labelled.svg());
}

#[test]
fn json_is_read_back_with_the_names_it_was_given() {
    let labelled = difficult();
    let json: serde_json::Value = serde_json::from_str(&labelled.json()).unwrap();
    let nodes = json["nodes"].as_array().unwrap();
    for (node, entry) in labelled.digraph.nodes().zip(nodes) {
        assert_eq!(entry["node"], *labelled.names.name(node));
    }
}

#[test]
fn dot_is_read_back_as_the_same_digraph() {
    for labelled in [carry_on(), entailing(), general(), difficult()] {
        let source = read(Format::Dot, labelled.dot().as_bytes()).unwrap();
        assert_eq!(source.names, labelled.names);
        let digraph = Digraph::new(source.names.len(), source.gray, source.arcs).unwrap();
        assert_eq!(digraph, labelled.digraph);
    }
}

#[test]
fn the_example_of_the_interface_is_met_to_the_letter() {
    let labelled =
        Labelled::new(&["z", "c", "g1"], &["g1"], &[("c", "c"), ("c", "g1"), ("g1", "z")]);
    let json = labelled.json();
    let c = r#"{"node":"c","color":"white","value":{"kind":"ninny","forced":0},"text":"∞*₀","outcome":"D"}"#;
    let g1 = r#"{"node":"g1","color":"gray","covers":{"all_except":[0]}}"#;
    assert!(json.starts_with(r#"{"theory":"carry-on","nodes":[{"node":"z","#));
    assert!(json.ends_with(&format!("{c},{g1}]}}\n")), "{json}");
}

#[test]
fn a_labelling_cut_short_says_so() {
    let whole = general();
    let labelling =
        label(&whole.digraph, Some(Theory::General), &Work::new(Limits::new(1))).unwrap();
    assert!(!labelling.is_complete());
    let cut = Labelled { labelling, ..whole };
    assert!(cut.json().starts_with(r#"{"theory":"general","complete":false,"nodes":["#));
    assert!(cut.table().lines().next().unwrap().contains("incomplete"));
    check_svg(&cut.svg());
}

#[test]
fn values_in_csv_are_read_back() {
    let labelled = carry_on();
    for node in labelled.digraph.nodes() {
        if let Label::White(value) = labelled.labelling.label(node) {
            assert_eq!(format!("{value:#}").parse::<AnyValue>(), Ok(value.clone()));
            assert!(labelled.csv().contains(&format!("{value:#}")));
        }
    }
}

#[test]
fn a_digraph_without_nodes_can_be_written() {
    let nothing = Labelled::new(&[], &[], &[]);
    assert_eq!(nothing.json(), "{\"theory\":\"short\",\"nodes\":[]}\n");
    assert_eq!(nothing.csv(), "node,color,value,outcome,covers\n");
    assert_eq!(nothing.table(), "short theory: 0 nodes, 0 arcs\n");
    check_svg(&nothing.svg());
    assert!(nothing.latex().contains("\\end{tikzpicture}"));
}

/// A path of `len` nodes.
fn path(len: usize) -> Labelled {
    let names: Names = (0..len).map(|i| i.to_string()).collect();
    let arcs = (1..len as Node).map(|v| (v, v - 1)).collect();
    let digraph = Digraph::new(len, [], arcs).unwrap();
    let labelling = label(&digraph, None, &Work::default()).unwrap();
    Labelled { digraph, names, labelling, rounds: None }
}

#[test]
fn a_large_digraph_is_drawn_only_in_part() {
    let labelled = path(1000);
    let report = labelled.report();
    let error = svg(&report, &PictureOptions::default()).unwrap_err();
    assert_eq!(error, PictureError::TooLarge { nodes: 1000, limit: 300 });
    let message = "a picture of 1000 nodes cannot be read (the limit is 300)";
    assert_eq!(error.to_string(), message);
    let options = PictureOptions { around: Some(500), ..PictureOptions::default() };
    let picture = svg(&report, &options).unwrap();
    check_svg(&picture);
    // Two nodes on either side, and at each end an arc that leads on.
    assert_eq!(picture.matches("class=\"node\"").count(), 5);
    assert_eq!(picture.matches(">+1<").count(), 2);
    assert!(latex(&report, &options).unwrap().contains("{+1}"));
    let options = PictureOptions { around: Some(500), radius: 400, ..PictureOptions::default() };
    assert!(matches!(svg(&report, &options), Err(PictureError::TooLarge { .. })));
    let options = PictureOptions { around: Some(1000), ..PictureOptions::default() };
    let error = PictureError::NoSuchNode { node: 1000, len: 1000 };
    assert_eq!(svg(&report, &options), Err(error));
}

#[test]
fn too_many_arcs_are_not_drawn() {
    let names: Names = (0..80).map(|i| i.to_string()).collect();
    let arcs: Vec<(Node, Node)> = (0..80).flat_map(|v| (0..v).map(move |w| (v, w))).collect();
    let digraph = Digraph::new(80, [], arcs).unwrap();
    let labelling = label(&digraph, None, &Work::default()).unwrap();
    let labelled = Labelled { digraph, names, labelling, rounds: None };
    let error = svg(&labelled.report(), &PictureOptions::default()).unwrap_err();
    assert_eq!(error, PictureError::TooManyArcs { arcs: 3160, limit: 1500 });
}

/// Checks that an SVG document is well-formed, that its numbers are finite, and that no two nodes
/// overlap.
fn check_svg(text: &str) {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut depth = 0_i32;
    let mut nodes: Vec<[f64; 4]> = Vec::new();
    loop {
        let event = reader.read_event().unwrap();
        let (element, opens) = match event {
            Event::Start(element) => (element, true),
            Event::Empty(element) => (element, false),
            Event::End(_) => {
                depth -= 1;
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        depth += i32::from(opens);
        let mut is_node = false;
        let mut place = [0.0; 4];
        for attribute in element.attributes() {
            let attribute = attribute.unwrap();
            let value = attribute.unescape_value().unwrap();
            let slot = match attribute.key.as_ref() {
                b"class" => {
                    is_node = value == "node";
                    continue;
                }
                b"d" => {
                    assert!(!value.contains("NaN") && !value.contains("inf"), "{value}");
                    continue;
                }
                b"x" | b"cx" => 0,
                b"y" | b"cy" => 1,
                b"width" => 2,
                b"height" => 3,
                _ => continue,
            };
            place[slot] = value.parse().unwrap();
            assert!(f64::is_finite(place[slot]));
        }
        if is_node {
            nodes.push(place);
        }
    }
    assert_eq!(depth, 0);
    for (i, a) in nodes.iter().enumerate() {
        for b in &nodes[..i] {
            let apart = |at: usize| a[at] >= b[at] + b[at + 2] || b[at] >= a[at] + a[at + 2];
            assert!(apart(0) || apart(1), "{a:?} overlaps {b:?}");
        }
    }
}

/// Digraphs with up to 40 nodes, some of them gray, loops and 2-cycles included.
fn digraphs() -> impl Strategy<Value = (Vec<bool>, Vec<(Node, Node)>)> {
    (1_u32..40).prop_flat_map(|len| {
        let gray = proptest::collection::vec(proptest::bool::weighted(0.2), len as usize);
        let arcs = proptest::collection::vec((0..len, 0..len), 0..(3 * len) as usize);
        (gray, arcs)
    })
}

proptest! {
    #[test]
    fn pictures_of_random_digraphs_are_sound((gray, arcs) in digraphs(), around in any::<bool>()) {
        let len = gray.len();
        let gray = (0..len as Node).filter(|&v| gray[v as usize]);
        let digraph = Digraph::new(len, gray, arcs).unwrap();
        let names: Names = (0..len).map(|i| format!("n{}", i * i * i)).collect();
        let labelling = label(&digraph, None, &Work::default()).unwrap();
        let labelled = Labelled { digraph, names, labelling, rounds: None }.with_rounds();
        let around = around.then_some((len / 2) as Node);
        let options = PictureOptions { around, ..PictureOptions::default() };
        let picture = svg(&labelled.report(), &options).unwrap();
        check_svg(&picture);
        // The same digraph gives the same picture.
        prop_assert_eq!(&picture, &svg(&labelled.report(), &options).unwrap());
        let tikz = latex(&labelled.report(), &options).unwrap();
        prop_assert!(!tikz.contains("NaN") && !tikz.contains("inf,"));
        prop_assert_eq!(tikz.matches('{').count(), tikz.matches('}').count());
    }
}
