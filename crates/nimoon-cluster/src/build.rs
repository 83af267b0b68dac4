//! Builds each worker's share of the digraph from names and arcs.
//!
//! A node belongs to the worker that has its shard. A worker that finds a name sends it to that
//! worker, which gives the node a place in the order of arrival. Names are compared as text, so two
//! nodes are never merged. An arc goes to the worker of its source, which drops repetitions and
//! counts the options. Then it goes to the worker of its target, and stays in the rows there. At
//! the end, nodes are numbered again, by shard and name.

use nimoon_formats::{Names, Source};

use crate::ClusterError;
use crate::checkpoint::Sink;
use crate::exchange::{Exchange, Parcel, joined, push_bytes, take_bytes};
use crate::rows::Rows;
use crate::shards::{Number, Ranges, owners, shard_of, shards_of};

/// A bit in the length of a name: the node is gray.
const GRAY: u32 = 1 << 31;

/// How many arcs a worker sends in a superstep. Arcs on their way take memory at both ends, so
/// there are few compared with those that stay.
const ARCS_AT_ONCE: usize = 1 << 18;

/// How many names a worker sends in a superstep.
const NAMES_AT_ONCE: usize = 1 << 18;

/// How many arcs there are in a record of a checkpoint.
const ARCS_IN_RECORD: usize = 1 << 16;

/// A node on the way to its number: its worker, and its place in the order of arrival there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) worker: u32,
    pub(crate) arrival: u32,
}

/// The state of a worker while names and arcs arrive.
pub(crate) struct Builder {
    shards: usize,
    owners: Vec<u32>,
    /// The names of this worker's nodes, in the order of arrival.
    names: Names,
    gray: Vec<bool>,
    /// By the worker of the target: arcs from a node here to one there, by their places in the
    /// orders of arrival.
    arcs: Vec<Vec<u64>>,
}

impl Builder {
    pub(crate) fn new(exchange: &Exchange<'_>, shards: usize) -> Self {
        let owners = owners(exchange.workers(), shards);
        let arcs = vec![Vec::new(); exchange.workers()];
        Self { shards, owners, names: Names::default(), gray: Vec::new(), arcs }
    }

    /// How many nodes this worker has.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of a node of this worker.
    pub(crate) fn name(&self, arrival: u32) -> String {
        self.names.name(arrival).into_owned()
    }

    /// Finds the places of names. All workers call this at the same time, some of them without
    /// names.
    pub(crate) fn places(
        &mut self,
        exchange: &mut Exchange<'_>,
        names: &Names,
        gray: &[u32],
    ) -> Result<Vec<Place>, ClusterError> {
        let mut is_gray = vec![false; names.len()];
        for &node in gray {
            is_gray[node as usize] = true;
        }
        let mut places = Vec::with_capacity(names.len());
        let mut waiting = names.iter().zip(&is_gray);
        let mut outbox = exchange.outbox(1);
        loop {
            let mut senders = Vec::new();
            for (name, &gray) in waiting.by_ref().take(NAMES_AT_ONCE) {
                let owner = self.owners[shard_of(name.as_bytes(), self.shards)];
                let list = outbox.list(0, owner as usize);
                list.push(name.len() as u32 | if gray { GRAY } else { 0 });
                push_bytes(list, name.as_bytes());
                senders.push(owner);
            }
            let mut inbox = exchange.step(&mut outbox, &mut []);
            let mut full = false;
            for from in 0..exchange.workers() {
                let words = joined(&mut inbox, from as u32, 0);
                full |= self.intern(&words, outbox.list(0, from)).is_none();
            }
            let left = names.len() - places.len() - senders.len();
            let mut tally = [u64::from(full), left as u64];
            let mut replies = exchange.step(&mut outbox, &mut tally);
            if tally[0] > 0 {
                return Err(ClusterError::TooManyNodes);
            }
            let mut replies: Vec<_> = (0..exchange.workers() as u32)
                .map(|from| joined(&mut replies, from, 0).into_iter())
                .collect();
            places.extend(senders.into_iter().filter_map(|worker| {
                let arrival = replies[worker as usize].next()?;
                Some(Place { worker, arrival })
            }));
            if tally[1] == 0 {
                return Ok(places);
            }
        }
    }

    /// Gives places to names that a worker has sent; none if there are too many.
    fn intern(&mut self, mut words: &[u32], reply: &mut Vec<u32>) -> Option<()> {
        let mut bytes = Vec::new();
        while let Some((&head, rest)) = words.split_first() {
            words = rest;
            take_bytes(&mut words, (head & !GRAY) as usize, &mut bytes);
            let name = std::str::from_utf8(&bytes).unwrap_or_default();
            let arrival = self.names.try_intern(name)?;
            if self.gray.len() < self.names.len() {
                self.gray.resize(self.names.len(), false);
            }
            self.gray[arrival as usize] |= head & GRAY != 0;
            reply.push(arrival);
        }
        Some(())
    }

    /// Adds an arc from a node of this worker.
    pub(crate) fn add_arc(&mut self, from: u32, to: Place) {
        self.arcs[to.worker as usize].push(u64::from(from) << 32 | u64::from(to.arrival));
    }

    /// Writes everything into a checkpoint: the number of nodes and how many of them, the first
    /// ones, were expanded; each node; and the arcs, by the worker of their target. Nodes are
    /// identified by their arrival.
    pub(crate) fn keep(&self, expanded: usize, sink: &mut Sink) {
        sink.record(&[self.len() as u32, expanded as u32]);
        let mut words = Vec::new();
        for (name, &gray) in self.names.iter().zip(&self.gray) {
            words.clear();
            words.push(name.len() as u32 | if gray { GRAY } else { 0 });
            push_bytes(&mut words, name.as_bytes());
            sink.record(&words);
        }
        for (to, arcs) in (0..).zip(&self.arcs) {
            for arcs in arcs.chunks(ARCS_IN_RECORD) {
                words.clear();
                words.push(to);
                words.extend(arcs.iter().flat_map(|arc| [(arc >> 32) as u32, *arc as u32]));
                sink.record(&words);
            }
        }
    }

    /// A node as [`keep`](Self::keep) writes it: its name, and whether it is gray; none if the
    /// record is damaged.
    pub(crate) fn kept_name(record: &[u32]) -> Option<(String, bool)> {
        let (&head, mut rest) = record.split_first()?;
        let mut bytes = Vec::new();
        take_bytes(&mut rest, (head & !GRAY) as usize, &mut bytes);
        Some((String::from_utf8(bytes).ok()?, head & GRAY != 0))
    }

    /// Adds the contents of a file. All workers call this at the same time, some of them without
    /// contents.
    pub(crate) fn add(
        &mut self,
        exchange: &mut Exchange<'_>,
        source: &Source,
    ) -> Result<(), ClusterError> {
        let places = self.places(exchange, &source.names, &source.gray)?;
        let place = |node: u32| places[node as usize];
        self.add_arcs(exchange, source.arcs.iter().map(|&(from, to)| (place(from), place(to))));
        Ok(())
    }

    /// Adds arcs between any nodes. All workers call this at the same time, some of them without
    /// arcs.
    pub(crate) fn add_arcs(
        &mut self,
        exchange: &mut Exchange<'_>,
        mut arcs: impl ExactSizeIterator<Item = (Place, Place)>,
    ) {
        let own = exchange.index() as u32;
        let mut outbox = exchange.outbox(exchange.workers());
        loop {
            for (from, to) in arcs.by_ref().take(ARCS_AT_ONCE) {
                if from.worker == own {
                    self.add_arc(from.arrival, to);
                } else {
                    let list = outbox.list(to.worker, from.worker as usize);
                    list.extend([from.arrival, to.arrival]);
                }
            }
            let mut tally = [arcs.len() as u64];
            for Parcel { topic, words, .. } in exchange.step(&mut outbox, &mut tally) {
                let arcs = words.chunks_exact(2);
                let arcs = arcs.map(|arc| u64::from(arc[0]) << 32 | u64::from(arc[1]));
                self.arcs[topic as usize].extend(arcs);
            }
            if tally[0] == 0 {
                return;
            }
        }
    }

    /// Numbers the nodes, and builds the rows.
    pub(crate) fn finish(mut self, exchange: &mut Exchange<'_>) -> Result<Share, ClusterError> {
        let (names, order, counts) = self.sorted(exchange);
        let mut tally = counts;
        exchange.add_up(&mut tally);
        let workers = exchange.workers();
        let ranges = Ranges::new(&tally, workers).ok_or(ClusterError::TooManyNodes)?;
        let first = ranges.worker(exchange.index()).start;
        let len = order.len();
        let mut local = vec![0_u32; len];
        for (number, &arrival) in (0..).zip(&order) {
            local[arrival as usize] = number;
        }
        let gray: Vec<bool> = order.iter().map(|&arrival| self.gray[arrival as usize]).collect();
        drop(order);
        let mut options = vec![0_u32; len];
        for arcs in &mut self.arcs {
            arcs.sort_unstable();
            arcs.dedup();
            arcs.shrink_to_fit();
            for arc in &*arcs {
                options[local[(arc >> 32) as usize] as usize] += 1;
            }
        }
        let mut pairs = [Vec::new(), Vec::new()];
        let mut outbox = exchange.outbox(2);
        loop {
            let mut room = ARCS_AT_ONCE;
            for (to, arcs) in self.arcs.iter_mut().enumerate() {
                let taken = arcs.len().saturating_sub(room);
                room -= arcs.len() - taken;
                for arc in arcs.drain(taken..) {
                    let from = local[(arc >> 32) as usize];
                    let topic = u32::from(gray[from as usize]);
                    outbox.list(topic, to).extend([arc as u32, first + from]);
                }
                arcs.shrink_to(arcs.len() * 2);
            }
            let mut tally = [self.arcs.iter().map(Vec::len).sum::<usize>() as u64];
            for Parcel { topic, words, .. } in exchange.step(&mut outbox, &mut tally) {
                let arcs = words.chunks_exact(2);
                let arcs =
                    arcs.map(|arc| u64::from(local[arc[0] as usize]) << 32 | u64::from(arc[1]));
                pairs[topic as usize].extend(arcs);
            }
            if tally[0] == 0 {
                break;
            }
        }
        drop(local);
        let [white_pairs, gray_pairs] = pairs;
        let built = Rows::new(len, &white_pairs)
            .and_then(|white| {
                drop(white_pairs);
                Ok((white, Rows::new(len, &gray_pairs)?))
            })
            .map_err(|_| ClusterError::TooManyArcs);
        let (from_white, from_gray) = exchange.agree(built)?;
        Share::new(exchange, ranges, Topology { names, gray, options, from_white, from_gray })
    }

    /// The names by shard and then in order, the arrivals in the same order, and the number of
    /// nodes of each shard.
    fn sorted(&mut self, exchange: &Exchange<'_>) -> (SortedNames, Vec<u32>, Vec<u64>) {
        let names = std::mem::take(&mut self.names);
        let own = shards_of(exchange.index(), exchange.workers(), self.shards);
        // The first eight bytes nearly always decide.
        let mut by_shard: Vec<Vec<(u64, u32)>> = vec![Vec::new(); own.len()];
        for (arrival, name) in (0..).zip(names.iter()) {
            let name = name.as_bytes();
            let mut eight = [0; 8];
            let len = name.len().min(8);
            eight[..len].copy_from_slice(&name[..len]);
            let shard = shard_of(name, self.shards) - own.start;
            by_shard[shard].push((u64::from_be_bytes(eight), arrival));
        }
        let mut counts = vec![0; self.shards];
        let mut order = Vec::with_capacity(names.len());
        let mut sorted = SortedNames::default();
        for (shard, mut nodes) in own.zip(by_shard) {
            nodes.sort_unstable_by(|a, b| {
                a.0.cmp(&b.0).then_with(|| names.name(a.1).cmp(&names.name(b.1)))
            });
            counts[shard] = nodes.len() as u64;
            for (_, arrival) in nodes {
                sorted.push(names.name(arrival).as_bytes());
                order.push(arrival);
            }
        }
        (sorted, order, counts)
    }
}

/// Names end to end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SortedNames {
    joined: Vec<u8>,
    ends: Vec<u64>,
}

impl SortedNames {
    pub(crate) fn push(&mut self, name: &[u8]) {
        self.joined.extend_from_slice(name);
        self.ends.push(self.joined.len() as u64);
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn name(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.joined[start as usize..self.ends[place] as usize]
    }

    pub(crate) fn text(&self, place: usize) -> String {
        String::from_utf8_lossy(self.name(place)).into_owned()
    }
}

/// The data of the nodes of some shards before they are labelled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topology {
    pub(crate) names: SortedNames,
    pub(crate) gray: Vec<bool>,
    /// How many options each node has.
    pub(crate) options: Vec<u32>,
    /// The sources of the arcs to each node: white and gray ones.
    pub(crate) from_white: Rows,
    pub(crate) from_gray: Rows,
}

/// A worker's share of the digraph.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    pub(crate) ranges: Ranges,
    /// The first number of this worker.
    pub(crate) first: Number,
    pub(crate) here: Topology,
    /// How many nodes, gray nodes and arcs the whole digraph has.
    pub(crate) totals: Totals,
}

/// The totals of the whole digraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) nodes: u64,
    pub(crate) gray: u64,
    pub(crate) arcs: u64,
    /// Gray nodes with two options or more.
    pub(crate) gray_with_many: u64,
}

impl Share {
    pub(crate) fn new(
        exchange: &mut Exchange<'_>,
        ranges: Ranges,
        here: Topology,
    ) -> Result<Self, ClusterError> {
        let gray = || here.gray.iter().zip(&here.options).filter(|(gray, _)| **gray);
        let mut tally = [
            here.names.len() as u64,
            gray().count() as u64,
            here.options.iter().map(|&count| u64::from(count)).sum(),
            gray().filter(|(_, options)| **options > 1).count() as u64,
        ];
        exchange.add_up(&mut tally);
        let [nodes, gray, arcs, gray_with_many] = tally;
        if nodes == 0 {
            return Err(ClusterError::NoNodes);
        }
        let first = ranges.worker(exchange.index()).start;
        Ok(Self { ranges, first, here, totals: Totals { nodes, gray, arcs, gray_with_many } })
    }

    /// How many nodes this worker has.
    pub(crate) fn len(&self) -> usize {
        self.here.names.len()
    }
}
