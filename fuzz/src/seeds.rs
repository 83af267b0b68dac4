//! The seeds of the fuzzer: the examples and verified cases of the repository, and the words of the
//! notations.

use std::fs;
use std::path::{Path, PathBuf};

use nimoon_formats::read::{Format, read};
use nimoon_session::catalogue;
use serde_json::Value as Json;

use crate::Target;
use crate::digraph::Plain;
use crate::targets::{MOST_NODES, graph_bytes};

/// The first inputs of a target.
///
/// ```
/// let seeds = nimoon_fuzz::seeds("game");
/// assert!(seeds.iter().any(|seed| seed.windows(5).any(|part| part == b"gray ")));
/// ```
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let lines = |text: &str| -> Vec<Vec<u8>> {
        text.lines().map(|line| line.as_bytes().to_vec()).collect()
    };
    match target {
        // A digraph, the kind of forgery, and bytes for it.
        "forged" => {
            let small = digraphs().into_iter().filter(|plain| plain.fits(4)).take(60);
            let forged = (0..).zip(small).map(|(number, plain): (u8, Plain)| {
                [&*plain.bytes(), &[number, number.wrapping_mul(7), 4, 9, 1, number]].concat()
            });
            forged.collect()
        }
        "labels" | "turns" => digraphs().iter().map(Plain::bytes).collect(),
        "together" => digraphs().iter().map(|plain| [&[0, 0], &*plain.bytes()].concat()).collect(),
        "certificate" => certificates(),
        "sides" => loopy_graphs(),
        "checkpoint" | "store" => (0..=15).map(|what| vec![what]).collect(),
        "rulesets" => expressions(),
        // Slow seeds give slow variations.
        "expressions" => expressions()
            .into_iter()
            .filter(|seed| seed.len() < 40 && seed != b"nimstring:3x3")
            .collect(),
        "periods" => lines(PERIODS),
        "cluster" => {
            let files = lines(CLUSTER).into_iter().zip([0, 0, 1, 1, 2, 2]);
            let files = files.map(|(line, what): (Vec<u8>, u8)| [&[what], &*line].concat());
            // The change to a part: of which question, moment and worker, and at which place.
            let parts =
                (0..60).map(|n: u8| vec![3, n % 12, n % 5, n / 5, n % 2, n, 1, n.wrapping_mul(7)]);
            files.chain(parts).collect()
        }
        "tables" => tables(),
        // The examples are longer than inputs may be, so they are cut off.
        "scripts" => {
            let mut scripts = files(&["examples/rules"], &["rhai"]);
            scripts.extend(lines(SCRIPTS));
            scripts
        }
        "api" => requests(),
        "loopy" => lines(LOOPY),
        "affine" => lines(AFFINE),
        "ordinals" => lines(ORDINALS),
        "compounds" => lines(COMPOUNDS),
        "values" => lines(VALUES),
        "unicycles" => lines("L\nLLRR\nLLLRLRRRLR"),
        "partizan" => vec![
            fs::read(root().join("examples/over.json")).unwrap_or_default(),
            br#"{"nodes":["a","b"],"left":[["a","b"]],"right":[["a","a"]],"start":"a"}"#.to_vec(),
            // Vertices are numbered again at the end.
            br#"{"start":"a","right":[["a","b"]],"left":[["b","a"]],"nodes":["b","a"]}"#.to_vec(),
        ],
        format => match format.parse::<Format>() {
            Ok(format) => files(&["examples", "examples/formats"], format.extensions()),
            Err(_) => Vec::new(),
        },
    }
}

/// The words of a target, in the format of libFuzzer.
///
/// ```
/// assert!(nimoon_fuzz::dictionary("loopy").contains("\"Tiny(\"\n"));
/// ```
pub fn dictionary(target: &str) -> String {
    let words: Vec<&str> = match target {
        "json" | "partizan" => JSON_WORDS.to_vec(),
        "game" | "edges" => GAME_WORDS.to_vec(),
        "dot" => DOT_WORDS.to_vec(),
        "aut" | "pgsolver" => vec!["des (", "parity ", "start ", "\"i\"", ";", ",", "4294967295"],
        "expressions" | "rulesets" | "tables" | "periods" => {
            catalogue().iter().map(|entry| entry.name).chain(POSITION_WORDS).collect()
        }
        "scripts" => SCRIPT_WORDS.to_vec(),
        "api" => [API_WORDS, JSON_WORDS].concat(),
        "loopy" => LOOPY_WORDS.to_vec(),
        "affine" => vec!["oo", "-oo", "moon", "+-", "∞", "−", "☾", "±", "...", "…", ">=", "≥", "~"],
        "ordinals" => ORDINAL_WORDS.to_vec(),
        "compounds" => {
            vec!["conjunctive(", "selective(", "disjunctive(", "\"node 2\"", "\\\"", "a"]
        }
        "values" => {
            vec!["full-moon", "moon{", "ninny{", "oo{", "all but {", "∞*", "☾", "○", "₀", "₁,₂"]
        }
        "checkpoint" => CHECKPOINT_WORDS.to_vec(),
        "certificate" => CERTIFICATE_WORDS.to_vec(),
        "cluster" => {
            vec!["127.0.0.1:2101", "\n", "#", "\"shards\":", "\"nimoon_manifest\":1", "\t"]
        }
        _ => Vec::new(),
    };
    let escaped = |word: &str| {
        let byte = |byte: u8| match byte {
            b'"' | b'\\' => format!("\\{}", char::from(byte)),
            b' '..=b'~' => char::from(byte).to_string(),
            _ => format!("\\x{byte:02x}"),
        };
        format!("\"{}\"\n", word.bytes().map(byte).collect::<String>())
    };
    words.into_iter().map(escaped).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files with these extensions in some folders of the repository.
fn files(folders: &[&str], extensions: &[&str]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(root().join(folder)).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let extension = path.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| extensions.contains(&extension)) {
                found.extend(fs::read(&path).ok());
            }
        }
    }
    found
}

fn json(file: &str) -> Json {
    let text = fs::read_to_string(root().join(file)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// The digraphs of the verified cases and of the examples that are small enough.
fn digraphs() -> Vec<Plain> {
    let mut sources: Vec<Vec<u8>> = Vec::new();
    for file in ["golden/carry_on.json", "golden/entailing.json"] {
        let cases = json(file)["cases"].as_array().cloned().unwrap_or_default();
        sources.extend(cases.iter().map(|case| case["digraph"].to_string().into_bytes()));
    }
    let read_all = |format, sources: Vec<Vec<u8>>| {
        let games = sources.into_iter().filter_map(move |source| read(format, &source).ok());
        games.filter_map(|source| Some(Plain::of(&source.into_game().ok()?.digraph)))
    };
    let examples = read_all(Format::Game, files(&["examples"], &["game"]));
    let plain = read_all(Format::Json, sources).chain(examples);
    plain.filter(|plain| plain.fits(MOST_NODES)).collect()
}

/// The certificates of the examples, one of each other kind, and small digraphs whose certificates
/// are changed.
fn certificates() -> Vec<Vec<u8>> {
    let whole = files(&["examples/certificates"], &["json"]);
    let written = CERTIFICATES.lines().map(|line| line.as_bytes().to_vec());
    let whole = whole.into_iter().chain(written).map(|file| [&[0], &*file].concat());
    let small = digraphs().into_iter().filter(|plain| plain.fits(3)).take(60);
    let changed = (0..).zip(small).map(|(number, plain): (u8, Plain)| {
        // A theory, pieces, and changes.
        let rest = [number % 6, number % 3, 1, 0, number, 7 * number, 3, number, 9, 40];
        [&[1], &*plain.bytes(), &rest].concat()
    });
    // Two nodes and an arc, with a forged strategy that happens to be true; and the same on a
    // cycle, where its ranks do not fall.
    let arc = vec![1, 0, 1, 2, 1, 0, 0, 1, 0, 0, 0, 33, 0, 4, 0, 0];
    let circle = vec![1, 0, 1, 2, 1, 2, 0, 0, 1, 0, 0, 0, 33, 0, 4, 0, 0];
    whole.chain(changed).chain([arc, circle]).collect()
}

/// The verified loopy games that are small enough.
fn loopy_graphs() -> Vec<Vec<u8>> {
    let lists = |json: &Json| -> Vec<Vec<usize>> {
        serde_json::from_value(json.clone()).unwrap_or_default()
    };
    let games = json("golden/loopy.json")["games"].as_array().cloned().unwrap_or_default();
    games.iter().filter_map(|game| graph_bytes(&lists(&game["L"]), &lists(&game["R"]))).collect()
}

/// The examples of all rulesets, and the positions of the verified values.
fn expressions() -> Vec<Vec<u8>> {
    let examples = catalogue().into_iter().map(|entry| entry.example.as_bytes().to_vec());
    let values = fs::read_to_string(root().join("golden/rulesets/values.txt")).unwrap_or_default();
    let positions = values.lines().filter(|line| !line.starts_with('#'));
    let positions = positions.filter_map(|line| line.split_once(" = "));
    let positions = positions.map(|(position, _)| position.trim().as_bytes().to_vec());
    let others = SUMS.lines().map(|line| line.as_bytes().to_vec());
    examples.chain(positions).chain(others).collect()
}

fn tables() -> Vec<Vec<u8>> {
    let rulesets =
        ["nim", "kayles", "top-entails", "octal[0.156]", "subtraction[1,3,4]", "grundys-game"];
    let patterns = ["wythoff:{},3", "nimstring:1x{}", "lights:{}b2s", "nim:{} + kayles:{}"];
    let all = rulesets.into_iter().chain(patterns);
    all.map(|pattern| format!("{pattern}\n0..9\n---").into_bytes()).collect()
}

/// A request for each path.
fn requests() -> Vec<Vec<u8>> {
    let examples = catalogue().into_iter().map(|entry| {
        let mut body = serde_json::json!({"expression": entry.example});
        // The server reads no files: the files that an example names come with it.
        let named = entry.example.split(['[', ']']).nth(1).unwrap_or_default();
        if let Ok(file) = fs::read_to_string(root().join(named)) {
            body["given"] = serde_json::json!({"files": {named: file}});
        }
        format!("value\n{body}")
    });
    REQUESTS
        .lines()
        .map(|line| line.replacen('|', "\n", 1))
        .chain(examples)
        .map(String::into_bytes)
        // A longer one would be cut off.
        .filter(|request| Target::find("api").is_some_and(|api| request.len() <= api.most))
        .collect()
}

const REQUESTS: &str = r#"value|{"expression":"nim:3 + kayles:5","theory":"auto"}
value|{"expression":"digraph[a.game]:a","given":{"files":{"a.game":"gray g\na: b g\n"}},"budget":100,"memory":1000000,"time":1}
explain|{"position":"green-lime:lg","moves":[0],"players":["person","engine"]}
turns|{"expression":"top-entails:7 + nim:2","limit":5}
moves|{"position":"nim:3 + nim:5","moves":[1,2]}
engine|{"game":{"position":"kayles:7"},"skill":10,"seed":3}
label|{"digraph":{"text":"{\"nodes\":[\"a\",\"b\"],\"gray\":[\"g\"],\"arcs\":[[\"a\",\"b\"],[\"a\",\"g\"]]}","format":"json"},"explain":"a"}
label|{"digraph":{"text":"gray g\na: g\n"},"output":"svg","steps":true,"around":"a","radius":1,"max_nodes":5}
sum|{"digraph":{"text":"a b\nb a\n","format":"edges"},"nodes":["a","b"],"turns":true,"limit":3}
loopy|{"game":"a{1||a|0}","vertices":true}
loopy|{"game":{"nodes":["a","b"],"left":[["a","b"]],"right":[["a","a"]],"start":"a"},"output":"svg","as_given":true}
compare|{"a":"over","b":"upon"}
table|{"pattern":"top-entails","range":"0..20","moons":true,"output":"csv"}
table|{"pattern":"take","range":"0..4","given":{"rules":{"take":"fn options(n) { if n > 1 { [n - 1, again(n - 2)] } else { [] } }"}}}
period|{"ruleset":"octal[0.156]","up_to":500,"exceptions":true}
representative|{"value":"ninny{1}","output":"dot"}
GET /api/rulesets|
GET /api/openapi.json|
GET /|
OPTIONS /api/value|"#;

const SUMS: &str = "nim:3 + nim:5\nordinal[nim | kayles]:2 | 3\ndigraph[a.game]:a\ndigraph[a.json]:d + nim:2
backsliding:t..f + nim:2\nfox-geese:2x3/f../.g.\nslide[-2,-3,+1;20]:7\noctal[0.77]:3,4\nnimstring:1x1/10/01";

const PERIODS: &str = "kayles\noctal[0.156]\nhexadecimal[4.3F]\nsubtraction[1,3,4]\n0.77\n.3f0\ngrundys-game\nofficers";

/// Moves to positions of every kind.
const SCRIPTS: &str = r#"fn options(p) { if p > 1 { [p - 1, again(p - 2), entails(0)] } else { [] } }
fn options(p) { [[p], [p, 1], []] }
fn options(p) { ["5", "=a", "x\\y"] }
fn options(p) { [#{a: p}, #{"b c": [p, "d"]}, true] }"#;

const CLUSTER: &str = r#"127.0.0.1:2101
# two
{"nimoon_manifest":1,"theory":"carry-on","remoteness":null,"nodes":1,"gray":0,"arcs":0,"checksum":"","starts":[],"histogram":[],"shards":[{"file":"a","nodes":1,"checksum":""}]}
{"nimoon_manifest":2}
a
 !"#;

const LOOPY: &str = "{0||0|-2}\n^*\n*2\n+-1\non & off\nover\nupon\na{0|a}\na{1||a|0}\n{0|pass}\nTiny(2)\nMiny(1)\n3*^
-5/8\n^<2>\nv[on]\n1:*\n{0,*|*2,^}\nover + under\n2*(upon - *)";

const AFFINE: &str =
    "{{oo|0},0|{0|-oo},0}\n{{oo|*2},-1|moon}\n{0|}\n+-oo\n-moon\n*2 + *3\n{{oo|0},0|...}\nmoon ~ 0
{oo|0} >= *\n1 - 2\n+-{oo|-1}";

const ORDINALS: &str =
    "w^2*3 + w + 5\nnim(w, w + 3, 5)\nnatural(w^w, w)\n1 + w = w\nselective(dollars(1,2), w)
conjunctive(dollars100(2,5), 3)\nnimproduct(w, 3)\nw^w^2 < w^w*2\n2^w";

const COMPOUNDS: &str = "selective(conjunctive(a,\"node 2\"),a)\ndisjunctive(a)\na";

const VALUES: &str =
    "0\nfull-moon\nmoon{0,1}\nninny{2}\noo{0,2}\noo{}\n☾₀\n∞*₀\n∞₀,₂\n○\nmoon\nnew-moon
all but {0}\n{1,2}\nwin all but {0}, loss {0}, draw {}";

const JSON_WORDS: &[&str] = &[
    "\"nodes\"",
    "\"gray\"",
    "\"arcs\"",
    "\"terminals\"",
    "\"player\"",
    "\"left\"",
    "\"right\"",
    "\"start\"",
    "\"win\"",
    "\"lose\"",
    "\"draw\"",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\\"",
    "[[\"a\",\"b\"]]",
    "{\"",
    "null",
    "-9223372036854775808",
];
const GAME_WORDS: &[&str] = &[
    "gray ", "win ", "lose ", "draw ", "payoff ", "left ", "right ", "a: b", "#", "\r\n",
    "\u{feff}",
];
const DOT_WORDS: &[&str] = &[
    "digraph ",
    "strict ",
    "subgraph ",
    "node ",
    "edge ",
    "->",
    "[gray]",
    "[color=gray]",
    "[style=filled,fillcolor=\"#808080\"]",
    "<b>",
    "/*",
    "*/",
    "//",
    "\\",
    "\\\"",
    "\"\\\\\"",
    ":n",
    "{",
    "}",
    ";",
];
const POSITION_WORDS: [&str; 14] = [
    " + ", "[0.77]", "[1,3,4]", ":", "{}", "0..9", "1x2", "/10/01", "0-1g", "1-2l", "!3", "b2s",
    " | ", ".json]",
];
const SCRIPT_WORDS: &[&str] = &[
    "fn options(p) {",
    "fn parts(p) {",
    "fn canonical(p) {",
    "fn read(text) {",
    "fn write(p) {",
    "fn words(a, b) {",
    "to(",
    "again(",
    "entails(",
    "let ",
    "loop {",
    "while true {",
    "for n in 0..p {",
    "[p].map(|q| ",
    "#{a: ",
    "throw ",
    "try {",
    "} catch {",
    ".push(",
    ".sort(",
    "switch p {",
    "range(",
    "return ",
];
const API_WORDS: &[&str] = &[
    "\"expression\":",
    "\"position\":",
    "\"moves\":",
    "\"players\":",
    "\"theory\":",
    "\"given\":",
    "\"files\":",
    "\"rules\":",
    "\"limit\":",
    "\"budget\":",
    "\"memory\":",
    "\"time\":",
    "\"game\":",
    "\"skill\":",
    "\"seed\":",
    "\"digraph\":",
    "\"text\":",
    "\"format\":",
    "\"steps\":",
    "\"explain\":",
    "\"output\":",
    "\"around\":",
    "\"radius\":",
    "\"max_nodes\":",
    "\"nodes\":",
    "\"turns\":",
    "\"vertices\":",
    "\"as_given\":",
    "\"a\":",
    "\"b\":",
    "\"pattern\":",
    "\"range\":",
    "\"moons\":",
    "\"ruleset\":",
    "\"up_to\":",
    "\"exceptions\":",
    "\"value\":",
    "\"auto\"",
    "\"person\"",
    "\"engine\"",
    "\"svg\"",
    "\"edges\"",
    "nim:3",
    "value\n",
    "explain\n",
    "turns\n",
    "moves\n",
    "engine\n",
    "label\n",
    "sum\n",
    "loopy\n",
    "compare\n",
    "table\n",
    "period\n",
    "representative\n",
];
const LOOPY_WORDS: &[&str] = &[
    "on", "off", "over", "under", "upon", "dud", "pass", "Tiny(", "Miny(", "^[on]", "v<on>",
    "^<2>", "+-", "||", "|||", " & ", "a{0|a}", "1/2", "2*", "^^", "vv*", "+-(1,",
];
const ORDINAL_WORDS: &[&str] = &[
    "w",
    "w^w",
    "omega",
    "nim(",
    "natural(",
    "nimproduct(",
    "dollars(",
    "dollars100(",
    "conjunctive(",
    "selective(",
    "<=",
    "!=",
    "340282366920938463463374607431768211455",
];
const CERTIFICATES: &str = r#"{"certificate":"table","version":1,"ruleset":"kayles","first":0,"values":[0,1,2,3,1]}
{"certificate":"table","version":1,"ruleset":"top-entails","first":1,"values":[{"kind":"moon"},0]}
{"certificate":"remoteness","version":1,"misere":false,"nodes":["a","b"],"options":[[],[0]],"distance":[0,1],"remoteness":[0,1]}
{"certificate":"labels","version":1,"theory":"short","rules":["nim"],"nodes":["no moves","nim:1"],"gray":[],"options":[[],[0]],"values":[0,1],"order":[0,1]}
{"certificate":"loopy","version":1,"given":{"nodes":["a"],"left":[],"right":[],"start":0},"stopper":true,"remoteness":[[0,0]],"onside":null,"offside":null}"#;
const CERTIFICATE_WORDS: &[&str] = &[
    "\"certificate\":\"",
    "\"labels\"",
    "\"comparison\"",
    "\"partizan-remoteness\"",
    "\"rules\":[\"",
    "\"ranks\":[[",
    "\"sum\":{\"pieces\":[",
    "\"strategy\":[{\"at\":[",
    "octal[0.",
    "hexadecimal[4.F",
    "subtraction[1,18446744073709551615]",
    "answer in ",
    " beside ",
    "4294967295",
    "18446744073709551615",
];
const CHECKPOINT_WORDS: &[&str] = &[
    "nimoon table, checkpoint format 1\n",
    "program 1\n",
    "table top-entails:{}\n",
    "theory auto\n",
    "files 0000000000000007\n",
    "rows of heaps from 0\n",
    "rows explored from 0\n",
    "moon\n",
    "end 2 ",
    "carry-on moon{0,1}\n",
    "general -\n",
    "18446744073709551615\n",
];
