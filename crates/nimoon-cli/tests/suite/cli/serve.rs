//! `nimoon serve`: the answers are those of the other commands, and it stops when it is asked to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nimoon"))
            .args(["serve", "--port", "0"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("it has an output");
        BufReader::new(stdout).read_line(&mut line).expect("it prints its address");
        let address =
            line.trim().strip_prefix("http://").expect("an address").trim_end_matches('/');
        Self { address: address.to_owned(), child }
    }

    fn exchange(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("there is a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("there is a status"), head.to_owned(), body.to_owned())
    }

    fn ask(&self, path: &str, body: &Value) -> (u16, String) {
        let body = body.to_string();
        let (status, _, answer) = self.exchange(&format!(
            "POST /api/{path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        ));
        (status, answer)
    }

    /// Sends a signal, and gives the exit code.
    fn stop(mut self, signal: &str) -> Option<i32> {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().expect("it is sent");
        assert!(sent.success());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Only what a failed test left running.
        let _ = self.child.kill();
    }
}

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_nimoon")).args(arguments).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

#[test]
#[expect(clippy::too_many_lines, reason = "one list of questions")]
fn the_answers_of_the_server_are_those_of_the_command_line() {
    // The same budget as theirs.
    let server = Server::start(&["--budget", "4000000"]);
    let example = |name: &str| format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let zones = example("zones.game");
    let zones_text = std::fs::read_to_string(&zones).expect("the example is there");
    let digraph = json!({ "text": zones_text });
    let sum = "top-entails:7 + nimstring:1x3 + kayles:9";
    let json = "--format=json";
    let questions: Vec<(Vec<&str>, &str, Value)> = vec![
        (vec!["value", sum, json], "value", json!({ "expression": sum })),
        (vec!["value", sum, "--turns", json], "turns", json!({ "expression": sum })),
        (
            vec!["value", "backsliding:t..f + nim:2", json],
            "value",
            json!({ "expression": "backsliding:t..f + nim:2" }),
        ),
        (
            vec!["value", "nim:3", "--theory", "carry-on", json],
            "value",
            json!({ "expression": "nim:3", "theory": "carry-on" }),
        ),
        (vec!["label", &zones, json], "label", json!({ "digraph": digraph })),
        (
            vec!["label", &zones, "--steps", json],
            "label",
            json!({ "digraph": digraph, "steps": true }),
        ),
        (
            vec!["label", &zones, "--explain", "x", json],
            "label",
            json!({ "digraph": digraph, "explain": "x" }),
        ),
        (
            vec!["label", &zones, "--format", "svg"],
            "label",
            json!({ "digraph": digraph, "output": "svg" }),
        ),
        (
            vec!["label", &zones, "--format", "dot"],
            "label",
            json!({ "digraph": digraph, "output": "dot" }),
        ),
        (
            vec!["label", &zones, "--format", "latex"],
            "label",
            json!({ "digraph": digraph, "output": "latex" }),
        ),
        (
            vec!["label", &zones, "--format", "csv"],
            "label",
            json!({ "digraph": digraph, "output": "csv" }),
        ),
        (
            vec!["sum", &zones, "d", "e", "--turns", json],
            "sum",
            json!({ "digraph": digraph, "nodes": ["d", "e"], "turns": true }),
        ),
        (vec!["loopy", "a{1||a|0}", json], "loopy", json!({ "game": "a{1||a|0}" })),
        (
            vec!["loopy", "upon", "--format", "svg"],
            "loopy",
            json!({ "game": "upon", "output": "svg" }),
        ),
        (vec!["compare", "upon", "over", json], "compare", json!({ "a": "upon", "b": "over" })),
        (
            vec!["table", "top-entails", "0..50", json],
            "table",
            json!({ "pattern": "top-entails", "range": "0..50" }),
        ),
        (
            vec!["table", "octal[0.77]", "5..30", "--format", "csv"],
            "table",
            json!({ "pattern": "octal[0.77]", "range": "5..30", "output": "csv" }),
        ),
        (
            vec!["table", "top-entails", "0..3000", "--moons", json],
            "table",
            json!({ "pattern": "top-entails", "range": "0..3000", "moons": true }),
        ),
        (vec!["period", "octal[0.77]", json], "period", json!({ "ruleset": "octal[0.77]" })),
        (
            vec!["representative", "ninny{1}", json],
            "representative",
            json!({ "value": "ninny{1}" }),
        ),
        (
            vec!["representative", "moon{0,1}", "--format", "svg"],
            "representative",
            json!({ "value": "moon{0,1}", "output": "svg" }),
        ),
    ];
    for (arguments, path, body) in questions {
        let (status, answer) = server.ask(path, &body);
        assert_eq!(status, 200, "{arguments:?}: {answer}");
        assert_eq!(answer.trim_end(), printed(&arguments).trim_end(), "{arguments:?}");
    }
    let explained = "green-lime:0-1g,1-2l,1-3l + nim:2";
    let (_, answer) = server.ask("explain", &json!({ "position": explained }));
    let answer: Value = serde_json::from_str(&answer).expect("it is JSON");
    for reason in ["explanations", "addition", "reason"] {
        assert!(!answer[reason].is_null(), "{reason}");
    }
    let known: Value =
        serde_json::from_str(&printed(&["value", explained, "--explain", json])).expect("JSON");
    assert_eq!(answer, known);
    let list = format!(
        "GET /api/rulesets HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        server.address
    );
    assert_eq!(server.exchange(&list).2.trim_end(), printed(&["rulesets", json]).trim_end());
    assert_eq!(server.stop("-INT"), Some(0));
}

#[test]
fn the_server_listens_on_this_machine_alone_and_stops_cleanly() {
    let server = Server::start(&[]);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let page = format!("GET / HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.address);
    let (status, head, body) = server.exchange(&page);
    assert_eq!(status, 200);
    assert!(head.to_lowercase().contains("content-security-policy:"), "{head}");
    assert!(body.contains("<title>nimoon</title>"));
    // One who is connected and says nothing does not hold it up.
    let _idle = TcpStream::connect(&server.address).expect("it listens");
    assert_eq!(server.stop("-INT"), Some(0));
    let server = Server::start(&["--time", "60", "--budget", "18446744073709551615"]);
    let address = server.address.clone();
    let busy = std::thread::spawn(move || {
        let body = r#"{"expression":"nimstring:5x5"}"#;
        let mut stream = TcpStream::connect(&address).expect("it listens");
        let request = format!(
            "POST /api/value HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    });
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(server.stop("-TERM"), Some(0), "work under way does not hold it up");
    let answer = busy.join().expect("it ends");
    assert!(answer.is_empty() || answer.contains("stopping"), "{answer}");
}

#[test]
fn a_server_that_cannot_listen_says_why() {
    let server = Server::start(&[]);
    let port = server.address.rsplit(':').next().expect("there is a port").to_owned();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_nimoon")).args(arguments).output();
        let output = output.expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, reply) = run(&["serve", "--port", &port]);
    assert_eq!(code, Some(1));
    assert!(
        reply.starts_with("error: 127.0.0.1:") && reply.contains("choose another by --port"),
        "{reply}"
    );
    let (code, reply) = run(&["serve", "--port", "0", "--allow-origin", "*"]);
    assert_eq!(code, Some(2));
    assert!(reply.contains("invalid origin `*`"), "{reply}");
    assert_eq!(server.stop("-HUP"), Some(0));
}
