//! Partizan graphs: read, written, drawn, and read again.

use nimoon::partizan::{Graph, Vertex};
use nimoon_formats::Names;
use nimoon_formats::read::partizan::{PartizanGame, read};
use nimoon_formats::write::{JsonPartizan, PartizanReport, PictureError, lettered, partizan_svg};
use proptest::prelude::*;
use quick_xml::events::Event;

fn json(game: &PartizanGame) -> String {
    let json = JsonPartizan::new(&game.graph, &game.names, game.start);
    serde_json::to_string(&json).unwrap()
}

/// The elements with a class in a well-formed document, counted by class.
fn classes(svg: &str) -> [usize; 4] {
    let mut reader = quick_xml::Reader::from_str(svg);
    reader.config_mut().check_end_names = true;
    let mut counts = [0; 4];
    let mut depth = 0_i32;
    loop {
        let element = match reader.read_event().unwrap() {
            Event::Start(element) => {
                depth += 1;
                element
            }
            Event::Empty(element) => element,
            Event::End(_) => {
                depth -= 1;
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        for attribute in element.attributes() {
            let attribute = attribute.unwrap();
            let value = attribute.unescape_value().unwrap();
            assert!(!value.contains("NaN") && !value.contains("inf"), "{value}");
            let known = ["node", "start", "left", "right"];
            if attribute.key.as_ref() == b"class" {
                counts[known.iter().position(|&class| class == value).unwrap()] += 1;
            }
        }
    }
    assert_eq!(depth, 0);
    counts
}

fn any_game() -> impl Strategy<Value = PartizanGame> {
    let edges = |len: Vertex| proptest::collection::vec((0..len, 0..len), 0..12);
    let names = proptest::collection::hash_set("[a-c<&\"\\\\ \\n\u{1b}月]{0,3}", 1..7);
    names.prop_flat_map(move |names| {
        let len = names.len() as Vertex;
        (Just(names), edges(len), edges(len), 0..len).prop_map(|(names, left, right, start)| {
            let names: Names = names.into_iter().collect();
            PartizanGame { graph: Graph::new(names.len(), left, right).unwrap(), names, start }
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(game in any_game()) {
        prop_assert_eq!(read(json(&game).as_bytes()).unwrap(), game);
    }

    #[test]
    fn pictures_of_all_graphs_are_well_formed(game in any_game()) {
        let values = vec!["<&>".to_owned(); game.graph.len()];
        let report = PartizanReport { game: &game, values: Some(&values) };
        let [nodes, starts, left, right] = classes(&partizan_svg(&report, 300).unwrap());
        prop_assert_eq!((nodes, starts), (game.graph.len(), 1));
        // One more of each is in the legend.
        let edges = |player| game.graph.edges(player).count() + 1;
        let [of_left, of_right] = nimoon::player::Player::BOTH.map(edges);
        prop_assert_eq!((left, right), (of_left, of_right));
    }

    #[test]
    fn tables_and_dot_have_a_line_for_each_vertex(game in any_game()) {
        let report = PartizanReport { game: &game, values: None };
        let mut table = Vec::new();
        report.write_table(&mut table).unwrap();
        let table = String::from_utf8(table).unwrap();
        prop_assert_eq!(table.lines().count(), 2 + game.graph.len());
        prop_assert_eq!(table.lines().filter(|line| line.starts_with('→')).count(), 1);
        let mut dot = Vec::new();
        report.write_dot(&mut dot).unwrap();
        let ends = String::from_utf8(dot).unwrap().ends_with("}\n");
        prop_assert!(ends);
    }

    #[test]
    fn arbitrary_text_is_read_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..60),
        text in r#"(\{|\}|\[|\]|,|:|"nodes"|"left"|"right"|"start"|"a"|"b"| |\\u12){0,30}"#,
    ) {
        for bytes in [&bytes[..], text.as_bytes()] {
            if let Ok(game) = read(bytes) {
                prop_assert!((game.start as usize) < game.names.len());
                prop_assert_eq!(game.graph.len(), game.names.len());
            }
        }
    }
}

#[test]
fn a_byte_order_mark_and_line_ends_do_not_matter() {
    let plain = "{\"left\":[[\"a\",\"b\"]],\n\"start\":\"a\"}";
    let marked = format!("\u{FEFF}{}", plain.replace('\n', "\r\n"));
    assert_eq!(read(plain.as_bytes()), read(marked.as_bytes()));
    let error = read("\u{FEFF}{\"left\":1}".as_bytes()).unwrap_err();
    assert_eq!((error.line, error.column), (1, 9));
}

#[test]
fn what_cannot_be_seen_is_not_drawn() {
    let graph = Graph::new(301, [], []).unwrap();
    let game = PartizanGame { names: lettered(301), graph, start: 0 };
    let error = partizan_svg(&PartizanReport { game: &game, values: None }, 300).unwrap_err();
    assert_eq!(error, PictureError::TooLarge { nodes: 301, limit: 300 });
    let all: Vec<(Vertex, Vertex)> = (0..40).flat_map(|v| (0..40).map(move |w| (v, w))).collect();
    let graph = Graph::new(40, all, []).unwrap();
    let game = PartizanGame { names: lettered(40), graph, start: 0 };
    let error = partizan_svg(&PartizanReport { game: &game, values: None }, 300).unwrap_err();
    assert_eq!(error, PictureError::TooManyArcs { arcs: 1600, limit: 1500 });
}

#[test]
fn letters_continue_after_z_and_never_repeat() {
    let names = lettered(1000);
    assert_eq!(names.len(), 1000);
    assert_eq!([names.name(26), names.name(701), names.name(702)], ["aa", "zz", "aaa"]);
}
