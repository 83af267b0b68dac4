//! The API, asked without a network: who may ask, what is refused, and within which limits.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use nimoon_web::{Limits, Settings, router};
use serde_json::{Value, json};
use tower::ServiceExt;

const HOST: &str = "127.0.0.1:6174";

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    fn kind(&self) -> String {
        self.json()["error"]["kind"].as_str().expect("it is an error").to_owned()
    }
}

async fn send(router: &Router, request: Request<Body>) -> Answer {
    let response = router.clone().oneshot(request).await.expect("there is an answer");
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.expect("it is read");
    let body = String::from_utf8(bytes.to_vec()).expect("it is text");
    Answer { status: parts.status, headers: parts.headers, body }
}

fn post(path: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::post(path).header(header::HOST, HOST);
    let request = request.header(header::CONTENT_TYPE, "application/json");
    request.body(body.into()).expect("it is a request")
}

fn get(path: &str) -> Request<Body> {
    Request::get(path).header(header::HOST, HOST).body(Body::empty()).expect("it is a request")
}

fn server() -> Router {
    router(Settings::default())
}

async fn ask(path: &str, body: Value) -> Answer {
    send(&server(), post(path, body.to_string())).await
}

fn limited(limits: Limits) -> Router {
    router(Settings { limits, ..Settings::default() })
}

#[tokio::test]
async fn every_answer_has_the_strict_headers() {
    let server = server();
    let requests = [
        get("/"),
        get("/app.js"),
        get("/nothing"),
        get("/api/rulesets"),
        get("/api/nothing"),
        post("/api/value", r#"{"expression":"nim:3"}"#),
        post("/api/value", "{"),
        Request::get("/").header(header::HOST, "evil.example").body(Body::empty()).unwrap(),
    ];
    for request in requests {
        let path = request.uri().to_string();
        let answer = send(&server, request).await;
        let has = |name: &str| answer.headers[name].to_str().unwrap().to_owned();
        let policy = has("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
            "{path}"
        );
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(has("x-content-type-options"), "nosniff");
        assert_eq!(has("x-frame-options"), "DENY");
        assert_eq!(has("referrer-policy"), "no-referrer");
        assert_eq!(has("cross-origin-resource-policy"), "same-origin");
        assert!(!answer.headers.contains_key("access-control-allow-origin"), "{path}");
    }
}

#[tokio::test]
async fn frames_are_allowed_only_if_the_settings_say_so() {
    let server = router(Settings { frames: true, ..Settings::default() });
    let answer = send(&server, get("/")).await;
    let policies: Vec<_> = answer.headers.get_all("content-security-policy").iter().collect();
    assert_eq!(policies.len(), 1);
    let policy = policies[0].to_str().unwrap();
    assert!(policy.contains("frame-ancestors *") && policy.contains("script-src 'self'"));
    assert!(!answer.headers.contains_key("x-frame-options"));
}

#[tokio::test]
async fn only_addresses_and_known_names_are_served() {
    let server = server();
    for host in ["127.0.0.1:6174", "localhost:6174", "LOCALHOST", "[::1]:6174", "192.168.0.7:80"] {
        let request = Request::get("/").header(header::HOST, host).body(Body::empty()).unwrap();
        assert_eq!(send(&server, request).await.status, StatusCode::OK, "{host}");
    }
    for host in
        ["evil.example", "127.0.0.1.evil.example:6174", "localhost.evil.example", "[::1", ""]
    {
        let request = Request::get("/").header(header::HOST, host).body(Body::empty()).unwrap();
        let answer = send(&server, request).await;
        assert_eq!(
            (answer.status, answer.kind()),
            (StatusCode::FORBIDDEN, "origin".into()),
            "{host}"
        );
    }
    let named = router(Settings { host: "games.example".into(), ..Settings::default() });
    let request =
        Request::get("/").header(header::HOST, "games.example:6174").body(Body::empty()).unwrap();
    assert_eq!(send(&named, request).await.status, StatusCode::OK);
}

#[tokio::test]
async fn pages_of_other_origins_may_ask_only_if_they_were_allowed() {
    let from = |origin: &str| {
        let mut request = post("/api/value", r#"{"expression":"nim:3"}"#);
        request.headers_mut().insert(header::ORIGIN, origin.parse().unwrap());
        request
    };
    let server = server();
    assert_eq!(send(&server, from("http://127.0.0.1:6174")).await.status, StatusCode::OK);
    for origin in ["https://evil.example", "http://127.0.0.1:9999", "http://localhost:6174", "null"]
    {
        let answer = send(&server, from(origin)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{origin}");
        assert!(answer.body.contains("--allow-origin"), "{}", answer.body);
    }
    let origins = vec!["https://good.example".parse().unwrap()];
    let open = router(Settings { origins, ..Settings::default() });
    let answer = send(&open, from("https://good.example")).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.headers["access-control-allow-origin"], "https://good.example");
    let asked = Request::options("/api/value")
        .header(header::HOST, HOST)
        .header(header::ORIGIN, "https://good.example")
        .body(Body::empty())
        .unwrap();
    let answer = send(&open, asked).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(answer.headers["access-control-allow-headers"], "content-type");
    assert_eq!(send(&open, from("https://evil.example")).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn requests_of_the_wrong_shape_get_an_error() {
    let server = server();
    for (body, reply) in [
        ("", "EOF"),
        ("{", "EOF"),
        ("[]", "expected an object"),
        (r#"["nim:3"]"#, "expected an object"),
        (r#"{"expression":3}"#, "expected a string"),
        (r#"{"expr":"nim:3"}"#, "unknown field `expr`"),
        (
            r#"{"expression":"nim:3","tim":1}"#,
            "unknown field `tim`, expected one of `expression`, `theory`, `given`, `turn`, \
             `budget`, `memory`, `time`",
        ),
        (r#"{"expression":"nim:3","budget":1,"tim":1}"#, "`budget`, `memory`, `time`"),
        (r#"{"expression":"nim:3","limit":5}"#, "unknown field `limit`"),
        (r#"{"budget":1,"expression":3}"#, "expected a string"),
        (
            r#"{"expression":"nim:3","budget":-1}"#,
            "`budget` is a whole number of positions from 0 on, not -1",
        ),
        (
            r#"{"expression":"nim:3","memory":1.5}"#,
            "`memory` is a whole number of bytes from 0 on, not 1.5",
        ),
        (
            r#"{"expression":"nim:3","time":"soon"}"#,
            "`time` is a number of seconds from 0 on, not \\\"soon\\\"",
        ),
        (r#"{"expression":"nim:3","budget":1,"budget":2}"#, "duplicate field `budget`"),
        (r#"{"expression":"nim:3","budget":1} x"#, "trailing characters"),
        (r#"{"expression":"nim:3","theory":"best"}"#, "unknown theory `best`"),
        ("\u{0}\u{1}", "expected value"),
    ] {
        let answer = send(&server, post("/api/value", body)).await;
        assert_eq!(
            (answer.status, answer.kind()),
            (StatusCode::BAD_REQUEST, "request".into()),
            "{body}"
        );
        assert!(answer.body.contains(reply), "{body}: {}", answer.body);
        assert!(answer.json()["error"]["line"].is_u64(), "{body}");
    }
    for (path, body, reply) in [
        ("/api/turns", r#"{"expression":"nim:3","limit":100000}"#, "at most 1000 turns"),
        ("/api/turns", r#"{"expression":"nim:3","limit":-1}"#, "a whole number from 0 on"),
        ("/api/sum", r#"{"digraph":{"text":"a: b"},"nodes":["a"],"limit":5}"#, "set `turns`"),
    ] {
        let answer = send(&server, post(path, body)).await;
        assert_eq!((answer.status.as_u16(), answer.kind().as_str()), (400, "request"), "{body}");
        assert!(answer.body.contains(reply), "{body}: {}", answer.body);
    }
    let limited = r#"{"digraph":{"text":"a: b"},"nodes":["a"],"turns":true,"limit":5}"#;
    assert_eq!(send(&server, post("/api/sum", limited)).await.status, StatusCode::OK);
    let mut plain = post("/api/value", r#"{"expression":"nim:3"}"#);
    plain.headers_mut().insert(header::CONTENT_TYPE, "text/plain".parse().unwrap());
    assert_eq!(send(&server, plain).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(send(&server, get("/api/value")).await.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(send(&server, post("/api/none", "{}")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(send(&server, post("/", "{}")).await.status, StatusCode::METHOD_NOT_ALLOWED);
    let deep = format!(r#"{{"game":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(send(&server, post("/api/loopy", deep)).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn oversized_requests_are_refused() {
    let server = limited(Limits { body: 1000, ..Limits::default() });
    let long = json!({ "expression": "nim:3 + ".repeat(1000) }).to_string();
    let answer = send(&server, post("/api/value", long)).await;
    assert_eq!((answer.status, answer.kind()), (StatusCode::PAYLOAD_TOO_LARGE, "too-large".into()));
}

#[tokio::test]
async fn errors_have_their_place_in_the_text() {
    let answer = ask("/api/value", json!({ "expression": "nim:3 +\nnym:4" })).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let error = &answer.json()["error"];
    assert_eq!((error["kind"].as_str(), error["line"].as_u64()), (Some("input"), Some(2)));
    assert_eq!(error["column"], 1);
    let text = json!({ "digraph": { "text": "a: b\na: c\n" } });
    let answer = ask("/api/label", text).await;
    assert_eq!((answer.json()["error"]["line"].as_u64(), answer.kind()), (Some(2), "input".into()));
    let answer = ask("/api/loopy", json!({ "game": "{0|" })).await;
    assert_eq!(
        (answer.json()["error"]["column"].as_u64(), answer.kind()),
        (Some(4), "input".into())
    );
    let answer = ask("/api/period", json!({ "ruleset": "octal[0.9]" })).await;
    assert_eq!(answer.json()["error"]["column"], 9);
    let answer = ask("/api/table", json!({ "pattern": "nim", "range": "5..2" })).await;
    assert!(answer.body.contains("did you mean 2..5?"), "{}", answer.body);
    let answer = ask("/api/moves", json!({ "position": "nim:2", "moves": [0, 5] })).await;
    assert!(answer.body.contains("there is no move 5 at place 1"), "{}", answer.body);
}

#[tokio::test]
async fn no_file_of_the_disk_is_read() {
    let there = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/zones.game");
    assert!(std::path::Path::new(there).exists());
    for name in [there, "/etc/passwd", "../../examples/zones.game", "examples/zones.game"] {
        for ruleset in ["digraph", "ladders"] {
            let expression = format!("{ruleset}[{name}]:a");
            for (path, body) in [
                ("/api/value", json!({ "expression": expression })),
                ("/api/turns", json!({ "expression": expression })),
                ("/api/explain", json!({ "position": expression })),
                ("/api/moves", json!({ "position": expression })),
                ("/api/engine", json!({ "game": { "position": expression } })),
                ("/api/table", json!({ "pattern": format!("{ruleset}[{name}]"), "range": "0..3" })),
            ] {
                let answer = ask(path, body).await;
                assert_eq!(
                    (answer.status.as_u16(), answer.kind()),
                    (422, "file".into()),
                    "{path} {name}"
                );
                assert!(answer.body.contains("given.files"), "{}", answer.body);
            }
        }
    }
    for game in [there, "@/etc/passwd", "/etc/passwd", "-", "examples/carousel.json"] {
        let answer = ask("/api/loopy", json!({ "game": game })).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{game}: {}", answer.body);
        assert_eq!(answer.kind(), "input", "{game}");
    }
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/assets/app.js",
        "/views/../../src/lib.rs",
        "//etc/passwd",
    ] {
        assert_eq!(send(&server(), get(path)).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn files_and_scripts_that_come_with_the_request_are_read() {
    let given = json!({ "files": { "my.game": "gray g\nz:\nc: c g\ng: z\n" } });
    let asked = json!({ "expression": "digraph[my.game]:c", "given": given });
    let answer = ask("/api/value", asked).await.json();
    assert_eq!(answer["value"], json!({ "kind": "ninny", "forced": 0 }));
    let script = include_str!("../../../examples/rules/kayles.rhai");
    let asked = json!({ "expression": "pins:9", "given": { "rules": { "pins": script } } });
    assert_eq!(ask("/api/value", asked).await.json()["value"]["n"], 4);
    let asked = json!({ "expression": "pins:9", "given": { "rules": { "pins": "fn options(" } } });
    assert_eq!(ask("/api/value", asked).await.kind(), "input");
    let endless =
        "fn read(text) { loop {} }\nfn write(position) { \"\" }\nfn options(position) { [] }";
    let asked = json!({ "expression": "pins:9", "given": { "rules": { "pins": endless } } });
    assert_eq!(ask("/api/value", asked).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let endless = "loop {}\nfn options(position) { [] }";
    let asked = json!({ "expression": "pins:9", "given": { "rules": { "pins": endless } } });
    assert_eq!(ask("/api/value", asked).await.kind(), "budget");
}

#[tokio::test]
async fn a_budget_that_is_hit_is_an_answer_where_something_is_known() {
    let server = limited(Limits { positions: 0, ..Limits::default() });
    let text = include_str!("../../../examples/general.game");
    let body = json!({ "digraph": { "text": text } }).to_string();
    let answer = send(&server, post("/api/label", body)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert!(answer.json()["nodes"].is_array());
    assert!(answer.headers["nimoon-budget"].to_str().unwrap().contains("positions was hit"));
    let body = json!({ "expression": "green-lime:glglglgl" }).to_string();
    let answer = send(&server, post("/api/value", body)).await;
    assert_eq!((answer.status.as_u16(), answer.kind()), (422, "budget".into()));
}

#[tokio::test]
async fn a_request_may_set_limits_of_its_own_and_those_of_the_server_hold() {
    let lime = |limits: Value| {
        let mut asked = json!({ "expression": "green-lime:glglglgl" });
        asked.as_object_mut().unwrap().extend(limits.as_object().unwrap().clone());
        asked
    };
    let whole = ask("/api/value", lime(json!({}))).await;
    assert_eq!(whole.status, StatusCode::OK, "{}", whole.body);
    // Limits that are wide enough change nothing.
    let wide = lime(json!({ "budget": 1_u64 << 50, "memory": 1_u64 << 40, "time": 1e6 }));
    let wide = ask("/api/value", wide).await;
    assert_eq!((wide.status, &wide.body), (StatusCode::OK, &whole.body));
    let reply = |answer: &Answer| (answer.status.as_u16(), answer.kind());
    for (limits, expected) in [
        (json!({ "budget": 1 }), (422, "budget")),
        (json!({ "memory": 1 }), (422, "budget")),
        (json!({ "time": 0 }), (422, "time")),
        (json!({ "time": -1 }), (400, "request")),
        (json!({ "budget": "many" }), (400, "request")),
        (json!({ "budget": 1_000_000, "patience": 1 }), (400, "request")),
    ] {
        let answer = ask("/api/value", lime(limits.clone())).await;
        let (status, kind) = reply(&answer);
        assert_eq!((status, kind.as_str()), expected, "{limits}: {}", answer.body);
    }
    let server = limited(Limits { positions: 1, ..Limits::default() });
    let asked = lime(json!({ "budget": 1_000_000 })).to_string();
    let answer = send(&server, post("/api/value", asked)).await;
    assert_eq!(reply(&answer), (422, "budget".into()));
}

#[tokio::test]
async fn labels_that_are_known_in_time_are_an_answer() {
    let text = include_str!("../../../examples/general.game");
    let asked = json!({ "digraph": { "text": text }, "memory": 600 });
    let answer = ask("/api/label", asked).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert!(answer.headers["nimoon-budget"].to_str().unwrap().contains("memory was hit"));
    assert!(answer.json()["nodes"].is_array());
}

#[tokio::test]
async fn what_a_request_holds_is_read_within_its_limits() {
    let digraph = json!({ "text": "a: b\nb: a c" });
    let graph = json!({ "left": [["a", "a"]], "right": [], "start": "a" });
    for (path, asked) in [
        ("/api/label", json!({ "digraph": digraph, "output": "game" })),
        ("/api/sum", json!({ "digraph": digraph, "nodes": ["a"] })),
        ("/api/loopy", json!({ "game": graph })),
        ("/api/compare", json!({ "a": graph, "b": "0" })),
    ] {
        let within = |memory: u64| {
            let mut asked = asked.clone();
            asked["memory"] = memory.into();
            ask(path, asked)
        };
        let answer = within(1).await;
        assert_eq!((answer.status.as_u16(), answer.kind().as_str()), (422, "budget"), "{path}");
        let answer = within(1 << 30).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_requests_end_and_quick_ones_do_not_wait_for_them() {
    let limits = Limits {
        time: Duration::from_secs(4),
        positions: u64::MAX,
        slow: 1,
        waiting: 2,
        ..Limits::default()
    };
    let server = limited(limits);
    let slow = |n: u32| {
        let server = server.clone();
        let body = json!({ "expression": format!("nimstring:5x5 + nim:{n}") }).to_string();
        tokio::spawn(async move { send(&server, post("/api/value", body)).await })
    };
    let slow: Vec<_> = (0..8).map(slow).collect();
    tokio::time::sleep(Duration::from_millis(700)).await;
    for n in 0..50 {
        let body = json!({ "expression": format!("nim:{n}") }).to_string();
        let answer = send(&server, post("/api/value", body)).await;
        assert_eq!(answer.json()["value"]["n"], n);
    }
    assert!(slow.iter().any(|slow| !slow.is_finished()), "the slow ones are still at work");
    let mut kinds = Vec::new();
    for slow in slow {
        let answer = slow.await.expect("it ends");
        assert!(matches!(answer.status.as_u16(), 422 | 503), "{}", answer.status);
        if answer.status == StatusCode::SERVICE_UNAVAILABLE {
            assert!(answer.headers.contains_key("retry-after"));
        }
        kinds.push(answer.kind());
    }
    assert!(kinds.iter().any(|kind| kind == "time"), "{kinds:?}");
    assert!(kinds.iter().filter(|kind| *kind == "busy").count() >= 5, "{kinds:?}");
    // The lane is free again.
    let body = json!({ "pattern": "nim", "range": "0..600" }).to_string();
    assert_eq!(send(&server, post("/api/table", body)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_game_is_played_by_the_numbers_of_its_moves() {
    let asked =
        |moves: Value| json!({ "position": "lights:1b1s1b + top-entails:4", "moves": moves });
    let start = ask("/api/moves", asked(json!([]))).await.json();
    let number = |state: &Value, words: &str| {
        let moves = state["moves"].as_array().expect("there are moves");
        let found = moves.iter().find(|made| made["words"] == words);
        found.unwrap_or_else(|| panic!("no `{words}` in {moves:?}"))["move"].clone()
    };
    let socket = number(&start, "remove socket 1");
    let again = ask("/api/moves", asked(json!([socket]))).await.json();
    assert_eq!((&again["duty"]["kind"], &again["mover"]), (&json!("again"), &json!(0)));
    let top = number(&again, "remove the top token of the heap of 4, which entails");
    let due = ask("/api/moves", asked(json!([socket, top]))).await.json();
    assert_eq!(due["duty"], json!({ "kind": "answer", "component": 1 }));
    assert_eq!(due["parts"][1][0], json!({ "place": 0, "position": "top-entails:3", "due": true }));
    assert!(due["moves"].as_array().unwrap().iter().all(|made| made["component"] == 1));
    assert_eq!(due["played"].as_array().unwrap().len(), 2);
    assert_eq!(due["played"][1]["entails"], true);
}

#[tokio::test]
async fn the_engine_plays_to_the_end_and_wins_what_is_won() {
    let server = server();
    for (position, winner) in [
        ("nim:3 + nim:5", 0),
        ("nim:4 + nim:4", 1),
        ("top-entails:5 + nim:2", 0),
        ("nimstring:2x2 + nim:1", 0),
    ] {
        let game = |moves: &[u64]| json!({ "position": position, "moves": moves, "players": ["engine", "engine"] });
        let mut moves = Vec::new();
        loop {
            let asked = json!({ "game": game(&moves) }).to_string();
            let made = send(&server, post("/api/engine", asked)).await.json();
            let Some(made) = made["move"].as_u64() else { break };
            moves.push(made);
            assert!(moves.len() < 100);
        }
        let end = send(&server, post("/api/moves", game(&moves).to_string())).await.json();
        let outcome = ask("/api/value", json!({ "expression": position })).await.json();
        let expected = i32::from(outcome["outcome"] != "N");
        assert_eq!(end["ending"], json!({ "kind": "stuck", "winner": expected }), "{position}");
        assert_eq!(expected, winner, "{position}");
    }
}

#[tokio::test]
async fn explanations_add_the_values_and_say_what_the_turn_leaves() {
    let position = "green-lime:0-1g,1-2l,1-3g,2-3g + green-lime:lg + green-lime:0-1l,1-2g,1-3l + \
                    green-lime:0-1g,1-2l,1-3l";
    let reply = ask("/api/explain", json!({ "position": position })).await.json();
    let steps = reply["addition"].as_array().expect("the values add");
    let cells: Vec<_> =
        steps.iter().map(|step| (step["row"].as_str(), step["column"].as_str())).collect();
    assert_eq!(
        cells,
        [
            (Some("ninny"), Some("nimber")),
            (Some("ninny"), Some("cyclic")),
            (Some("cyclic"), Some("moon"))
        ]
    );
    assert_eq!(steps[2]["total"], reply["value"]);
    let left: Vec<_> = reply["reason"]["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["value"]["n"].as_u64())
        .collect();
    assert_eq!(left, [Some(0), Some(2), Some(2), Some(0)]);
    assert_eq!(reply["reason"]["outcome"], "P");
    let sentences = reply["reason"]["sentences"].to_string();
    assert!(sentences.contains("0 ⊕ 2 ⊕ 2 ⊕ 0 = 0"), "{sentences}");
}

#[tokio::test]
async fn drawings_have_labels_arcs_and_zones() {
    let text = include_str!("../../../examples/zones.game");
    let asked =
        |output: &str| json!({ "digraph": { "text": text }, "steps": true, "output": output });
    let drawing = ask("/api/label", asked("drawing")).await.json();
    let labels = ask("/api/label", asked("json")).await.json();
    assert_eq!(drawing["theory"], labels["theory"]);
    assert_eq!(drawing["nodes"], labels["nodes"]);
    let name = |node: &Value| {
        let place = usize::try_from(node.as_u64().expect("a place")).unwrap();
        drawing["nodes"][place]["node"].as_str().unwrap().to_owned()
    };
    let pairs = |arcs: &Value| -> Vec<[String; 2]> {
        arcs.as_array().unwrap().iter().map(|arc| [name(&arc[0]), name(&arc[1])]).collect()
    };
    let named: Vec<(String, Vec<[String; 2]>)> = drawing["zones"]
        .as_array()
        .unwrap()
        .iter()
        .map(|zone| {
            let nodes: String = zone["nodes"].as_array().unwrap().iter().map(name).collect();
            (nodes, pairs(&zone["exits"]))
        })
        .collect();
    let arc = |from: &str, to: &str| [from.to_owned(), to.to_owned()];
    assert_eq!(
        named,
        [
            ("ch".to_owned(), vec![arc("c", "g")]),
            ("de".to_owned(), vec![arc("d", "b"), arc("e", "a")])
        ]
    );
    let digraph = ask("/api/label", asked("digraph")).await.json();
    assert_eq!(digraph["gray"], json!(["g", "h"]));
    assert_eq!(digraph["arcs"], json!(pairs(&drawing["arcs"])));
    let again = json!({ "digraph": { "text": digraph.to_string(), "format": "json" }, "output": "digraph" });
    assert_eq!(ask("/api/label", again).await.json(), digraph);
}

#[tokio::test]
async fn each_node_is_labelled_by_the_smallest_theory_of_what_it_reaches() {
    let digraph = json!({ "text": "gray g\nz:\na: z\ng: z a\nc: c g\n" });
    let asked = |output| json!({ "digraph": digraph, "smallest": true, "output": output });
    let labels = ask("/api/label", asked("json")).await.json();
    assert_eq!(labels["theory"], "general");
    let nodes = labels["nodes"].as_array().unwrap();
    let reply = |key: &str| nodes.iter().map(|node| node[key].clone()).collect::<Vec<_>>();
    assert_eq!(reply("node"), ["z", "a", "g", "c"]);
    assert_eq!(reply("theory"), ["short", "short", "entailing", "general"]);
    assert_eq!(reply("text")[..2], ["0", "1"]);
    assert_eq!(ask("/api/label", asked("drawing")).await.json()["nodes"], labels["nodes"]);
    let whole = ask("/api/label", json!({ "digraph": digraph })).await.json();
    assert_eq!(whole["nodes"][0]["value"], json!({ "kind": "nimber", "n": 0 }));
    assert_eq!(whole["nodes"][0].get("theory"), None);
    let explained = json!({ "digraph": digraph, "smallest": true, "explain": "a" });
    assert_eq!(ask("/api/label", explained).await.json()["theory"], "short");
    let both = json!({ "digraph": digraph, "smallest": true, "theory": "general" });
    assert_eq!(ask("/api/label", both).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_digraph_is_read_even_where_the_theory_does_not_fit() {
    let asked = |output: &str| json!({ "digraph": { "text": "a: a\n" }, "theory": "short", "output": output });
    assert_eq!(ask("/api/label", asked("digraph")).await.status, StatusCode::OK);
    let answer = ask("/api/label", asked("drawing")).await;
    assert_eq!((answer.status, answer.kind()), (StatusCode::UNPROCESSABLE_ENTITY, "input".into()));
    assert!(answer.body.contains("the cyclic theory fits"), "{}", answer.body);
}

#[tokio::test]
async fn the_vertices_of_loopy_games_are_listed_on_request() {
    let plain = ask("/api/loopy", json!({ "game": "upon" })).await.json();
    assert!(plain.get("given").is_none() && plain["sides"]["onside"].get("values").is_none());
    let upon = ask("/api/loopy", json!({ "game": "upon", "vertices": true })).await.json();
    assert_eq!(upon["sides"]["onside"]["values"], json!(["upon", "*", "0"]));
    assert_eq!(upon["sides"]["offside"]["values"], upon["sides"]["onside"]["values"]);
    let tis = json!({ "game": "tis{tisn{|tis}|}", "vertices": true });
    let tis = ask("/api/loopy", tis).await.json();
    assert_eq!(tis["given"]["graph"]["nodes"], json!(["a", "b"]));
    assert_eq!(tis["given"]["values"], json!(["1 & 0", "0 & -1"]));
    assert_eq!(tis["sides"]["onside"]["values"], json!(["1", "0"]));
    assert_eq!(tis["canonical"], Value::Null);
    // A game that is given by its sides has no graph, and a long path is not reply vertex by vertex.
    let sides = ask("/api/loopy", json!({ "game": "1 & 0", "vertices": true })).await.json();
    assert_eq!(sides["given"], Value::Null);
    let long = ask("/api/loopy", json!({ "game": "1000", "vertices": true })).await.json();
    assert_eq!(long["sides"]["onside"]["values"], Value::Null);
    assert_eq!(long["given"], Value::Null);
    // What is drawn can be asked about again.
    let again = json!({ "game": tis["given"]["graph"] });
    assert_eq!(ask("/api/loopy", again).await.json()["text"], "1 & 0");
}

#[tokio::test]
async fn exceptional_heaps_are_listed_where_they_are_asked_for() {
    let plain = ask("/api/period", json!({ "ruleset": "kayles" })).await.json();
    assert!(plain.get("exceptions").is_none());
    let asked = json!({ "ruleset": "kayles", "exceptions": true });
    let reply = ask("/api/period", asked).await.json();
    let exceptions = json!([0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70]);
    assert_eq!((&reply["period"], &reply["preperiod"]), (&json!(12), &json!(71)));
    assert_eq!(reply["exceptions"], exceptions);
    let asked = json!({ "ruleset": "grundys-game", "up_to": 500, "exceptions": true });
    let reply = ask("/api/period", asked).await.json();
    assert_eq!((&reply["period"], &reply["exceptions"]), (&Value::Null, &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_takes_too_long_has_the_rows_that_were_found() {
    // Three heaps may be left, so that the time grows with the cube of the last row.
    let server = limited(Limits { time: Duration::from_millis(500), ..Limits::default() });
    let body = json!({ "pattern": "hexadecimal[0.FFFF]", "range": "0..100000" }).to_string();
    let answer = send(&server, post("/api/table", body)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert!(answer.headers["nimoon-budget"].to_str().unwrap().contains("stopped"));
    let rows = answer.json();
    let rows = rows.as_array().expect("it is a list");
    assert!((1..100_001).contains(&rows.len()), "{}", rows.len());
    assert_eq!(rows[0]["position"], "hexadecimal[0.FFFF]:0");
    let answer = ask("/api/table", json!({ "pattern": "nim", "range": "0..100001" })).await;
    assert_eq!((answer.status.as_u16(), answer.kind()), (422, "input".into()));
    assert!(answer.body.contains("the rows go to 100000 here"), "{}", answer.body);
}

#[tokio::test]
async fn every_path_is_described_and_every_described_path_is_served() {
    let document = send(&server(), get("/api/openapi.json")).await.json();
    let described: Vec<String> = document["paths"].as_object().unwrap().keys().cloned().collect();
    let questions = nimoon_session::Question::NAMES.iter().chain(&["openapi.json"]);
    let mut served: Vec<String> = questions.map(|name| format!("/api/{name}")).collect();
    served.sort();
    let mut sorted = described.clone();
    sorted.sort();
    assert_eq!(sorted, served);
    let source = document.to_string();
    for name in
        source.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next())
    {
        assert!(document["components"]["schemas"][name].is_object(), "{name}");
    }
}

#[tokio::test]
async fn pages_are_not_sent_twice() {
    let server = server();
    let first = send(&server, get("/app.js")).await;
    let mut again = get("/app.js");
    again.headers_mut().insert(header::IF_NONE_MATCH, first.headers["etag"].clone());
    let again = send(&server, again).await;
    assert_eq!((again.status, again.body.as_str()), (StatusCode::NOT_MODIFIED, ""));
}
