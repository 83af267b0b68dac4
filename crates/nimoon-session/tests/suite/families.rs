//! Tables over several parameters, of partizan games and of scripts; searches, and periods that are found.

use nimoon_session::{Question, Session, Work};
use serde_json::{Value, json};

fn ask(question: &str, fields: &Value) -> Result<Value, String> {
    let (question, _) = Question::read(question, fields.to_string().as_bytes())
        .map_err(|error| error.to_string())?;
    let answer = Session::default().ask(&question, &Work::default());
    let answer = answer.map_err(|error| match error.place {
        Some((line, column)) => format!("{line}:{column}: {error}"),
        None => error.to_string(),
    })?;
    assert_eq!(answer.missing, None, "{fields}");
    Ok(answer.value().unwrap().unwrap())
}

fn table(pattern: &str, range: &str, condition: Option<&str>) -> Vec<Value> {
    let mut fields = json!({"pattern": pattern, "range": range});
    if let Some(condition) = condition {
        fields["where"] = condition.into();
    }
    ask("table", &fields).unwrap().as_array().unwrap().clone()
}

fn error(pattern: &str, range: &str, condition: Option<&str>) -> String {
    let fields = json!({"pattern": pattern, "range": range, "where": condition});
    ask("table", &fields).unwrap_err()
}

#[test]
fn every_choice_of_parameters_is_a_row_with_the_value_it_has_alone() {
    let rows = table("wythoff:{a},{b}", "a=0..4 b=2..5", None);
    assert_eq!(rows.len(), 5 * 4);
    for (place, row) in rows.iter().enumerate() {
        let (a, b) = (place / 4, 2 + place % 4);
        assert_eq!((row["a"].as_u64(), row["b"].as_u64()), (Some(a as u64), Some(b as u64)));
        let alone = nimoon_session::value(&format!("wythoff:{a},{b}")).unwrap();
        assert_eq!(row["value"], alone["value"], "{row}");
        assert_eq!(row["outcome"], alone["outcome"], "{row}");
    }
    let lists = table("octal[{c}]:{n}", "c=0.07,0.77 n=3..5", None);
    assert_eq!(lists[4]["position"], "octal[0.77]:4");
    assert_eq!(lists[4]["c"], "0.77");
    let words = table("green-lime:{w}", "w=words(gl,1..2)", None);
    let texts: Vec<&str> = words.iter().map(|row| row["w"].as_str().unwrap()).collect();
    assert_eq!(texts, ["g", "l", "gg", "gl", "lg", "ll"]);
}

#[test]
fn conditions_filter_rows_by_parameters_and_values() {
    let rows = table("wythoff:{a},{b}", "a=0..8 b=0..8", Some("value = 0 and a <= b"));
    let pairs: Vec<(u64, u64)> =
        rows.iter().map(|row| (row["a"].as_u64().unwrap(), row["b"].as_u64().unwrap())).collect();
    assert_eq!(pairs, [(0, 0), (1, 2), (3, 5), (4, 7)]);
    let moons = table("top-entails", "0..20", Some("value = moon"));
    assert_eq!(moons.iter().map(|row| row["n"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn mistakes_in_parameters_and_conditions_are_named() {
    assert!(error("nim:{a}", "0..3", None).contains("one position"));
    assert!(error("nim:{a}", "b=0..3", None).contains("{b}"));
    assert!(error("wythoff:{a},{b}", "a=0..3", None).contains("nothing is given for b"));
    assert!(error("nim:{a}", "a=0..3 a=0..3", None).contains("twice"));
    assert!(error("nim:{a}", "a=5..2", None).contains("empty"));
    assert!(error("nim:{a}", "a=", None).contains("expected values"));
    assert!(error("nim:{w}", "w=words(gg,3)", None).contains("alphabet"));
    assert!(error("nim:{value}", "value=0..3", None).contains("another"));
    let wrong = error("wythoff:{a},{b}", "a=0..3 b=0..3", Some("a = 1 and c = 2"));
    assert!(wrong.starts_with("1:11:") && wrong.contains("`c`"), "{wrong}");
    let large = error("nim:{a},{b},{c}", "a=0..999 b=0..999 c=0..999", None);
    assert!(large.contains("rows"), "{large}");
}

#[test]
fn partizan_families_have_tables() {
    let rows = table("backsliding:{w}", "w=t.,t.f,t..f", None);
    for row in &rows {
        let alone = nimoon_session::value(row["position"].as_str().unwrap()).unwrap();
        assert_eq!(row["value"], alone["value"], "{row}");
        assert_eq!(row["outcome"], alone["outcome"], "{row}");
    }
}

#[test]
fn the_tables_of_scripts_are_those_of_the_same_rules_built_in() {
    let kayles = "fn options(heap) {
        let moves = [];
        for pins in 1..=2 {
            if pins <= heap { moves.push(heap - pins); moves += splits(heap - pins); }
        }
        moves
    }";
    let parts = include_str!("../../../../examples/rules/kayles.rhai");
    let top = include_str!("../../../../examples/rules/top-entails.rhai");
    let slide = include_str!("../../../../examples/rules/slide.rhai");
    let rows = |pattern: &str, name: &str, source: &str| -> Vec<Value> {
        let given = json!({"rules": {name: source}});
        let fields = json!({"pattern": pattern, "range": "1..30", "given": given});
        let rows = ask("table", &fields).unwrap();
        rows.as_array().unwrap().iter().map(|row| row["value"].clone()).collect()
    };
    let built_in: Vec<Value> =
        table("kayles", "1..30", None).iter().map(|row| row["value"].clone()).collect();
    assert_eq!(rows("mine", "mine", kayles), built_in);
    assert_eq!(rows("mine:{},", "mine", parts), built_in);
    // Neither entailing moves nor cycles are for one pass.
    let built_in: Vec<Value> =
        table("top-entails", "1..30", None).iter().map(|row| row["value"].clone()).collect();
    assert_eq!(rows("mine", "mine", top), built_in);
    let slides = |pattern: &str, given: Value| -> Vec<Value> {
        let fields = json!({"pattern": pattern, "range": "0..20", "given": given});
        let rows = ask("table", &fields).unwrap();
        rows.as_array().unwrap().iter().map(|row| row["value"].clone()).collect()
    };
    let script = slides("mine", json!({"rules": {"mine": slide}}));
    assert_eq!(script, slides("slide[-2,-3,+1;20]", json!({})));
}

#[test]
fn a_search_finds_the_first_row_of_the_table() {
    for (pattern, range, condition) in [
        ("wythoff:{a},{b}", "a=0..12 b=0..12", "value != a xor b"),
        ("wythoff:{a},{b}", "a=1..12 b=1..12", "value = 0 and b > 5"),
        ("kayles", "1..80", "value = 0"),
        ("top-entails", "4..60", "value = 7"),
        ("backsliding:{w}", "w=t.,t.f,t..f", "left_first = R"),
    ] {
        let fields = json!({"pattern": pattern, "range": range, "where": condition});
        let found = ask("search", &fields);
        let found = found.unwrap();
        let rows = table(pattern, range, Some(condition));
        assert_eq!(found["found"], rows.first().cloned().unwrap_or(Value::Null), "{condition}");
        assert_eq!(found["complete"], true);
    }
    // The same seed tries the same rows.
    let random = json!({
        "pattern": "wythoff:{a},{b}", "range": "a=0..30 b=0..30", "where": "value = 7", "random": 200, "seed": 3
    });
    let found = ask("search", &random).unwrap();
    assert_eq!(found, ask("search", &random).unwrap());
    assert_eq!(found["found"]["value"]["n"], 7);
}

#[test]
fn periods_of_scripts_are_found_and_not_claimed() {
    let take =
        "fn options(n) { let m = []; for k in [1, 3, 4] { if k <= n { m.push(n - k); } } m }";
    let fields = json!({"ruleset": "mine", "up_to": 60, "given": {"rules": {"mine": take}}});
    let found = ask("period", &fields).unwrap();
    assert_eq!((found["period"].as_u64(), found["preperiod"].as_u64()), (Some(7), Some(0)));
    assert_eq!((&found["proved"], found["checked_to"].as_u64()), (&Value::Bool(false), Some(60)));
    // The heaps 4, 7, 10, … win beside every nim-heap: move again from 0, or from 1.
    let moons = "fn options(n) { if n > 3 && n % 3 == 1 { [again(0), again(1)] } else if n > 0 { [n - 1] } else { [] } }";
    let fields = json!({"ruleset": "mine", "up_to": 60, "given": {"rules": {"mine": moons}}});
    let found = ask("period", &fields).unwrap();
    assert_eq!(found["moons"]["period"], 3, "{found}");
    let built_in = ask("period", &json!({"ruleset": "kayles"})).unwrap();
    assert_eq!(built_in["proved"], true);
}

#[test]
fn pictures_of_tables_show_one_or_two_parameters() {
    let picture = |pattern: &str, range: &str| {
        let fields = json!({"pattern": pattern, "range": range, "output": "svg"});
        let (question, _) = Question::read("table", fields.to_string().as_bytes()).unwrap();
        let answer = Session::default().ask(&question, &Work::default());
        answer.map(|answer| String::from_utf8(answer.body().unwrap()).unwrap())
    };
    let map = picture("wythoff:{a},{b}", "a=0..4 b=0..4").unwrap();
    assert_eq!(map.matches("<rect").count(), 1 + 25 + 2);
    let points = picture("top-entails", "0..20").unwrap();
    // Two of 21 heaps are moons.
    assert_eq!((points.matches("<circle").count(), points.matches("<path").count()), (19, 2));
    let three = picture("octal[0.{a}{b}]:{c}", "a=1..2 b=1..2 c=0..1").unwrap_err();
    assert!(three.message.contains("one or two parameters"), "{}", three.message);
    let fields = json!({"pattern": "kayles", "range": "0..9", "output": "png"});
    let (question, _) = Question::read("table", fields.to_string().as_bytes()).unwrap();
    let answer = Session::default().ask(&question, &Work::default()).unwrap();
    assert_eq!(answer.media_type(), "image/png");
    assert!(answer.body().unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
}
