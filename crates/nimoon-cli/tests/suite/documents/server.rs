//! `nimoon serve`, asked as `curl` would ask it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// The address in the documents, in place of which the tests take any port that is free.
const SHOWN: &str = "http://127.0.0.1:6174";

pub struct Server {
    child: Child,
    address: String,
}

impl Server {
    pub fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nimoon"))
            .args(["serve", "--port", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("it has an output");
        BufReader::new(stdout).read_line(&mut line).expect("it prints its address");
        let address = line.trim().strip_prefix("http://").expect("an address");
        Self { address: address.trim_end_matches('/').to_owned(), child }
    }

    /// The answer to a command `curl` with these arguments: an address, and `-s`, `-H` and `-d` as
    /// they are written in the documents. Nothing needs to be installed for it.
    pub fn curl(&self, arguments: &[String]) -> String {
        let (mut path, mut header, mut body) = (None, String::new(), None);
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "-s" => {}
                "-H" => header = format!("{}\r\n", arguments.next().expect("a header")),
                "-d" => body = Some(arguments.next().expect("a body")),
                address => path = Some(address.strip_prefix(SHOWN).expect(address)),
            }
        }
        let method = if body.is_some() { "POST" } else { "GET" };
        let (path, body) = (path.expect("an address"), body.cloned().unwrap_or_default());
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{header}content-length: {}\r\nconnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer.split_once("\r\n\r\n").expect("there is a body").1.to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
