//! Any number of workers resume the reading or exploration of an interrupted run.
//!
//! Nodes have no numbers then, only their places in the orders of arrival of the workers of that
//! run. So the places of all names are requested again, and the reader of a part knows where its
//! nodes are now. Arcs lead to nodes of other parts, whose readers are asked.

use nimoon_formats::Names;

use crate::ClusterError;
use crate::build::{Builder, Place};
use crate::checkpoint::{Complete, Records};
use crate::exchange::{Exchange, joined};

/// How many nodes are processed at once.
const NODES_AT_ONCE: usize = 1 << 16;

/// Which nodes are processed.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    Expanded,
    Others,
}

/// The parts that this worker reads.
struct Reading<'a> {
    set: &'a Complete,
    workers_of_process: usize,
    parts: Vec<usize>,
    /// Where the nodes of these parts are now.
    places: Vec<Vec<Place>>,
}

/// Resumes everything, and returns the number of expanded nodes of this worker, which are the first
/// ones.
pub(crate) fn building(
    exchange: &mut Exchange<'_>,
    builder: &mut Builder,
    set: &Complete,
    workers_of_process: usize,
) -> Result<usize, ClusterError> {
    let parts = set.parts();
    let places = vec![Vec::new(); parts.len()];
    let mut reading = Reading { set, workers_of_process, parts, places };
    reading.names(exchange, builder, Which::Expanded)?;
    let expanded = builder.len();
    reading.names(exchange, builder, Which::Others)?;
    reading.arcs(exchange, builder)?;
    Ok(expanded)
}

/// Opens a part, and returns its number of nodes, and how many of them were expanded.
fn open(set: &Complete, part: usize) -> Result<(Records, usize, usize), ClusterError> {
    let mut records = set.part(part)?;
    let mut record = Vec::new();
    records.next(&mut record)?;
    match record[..] {
        [nodes, expanded] if expanded <= nodes => Ok((records, nodes as usize, expanded as usize)),
        _ => Err(records.damaged()),
    }
}

impl Reading<'_> {
    /// Finds places for names.
    fn names(
        &mut self,
        exchange: &mut Exchange<'_>,
        builder: &mut Builder,
        which: Which,
    ) -> Result<(), ClusterError> {
        let mut now: Option<(Records, usize)> = None;
        let mut next = 0;
        loop {
            let (mut names, mut gray) = (Names::default(), Vec::new());
            let mut of = None;
            let mut read = || {
                if now.is_none() && next < self.parts.len() {
                    let (mut records, nodes, expanded) = open(self.set, self.parts[next])?;
                    let mut record = Vec::new();
                    let (skipped, left) = match which {
                        Which::Expanded => (0, expanded),
                        Which::Others => (expanded, nodes - expanded),
                    };
                    for _ in 0..skipped {
                        records.next(&mut record)?;
                    }
                    now = Some((records, left));
                    next += 1;
                }
                let Some((records, left)) = &mut now else { return Ok(()) };
                of = Some(next - 1);
                let mut record = Vec::new();
                for _ in 0..NODES_AT_ONCE.min(*left) {
                    records.next(&mut record)?;
                    let (name, is_gray) =
                        Builder::kept_name(&record).ok_or_else(|| records.damaged())?;
                    let node = names.try_intern(&name).ok_or(ClusterError::TooManyNodes)?;
                    if is_gray {
                        gray.push(node);
                    }
                    *left -= 1;
                }
                if *left == 0 {
                    now = None;
                }
                Ok(())
            };
            let done = read();
            exchange.agree(done)?;
            let mut tally = [u64::from(of.is_some())];
            exchange.add_up(&mut tally);
            if tally[0] == 0 {
                return Ok(());
            }
            let places = builder.places(exchange, &names, &gray)?;
            if let Some(part) = of {
                self.places[part].extend(places);
            }
        }
    }

    /// Sends the arcs to the workers that have their sources now.
    fn arcs(&self, exchange: &mut Exchange<'_>, builder: &mut Builder) -> Result<(), ClusterError> {
        let mut waiting = (0..).zip(&self.parts);
        let mut now: Option<(usize, Records)> = None;
        let mut outbox = exchange.outbox(1);
        loop {
            // The arcs of one record all lead to nodes of one part.
            let mut arcs: Vec<(Place, u32)> = Vec::new();
            let mut target = None;
            let mut read = || {
                if now.is_none()
                    && let Some((place, &part)) = waiting.next()
                {
                    let (mut records, nodes, _) = open(self.set, part)?;
                    let mut record = Vec::new();
                    for _ in 0..nodes {
                        records.next(&mut record)?;
                    }
                    now = Some((place, records));
                }
                let Some((part, records)) = &mut now else { return Ok(false) };
                let mut record = Vec::new();
                if !records.next(&mut record)? {
                    now = None;
                    return Ok(true);
                }
                let damaged = || records.damaged();
                let (&to, pairs) = record.split_first().ok_or_else(damaged)?;
                let process = self.set.reader(to as usize).ok_or_else(damaged)?;
                for pair in pairs.chunks_exact(2) {
                    let from = self.places[*part].get(pair[0] as usize).ok_or_else(damaged)?;
                    arcs.push((*from, pair[1]));
                }
                target = Some((to, process * self.workers_of_process));
                Ok(true)
            };
            let more = read();
            let more = exchange.agree(more)?;
            if let Some((part, reader)) = target {
                let list = outbox.list(0, reader);
                list.extend(arcs.iter().map(|&(_, to)| to));
                list.push(part);
            }
            let mut tally = [u64::from(more)];
            let mut inbox = exchange.step(&mut outbox, &mut tally);
            if tally[0] == 0 {
                return Ok(());
            }
            let mut answered = Ok(());
            for from in 0..exchange.workers() {
                let mut asked = joined(&mut inbox, from as u32, 0);
                let Some(part) = asked.pop() else { continue };
                let places = self.parts.iter().position(|&own| own == part as usize);
                let places = places.map_or(&[][..], |place| &self.places[place]);
                let reply = outbox.list(0, from);
                for to in asked {
                    match places.get(to as usize) {
                        Some(place) => reply.extend([place.worker, place.arrival]),
                        None => answered = Err(self.set.is_damaged()),
                    }
                }
            }
            exchange.agree(answered)?;
            let mut replies = exchange.step(&mut outbox, &mut []);
            let words = match target {
                Some((_, reader)) => joined(&mut replies, reader as u32, 0),
                None => Vec::new(),
            };
            let place = |pair: &[u32]| Place { worker: pair[0], arrival: pair[1] };
            let arcs = arcs.iter().zip(words.chunks_exact(2));
            builder.add_arcs(exchange, arcs.map(|(&(from, _), to)| (from, place(to))));
        }
    }
}
