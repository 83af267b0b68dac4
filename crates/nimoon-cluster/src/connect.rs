//! Connections between processes: two for each pair, one for timely and one as a heartbeat.
//!
//! timely waits for its peers for ever, and accepts any peer. So this module makes the connections,
//! with a time limit and a greeting that has version, numbers and question; timely gets the sockets
//! when all agree. On the second connection every process sends a heartbeat each second. A process
//! is gone if it sends nothing for long, or closes the connection before it has reported the end of
//! its work.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::ClusterError;

/// The version of the protocol; raised with every change.
const PROTOCOL: u32 = 2;

/// The time between heartbeats.
const BEAT: Duration = Duration::from_secs(1);

const ALIVE: u8 = b'.';
const DONE: u8 = b'!';

/// The longest greeting.
const MOST_BYTES: usize = 1 << 16;

/// The first message of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Greeting {
    /// The program, its version and the protocol.
    nimoon: String,
    process: usize,
    processes: usize,
    workers: usize,
    /// The question, in words.
    question: String,
    /// Whether this connection is for timely.
    data: bool,
}

impl Greeting {
    pub(crate) fn new(process: usize, processes: usize, workers: usize, question: String) -> Self {
        let nimoon = format!("nimoon {}, protocol {PROTOCOL}", env!("CARGO_PKG_VERSION"));
        Self { nimoon, process, processes, workers, question, data: false }
    }

    /// Checks that another greeting fits.
    fn check(&self, other: &Self) -> Result<(), ClusterError> {
        let pairs = [
            (&self.nimoon, &other.nimoon),
            (&format!("{} processes", self.processes), &format!("{} processes", other.processes)),
            (&format!("--workers {}", self.workers), &format!("--workers {}", other.workers)),
            (&self.question, &other.question),
        ];
        match pairs.into_iter().find(|(ours, theirs)| ours != theirs) {
            None => Ok(()),
            Some((ours, theirs)) => Err(ClusterError::Differs {
                process: other.process,
                theirs: theirs.chars().take(300).collect(),
                ours: ours.clone(),
            }),
        }
    }
}

/// The connections of one process.
pub(crate) struct Connections {
    /// For each process except this one.
    pub(crate) data: Vec<Option<TcpStream>>,
    pub(crate) control: Vec<Option<TcpStream>>,
}

/// Connects to all others: calls those with lower numbers, and answers those with higher ones.
pub(crate) fn connect(
    hosts: &[String],
    greeting: &Greeting,
    patience: Duration,
) -> Result<Connections, ClusterError> {
    let (process, deadline) = (greeting.process, Instant::now() + patience);
    let address = &hosts[process];
    for host in hosts {
        let found = host
            .to_socket_addrs()
            .map_err(|error| ClusterError::UnknownHost { address: host.clone(), error })?;
        drop(found);
    }
    let listener = TcpListener::bind(address)
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .map_err(|error| ClusterError::Listen { address: address.clone(), error })?;
    let none = || hosts.iter().map(|_| None).collect::<Vec<Option<TcpStream>>>();
    let mut all = Connections { data: none(), control: none() };
    let absent = |process: usize| ClusterError::Absent {
        process,
        address: hosts[process].clone(),
        seconds: patience.as_secs(),
    };
    let silent = |process: usize| ClusterError::Silent {
        process,
        address: hosts[process].clone(),
        seconds: patience.as_secs(),
    };
    // Higher numbers wait for lower ones, so first calling and then answering terminates.
    for lower in 0..process {
        for data in [false, true] {
            let greeting = Greeting { data, ..greeting.clone() };
            let stream = loop {
                match call(&hosts[lower], lower, &greeting, deadline)? {
                    CallResult::Answered(stream) => break stream,
                    _ if Instant::now() < deadline => {
                        std::thread::sleep(Duration::from_millis(50));
                    }
                    CallResult::Silent => return Err(silent(lower)),
                    CallResult::Nobody => return Err(absent(lower)),
                }
            };
            let place = if data { &mut all.data } else { &mut all.control };
            place[lower] = Some(stream);
        }
    }
    let missing = |all: &Connections| {
        (process + 1..hosts.len())
            .find(|&higher| all.data[higher].is_none() || all.control[higher].is_none())
    };
    while let Some(next) = missing(&all) {
        if Instant::now() >= deadline {
            return Err(absent(next));
        }
        match listener.accept() {
            Ok((stream, _)) => {
                if let Some((other, stream)) = answer(stream, greeting, deadline)? {
                    let place = if other.data { &mut all.data } else { &mut all.control };
                    if other.process > process
                        && let Some(place) = place.get_mut(other.process)
                    {
                        *place = Some(stream);
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error) => {
                return Err(ClusterError::Listen { address: address.clone(), error });
            }
        }
    }
    Ok(all)
}

/// The result of a call.
enum CallResult {
    Answered(TcpStream),
    /// A program answered, but not as a process of nimoon.
    Silent,
    Nobody,
}

/// Calls another process.
fn call(
    host: &str,
    process: usize,
    greeting: &Greeting,
    deadline: Instant,
) -> Result<CallResult, ClusterError> {
    let mut called = CallResult::Nobody;
    let wait = deadline.saturating_duration_since(Instant::now()).clamp(BEAT, 5 * BEAT);
    let Ok(addresses) = host.to_socket_addrs() else { return Ok(called) };
    for address in addresses {
        let Ok(mut stream) = TcpStream::connect_timeout(&address, wait) else { continue };
        if send(&mut stream, greeting).is_err() {
            continue;
        }
        // The other process may be waiting for a third.
        let Some(other) = receive(&mut stream, deadline) else {
            called = CallResult::Silent;
            continue;
        };
        greeting.check(&other)?;
        if other.process != process {
            return Err(ClusterError::Differs {
                process,
                theirs: format!("--process {} at {host}", other.process),
                ours: format!("--process {process} for it in the hosts file"),
            });
        }
        return Ok(CallResult::Answered(stream));
    }
    Ok(called)
}

/// Answers a caller; none if it is not a process of nimoon.
fn answer(
    mut stream: TcpStream,
    greeting: &Greeting,
    deadline: Instant,
) -> Result<Option<(Greeting, TcpStream)>, ClusterError> {
    if stream.set_nonblocking(false).is_err() {
        return Ok(None);
    }
    let soon = deadline.min(Instant::now() + 5 * BEAT);
    let Some(other) = receive(&mut stream, soon) else { return Ok(None) };
    // This greeting is sent before the other one is checked, so that both processes know what
    // differs.
    if send(&mut stream, greeting).is_err() {
        return Ok(None);
    }
    greeting.check(&other)?;
    Ok(Some((other, stream)))
}

fn send(stream: &mut TcpStream, greeting: &Greeting) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut line = serde_json::to_string(greeting)?;
    line.push('\n');
    stream.write_all(line.as_bytes())
}

/// Reads a greeting byte by byte, so that nothing after it is lost; none if it does not arrive in
/// time.
fn receive(stream: &mut TcpStream, deadline: Instant) -> Option<Greeting> {
    let mut line = Vec::new();
    let mut byte = [0];
    while byte[0] != b'\n' && line.len() < MOST_BYTES {
        let left = deadline.saturating_duration_since(Instant::now());
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1)))).ok()?;
        match stream.read(&mut byte) {
            Ok(1) if Instant::now() < deadline => line.push(byte[0]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => return None,
        }
    }
    stream.set_read_timeout(None).ok()?;
    serde_json::from_slice(&line).ok()
}

/// Sends a heartbeat every second, and listens to the others: sends the number of a process that is
/// gone to `gone`.
pub(crate) fn keep_watch(control: &[Option<TcpStream>], patience: Duration, gone: &Sender<usize>) {
    for (process, stream) in control.iter().enumerate() {
        let Some(stream) = stream else { continue };
        if let Ok(mut stream) = stream.try_clone() {
            std::thread::spawn(move || {
                while stream.write_all(&[ALIVE]).is_ok() {
                    std::thread::sleep(BEAT);
                }
            });
        }
        let (stream, gone) = (stream.try_clone(), gone.clone());
        std::thread::spawn(move || {
            let Ok(mut stream) = stream else { return };
            let _ = stream.set_read_timeout(Some(patience.max(5 * BEAT)));
            let mut byte = [0];
            loop {
                match stream.read(&mut byte) {
                    Ok(1) if byte[0] == DONE => return,
                    Ok(1..) => {}
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    // The main thread may have continued without waiting for this.
                    Ok(0) | Err(_) => {
                        let _ = gone.send(process);
                        return;
                    }
                }
            }
        });
    }
}

/// Reports that the work is done.
pub(crate) fn say_done(control: &mut [Option<TcpStream>]) {
    for stream in control.iter_mut().flatten() {
        // A process that is gone does not need this message.
        let _ = stream.write_all(&[DONE]);
    }
}
