use std::collections::HashMap;

use nimoon::{Digraph, Kind, Work, label};
use proptest::prelude::*;

use super::*;
use crate::graph::testing::{Evaluator, read_or_refuse};

fn read(text: &str) -> Vec<Edge> {
    GreenLime.read(text).unwrap()
}

/// The value by the labelling of the digraph of all followers, whole and with their own names.
fn value(position: &[Edge]) -> String {
    let mut nodes = HashMap::from([(position.to_vec(), 0)]);
    let mut todo = vec![position.to_vec()];
    let (mut count, mut gray, mut arcs) = (1, Vec::new(), Vec::new());
    while let Some(position) = todo.pop() {
        let from = nodes[&position];
        for option in GreenLime.options(&position) {
            let to = *nodes.entry(option.to.clone()).or_insert_with(|| {
                todo.push(option.to.clone());
                count += 1;
                count - 1
            });
            if option.kind == Kind::Again {
                gray.push(count);
                arcs.extend([(from, count), (count, to)]);
                count += 1;
            } else {
                arcs.push((from, to));
            }
        }
    }
    let digraph = Digraph::new(count as usize, gray, arcs).unwrap();
    label(&digraph, None, &Work::default()).unwrap().value(0).unwrap().to_string()
}

/// The drawing with these edges and colours.
fn colored(edges: &[[u32; 2]], colors: &str) -> Vec<Edge> {
    let stalk = read(colors);
    let edges = edges.iter().zip(stalk);
    edges.map(|(&ends, Edge { color, .. })| Edge { ends, color }).collect()
}

#[test]
fn stalks_have_the_values_of_the_paper() {
    let table = [
        ("gl", "0"),
        ("lg", "2"),
        ("gg", "2"),
        ("ll", "2"),
        ("ggl", "☾₀,₁"),
        ("glg", "☾₀"),
        ("gll", "☾₀"),
        ("lgl", "1"),
        ("ggg", "3"),
        ("lgg", "3"),
        ("llg", "3"),
        ("lll", "3"),
        ("glgl", "0"),
        ("gggl", "☾₀,₁,₂"),
        ("lglg", "☾₁"),
        ("llgl", "2"),
    ];
    for (stalk, expected) in table {
        assert_eq!(value(&read(stalk)), expected, "{stalk}");
    }
}

#[test]
fn glasses_have_the_values_of_the_paper() {
    let table = [
        ("gll", "☾₀"),
        ("ggl", "☾₀"),
        ("lgl", "∞₀,₂"),
        ("llg", "∞₀,₂"),
        ("ggg", "1"),
        ("lgg", "1"),
        ("lll", "1"),
    ];
    for (colors, expected) in table {
        let glass = colored(&[[0, 1], [1, 2], [1, 3]], colors);
        assert_eq!(value(&glass), expected, "{colors}");
    }
    let table = [
        ("gggl", "∞*₀"),
        ("gglg", "∞*₀"),
        ("glgg", "∞*₀"),
        ("glll", "0"),
        ("lggl", "∞₀,₁"),
        ("lglg", "∞₀,₃"),
        ("lgll", "∞₀,₁,₃"),
    ];
    for (colors, expected) in table {
        let full = colored(&[[0, 1], [1, 2], [1, 3], [2, 3]], colors);
        assert_eq!(value(&full), expected, "{colors}");
    }
}

#[test]
fn drawings_of_one_color_have_the_value_of_green_hackenbush() {
    let mut evaluator = Evaluator::new(GreenLime);
    let edges = [[0, 1], [1, 2], [2, 3], [1, 3], [3, 4], [4, 4], [0, 5], [0, 0]];
    for color in ["gggggggg", "llllllll"] {
        let drawing = colored(&edges, color);
        assert_eq!(GreenLime.theorem(&drawing), Some(evaluator.value(&drawing)));
    }
    assert_eq!(GreenLime.theorem(&read("gl")), None);
}

#[test]
fn options_of_stalks_are_those_of_drawings() {
    for length in 0..=9 {
        for set in 0..1_u32 << length {
            let colors = (0..length).map(|place| if set >> place & 1 == 1 { 'l' } else { 'g' });
            let stalk = GreenLime.read(&colors.collect::<String>()).unwrap_or_default();
            assert!(is_stalk(&stalk));
            let graph = Rc::new(graph(&stalk));
            let general = changes(&stalk, Rc::clone(&graph));
            let general: Vec<_> = general.map(|next| change(&stalk, &graph, next)).collect();
            assert_eq!(GreenLime.options(&stalk).collect::<Vec<_>>(), general);
            let mut added = Vec::new();
            GreenLime.add_parts(stalk.clone(), &mut added).unwrap();
            assert_eq!(added, GreenLime.try_parts(stalk).unwrap());
        }
    }
}

#[test]
fn the_words_of_a_move_say_what_falls() {
    let glass = read("0-7g,7-2l,7-3l");
    let words: Vec<_> = GreenLime
        .options(&glass)
        .enumerate()
        .map(|(number, option)| (GreenLime.words(&glass, number, &option), option.kind))
        .collect();
    let expected = [
        ("remove the green edge 0-7; 2-7 and 3-7 fall", Kind::Again),
        ("remove the lime edge 2-7", Kind::Ordinary),
        ("remove the lime edge 3-7", Kind::Ordinary),
        ("swap the colours of 0-7 and 2-7", Kind::Ordinary),
        ("swap the colours of 0-7 and 3-7", Kind::Ordinary),
    ];
    assert_eq!(words, expected.map(|(words, kind)| (words.to_owned(), kind)));
    assert_eq!(GreenLime.board(&glass), "0 -g- 7 -l- 2\n      +-l- 3");
}

#[test]
fn the_ground_is_not_a_shared_vertex_and_two_shared_vertices_are_one_toggle() {
    assert_eq!(GreenLime.options(&read("0-1g,0-2l")).count(), 2);
    assert_eq!(GreenLime.options(&read("0-1g,1-2g,1-2l")).count(), 5);
    // Swapping parallel edges leaves the same drawing.
    let parallel = read("0-1g,0-1l");
    assert_eq!(GreenLime.options(&parallel).last(), Some(Move::to(parallel)));
}

#[test]
fn faults_are_pointed_at() {
    let error = |text| {
        let error = GreenLime.read(text).unwrap_err();
        (error.at, error.message)
    };
    assert_eq!(error("glx"), (2, "expected a colour, `g` or `l`, found `x`".into()));
    assert_eq!(error("0-1,1-2l"), (3, "expected a colour, `g` or `l`, found `,`".into()));
    assert_eq!(error("0-1g,2-3l").0, 5);
    assert_eq!(error("").0, 0);
}

/// Drawings on few vertices; what is not connected to the ground is left out.
fn drawings() -> impl Strategy<Value = Vec<Edge>> {
    let edge = (0..6_u32, 0..6_u32, any::<bool>()).prop_map(|(a, b, lime)| Edge {
        ends: [a.min(b), a.max(b)],
        color: if lime { Color::Lime } else { Color::Green },
    });
    prop::collection::vec(edge, 0..8).prop_map(|mut edges| {
        edges.sort_unstable();
        let graph = graph(&edges);
        let heights = graph.heights(None);
        let mut number = 0..;
        edges.retain(|_| heights[graph.ends(number.next().unwrap_or(0))[0] as usize].is_some());
        edges
    })
}

/// The canonical forms of the parts, in order.
fn parts(position: &[Edge]) -> Vec<Vec<Edge>> {
    let parts = GreenLime.components(position.to_vec()).into_iter();
    let mut parts: Vec<_> = parts.map(|part| GreenLime.canonical(part)).collect();
    parts.sort_unstable();
    parts
}

fn split_options(position: &Vec<Edge>) -> Vec<(Kind, Vec<Vec<Edge>>)> {
    let options = GreenLime.options(position);
    let mut options: Vec<_> = options.map(|option| (option.kind, parts(&option.to))).collect();
    options.sort_unstable();
    options
}

proptest! {
    #[test]
    fn names_do_not_matter(
        drawing in drawings(),
        mut names in Just(vec![9, 3, 7, 1, 5]).prop_shuffle(),
    ) {
        names.insert(0, 0);
        let mut renamed: Vec<_> = drawing.iter().map(|edge| {
            let [a, b] = edge.ends.map(|vertex| names[vertex as usize]);
            Edge { ends: [a.min(b), a.max(b)], ..*edge }
        }).collect();
        renamed.sort_unstable();
        prop_assert_eq!(GreenLime.canonical(renamed.clone()), GreenLime.canonical(drawing.clone()));
        prop_assert_eq!(split_options(&renamed), split_options(&drawing));
        let canonical = GreenLime.canonical(drawing.clone());
        prop_assert_eq!(split_options(&canonical), split_options(&drawing));
        prop_assert_eq!(GreenLime.canonical(canonical.clone()), canonical);
    }

    #[test]
    fn toggles_can_be_undone_and_positions_are_read_as_written(drawing in drawings()) {
        for option in GreenLime.options(&drawing) {
            prop_assert_eq!(&read(&GreenLime.write(&option.to)), &option.to);
            if option.to.len() == drawing.len() {
                prop_assert!(GreenLime.options(&option.to).any(|back| back.to == drawing));
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(
        text in "[gl0-3,-]{0,9}|[gl]{1,9}|([0-3]-[1-3][gl],){0,4}0-3g|.{0,9}",
    ) {
        read_or_refuse(&GreenLime, &text);
    }
}
