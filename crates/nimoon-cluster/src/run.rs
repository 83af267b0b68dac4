//! A run: connects processes, starts workers, and turns all failures into one error.

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards};
use timely::execute::execute_from;
use timely::worker::Worker;

use crate::connect::{Connections, Greeting, connect, keep_watch, say_done};
use crate::exchange::Exchange;
use crate::input::EdgeFiles;
use crate::plan::{Input, Plan, Processes, Progress};
use crate::work::{Task, work};
use crate::{ClusterError, Manifest};

/// How long to wait until the last bytes are sent when everything is done.
const GOODBYE: Duration = Duration::from_secs(10);

/// How long to wait for the reason when a worker has failed.
const AFTERMATH: Duration = Duration::from_secs(2);

/// The callback for the progress of a run.
pub type Watch = Arc<dyn Fn(Progress) + Send + Sync>;

/// The events that the main thread waits for.
enum Event {
    Done(Box<Result<Manifest, ClusterError>>),
    Panicked(String),
    Gone(usize),
}

/// Labels a digraph with the workers of this process and of all others of the plan.
///
/// ```
/// use nimoon_cluster::{Input, Plan, label};
/// let folder = tempfile::tempdir().unwrap();
/// // a ⇄ b → c
/// let file = folder.path().join("trap.edges");
/// std::fs::write(&file, "a b\nb a\nb c\n").unwrap();
/// let mut plan = Plan::new(Input::Files { paths: vec![file], local: false }, folder.path().join("out"));
/// plan.workers = 2;
/// let manifest = label(&plan, std::sync::Arc::new(|_| {})).unwrap();
/// assert_eq!((manifest.nodes, manifest.arcs), (3, 3));
/// assert_eq!(manifest.theory.as_deref(), Some("cyclic"));
/// ```
///
/// # Errors
/// When the plan, the files or the processes do not fit, when a file cannot be written, or when a
/// process is gone. Then workers may still be waiting for each other: the program should end.
pub fn label(plan: &Plan, watch: Watch) -> Result<Manifest, ClusterError> {
    plan.check()?;
    std::fs::create_dir_all(&plan.out).map_err(ClusterError::file(&plan.out))?;
    let files = match &plan.input {
        Input::Files { paths, .. } => Some(EdgeFiles::new(paths, plan.piece)?),
        Input::Expression(_) => None,
    };
    let question = plan.in_words(files.as_ref().map_or(0, EdgeFiles::len));
    let task = Task { plan: plan.clone(), files, question, watch };
    let (events, arrived) = channel();
    let mut connections = None;
    let guards = if let Some(processes) = &plan.processes {
        let (process, all) = plan.process();
        let greeting = Greeting::new(process, all, plan.workers, task.question.clone());
        let mut made = connect(&processes.hosts, &greeting, processes.patience)?;
        let guards = start_cluster(plan, &mut made, processes, task, &events)?;
        connections = Some(made);
        guards
    } else {
        let (builders, other) = timely::CommunicationConfig::Process(plan.workers)
            .try_build()
            .map_err(ClusterError::Failed)?;
        execute_from(builders, other, WorkerConfig::default(), worker(task, events.clone()))
            .map_err(ClusterError::Failed)?
    };
    let mut manifest = None;
    for _ in 0..plan.workers {
        let failed = match arrived.recv() {
            Ok(Event::Done(done)) => match *done {
                Ok(found) => {
                    manifest = Some(found);
                    continue;
                }
                // All workers have the same result.
                Err(error) => {
                    leave(connections, guards);
                    return Err(error);
                }
            },
            Ok(Event::Gone(process)) => gone(plan, process),
            Ok(Event::Panicked(message)) if plan.processes.is_none() => {
                ClusterError::Failed(message)
            }
            // A worker also fails when another process is gone; then that is the error to report.
            Ok(Event::Panicked(message)) => loop {
                match arrived.recv_timeout(AFTERMATH) {
                    Ok(Event::Gone(process)) => break gone(plan, process),
                    Ok(_) => {}
                    Err(_) => break ClusterError::Failed(message),
                }
            },
            Err(_) => ClusterError::Failed("the workers are gone".to_owned()),
        };
        // They may wait for each other for ever.
        std::mem::forget(guards);
        return Err(failed);
    }
    leave(connections, guards);
    manifest.ok_or_else(|| ClusterError::Failed("no worker had an answer".to_owned()))
}

fn gone(plan: &Plan, process: usize) -> ClusterError {
    let address = plan.processes.as_ref().map(|all| all.hosts[process].clone());
    ClusterError::Gone { process, address: address.unwrap_or_default() }
}

/// Starts the workers of one process among several.
fn start_cluster(
    plan: &Plan,
    connections: &mut Connections,
    processes: &Processes,
    task: Task,
    events: &Sender<Event>,
) -> Result<WorkerGuards<()>, ClusterError> {
    let (gone, lost) = channel();
    keep_watch(&connections.control, processes.patience, &gone);
    let sender = events.clone();
    std::thread::spawn(move || {
        while let Ok(process) = lost.recv() {
            if sender.send(Event::Gone(process)).is_err() {
                return;
            }
        }
    });
    let hooks = Hooks::default();
    let builders = ProcessBuilder::new_typed_vector(plan.workers, hooks.refill.clone(), None);
    let sockets = std::mem::take(&mut connections.data);
    let (builders, guard) = initialize_networking_from_sockets(
        builders,
        sockets,
        processes.process,
        plan.workers,
        hooks,
    )
    .map_err(|error| ClusterError::Failed(error.to_string()))?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let worker = worker(task, events.clone());
    execute_from(builders, Box::new(guard), WorkerConfig::default(), worker)
        .map_err(ClusterError::Failed)
}

/// The function of each worker.
fn worker(task: Task, events: Sender<Event>) -> impl Fn(&mut Worker) + Send + Sync + 'static {
    move |worker| {
        let mut exchange = ManuallyDrop::new(Exchange::new(worker));
        // The main thread may have continued without waiting for this message.
        match catch_unwind(AssertUnwindSafe(|| work(&task, &mut exchange))) {
            Ok(done) => {
                drop(ManuallyDrop::into_inner(exchange));
                let _ = events.send(Event::Done(Box::new(done)));
            }
            Err(panic) => {
                let message = panic.downcast_ref::<String>().map(String::as_str);
                let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
                let _ = events.send(Event::Panicked(message.unwrap_or("unknown").to_owned()));
                // If the dataflow ended here, the others would continue without this worker. The
                // program ends now.
                loop {
                    std::thread::park();
                }
            }
        }
    }
}

/// Waits until all messages are on their way, but not for ever.
fn leave(connections: Option<Connections>, guards: WorkerGuards<()>) {
    let (left, waiting) = channel();
    let mut connections = connections;
    if let Some(connections) = &mut connections {
        say_done(&mut connections.control);
    }
    std::thread::spawn(move || {
        // If another process is gone by now, this thread panics, which does no harm.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(guards.join())));
        let _ = left.send(());
    });
    let _ = waiting.recv_timeout(GOODBYE);
}

/// Silences panics in the threads of connections, for the rest of the program.
///
/// Timely panics when a process is gone, and its message may appear in the middle of a line.
/// [`label`] returns the error instead.
pub fn hush_connections() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        if !thread.name().is_some_and(|name| name.starts_with("timely:")) {
            hook(info);
        }
    }));
}
