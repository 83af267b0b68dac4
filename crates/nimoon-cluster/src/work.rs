//! The work of each worker, from the input to the shards.

use std::collections::BTreeMap;
use std::ops::Range;

use nimoon::Theory;
use nimoon::impartial::theory::fitting;
use nimoon::smith::remoteness::{ENDLESS, Play};
use rustc_hash::FxHashMap;

use crate::ClusterError;
use crate::build::{Builder, Share};
use crate::checkpoint::{Complete, Kind, Moment};
use crate::course::Course;
use crate::exchange::Exchange;
use crate::explore::Explorer;
use crate::input::{EdgeFiles, Lines, Reader};
use crate::label::Labels;
use crate::label::acyclic::Acyclic;
use crate::label::chains::Moves;
use crate::label::general;
use crate::label::levels::{Levels, Stage, TOPICS};
use crate::label::remoteness;
use crate::label::sets::Sets;
use crate::manifest::{
    Checksum, FORMAT, Manifest, ShardEntry, ShardWriter, Written, histogram, label_text, shard_file,
};
use crate::plan::{Activity, Input, Plan, Question};
use crate::records;
use crate::resume;
use crate::run::Watch;
use crate::shards::{Ranges, hash, shards_of};

/// The task of all workers of a process.
pub(crate) struct Task {
    pub(crate) plan: Plan,
    pub(crate) files: Option<EdgeFiles>,
    /// The question, in words.
    pub(crate) question: String,
    pub(crate) watch: Watch,
}

/// All of the work, from the input to the shards.
pub(crate) fn work(task: &Task, exchange: &mut Exchange<'_>) -> Result<Manifest, ClusterError> {
    let mut course = Course::new(task, exchange)?;
    let (share, starts) = digraph(task, exchange, &mut course)?;
    let answer = match task.plan.question {
        Question::Remoteness(play) => {
            let found = remoteness::solve(exchange, &share, play, &mut course)?;
            Answer::Remoteness(play, found.remoteness, found.distance)
        }
        Question::Label(theory) => {
            let budget = task.plan.work.limits().positions;
            let (theory, labels) = label(exchange, &share, theory, budget, &mut course)?;
            Answer::Labels(theory, labels)
        }
    };
    course.report(exchange, Activity::Writing);
    let manifest = write(&task.plan, exchange, &share, &answer, starts)?;
    course.clear();
    Ok(manifest)
}

/// The digraph: from a checkpoint, from files, or by exploring.
fn digraph(
    task: &Task,
    exchange: &mut Exchange<'_>,
    course: &mut Course<'_>,
) -> Result<(Share, Vec<String>), ClusterError> {
    let plan = &task.plan;
    let mut reading = match (&plan.input, &task.files) {
        (Input::Files { local, .. }, Some(files)) => {
            Some(Reading::new(plan, files, *local, exchange))
        }
        _ => None,
    };
    // Otherwise reading computes the checksum.
    if let Some(of) = &reading
        && course.has_read_all(exchange)
    {
        let content = of.checksum(exchange, &of.files.whole(), course)?;
        course.was_read(content);
    }
    if let Some(set) = course.last(exchange, Kind::Digraph)? {
        let ranges = Ranges::new(&set.head.shards, exchange.workers());
        let fits = |_: &Ranges| set.head.shards.len() == plan.shards;
        let ranges = ranges.filter(fits).ok_or_else(|| set.is_damaged())?;
        let lists = set.read(exchange, &ranges)?;
        let topology = records::to_topology(&lists, ranges.len())
            .filter(|topology| topology.names.len() == ranges.worker(exchange.index()).len());
        let topology = exchange.agree(topology.ok_or_else(|| set.is_damaged()))?;
        return Ok((Share::new(exchange, ranges, topology)?, set.head.texts));
    }
    let mut builder = Builder::new(exchange, plan.shards);
    let begun = course.last(exchange, Kind::Building)?;
    let starts = match (&plan.input, &mut reading) {
        (Input::Files { .. }, Some(of)) => {
            let left = match &begun {
                Some(set) => of.take_up(exchange, set, course)?,
                None => None,
            };
            if let (Some(set), Some(_)) = (&begun, &left) {
                resume::building(exchange, &mut builder, set, plan.workers)?;
            }
            let left = left.unwrap_or_else(|| of.files.whole());
            let (files, reader) = (of.files, of.reader);
            let read = files.read(
                exchange,
                &mut builder,
                &left,
                reader,
                &mut |exchange, builder, lines| of.pause(exchange, builder, lines, course),
            )?;
            if course.keeps() {
                let content = of.content(exchange, read);
                course.was_read(content);
            }
            Vec::new()
        }
        (Input::Expression(expression), _) => {
            let explorer = Explorer::new(expression);
            let mut explorer = exchange.agree(explorer)?;
            let next = if let Some(set) = &begun {
                resume::building(exchange, &mut builder, set, plan.workers)?
            } else {
                explorer.begin(exchange, &mut builder)?;
                0
            };
            explorer.explore(
                exchange,
                &mut builder,
                next,
                &plan.work,
                &mut |exchange, builder, next, (found, left)| {
                    course.report(exchange, Activity::Building { found, left });
                    let mut due = [course.is_due()];
                    exchange.add_up(&mut due);
                    // Positions beyond the budget are kept too, for a later run with a larger one.
                    let is_over = found > plan.work.limits().positions;
                    if !is_over && (due[0] == 0 || left == 0) {
                        return Ok(());
                    }
                    let moment = Moment::building(Vec::new());
                    course.keep(exchange, moment, |sink| builder.keep(next, sink))
                },
            )?;
            explorer.starts().to_vec()
        }
        (Input::Files { .. }, None) => return Err(ClusterError::NoNodes),
    };
    let share = builder.finish(exchange)?;
    let moment = Moment {
        kind: Kind::Digraph,
        first: share.first,
        shards: share.ranges.counts(),
        notes: Vec::new(),
        texts: starts.clone(),
    };
    course.keep(exchange, moment, |sink| records::of_share(&share, sink))?;
    Ok((share, starts))
}

/// How files are shared among readers, and what is left to read.
struct Reading<'a> {
    files: &'a EdgeFiles,
    process: u64,
    processes: u64,
    local: bool,
    /// The reader number of this worker.
    reader: Reader,
    /// The checksum of the lines that were read before the resumed checkpoint.
    before: Checksum,
}

impl<'a> Reading<'a> {
    fn new(plan: &Plan, files: &'a EdgeFiles, local: bool, exchange: &Exchange<'_>) -> Self {
        let (index, workers) = (exchange.index(), exchange.workers());
        let reader = if local { (index % plan.workers, plan.workers) } else { (index, workers) };
        let (process, processes) = plan.process();
        let (process, processes) = (process as u64, processes as u64);
        Self { files, process, processes, local, reader, before: Checksum::default() }
    }

    /// The checksum of all lines that were read, given those of this worker since the beginning.
    /// All workers call this at the same time.
    fn content(&self, exchange: &mut Exchange<'_>, read: Checksum) -> Checksum {
        let mut all = self.before;
        let words = read.parts().map(|part| [part as u32, (part >> 32) as u32]);
        for words in exchange.share(words.as_flattened()) {
            let mut parts = words.chunks_exact(2).map(number);
            all.join(Checksum::of_parts([(); 2].map(|()| parts.next().unwrap_or(0))));
        }
        all
    }

    /// The checksum of some ranges in the files of all. All workers call this at the same time.
    fn checksum(
        &self,
        exchange: &mut Exchange<'_>,
        ranges: &[Range<u64>],
        course: &Course<'_>,
    ) -> Result<Checksum, ClusterError> {
        let read = self
            .files
            .checksum(exchange, ranges, self.reader, |exchange| course.go_on(exchange))?;
        Ok(self.content(exchange, read))
    }

    /// Reports progress, and writes a checkpoint if one is due. All workers call this at the same
    /// time.
    fn pause(
        &mut self,
        exchange: &mut Exchange<'_>,
        builder: &Builder,
        lines: &Lines,
        course: &mut Course<'_>,
    ) -> Result<(), ClusterError> {
        let mut tally = [builder.len() as u64, course.is_due()];
        exchange.add_up(&mut tally);
        let [found, due] = tally;
        course.report(exchange, Activity::Building { found, left: 0 });
        if due == 0 {
            return Ok(());
        }
        // The ranges that are left for all, with the process whose files they are.
        let left = lines.left();
        let mine = left.iter().flat_map(|range| [self.process, range.start, range.end]);
        let words: Vec<u32> = mine.flat_map(|n| [n as u32, (n >> 32) as u32]).collect();
        let mut notes = vec![self.processes];
        for words in exchange.share(&words) {
            notes.extend(words.chunks_exact(2).map(number));
        }
        let content = self.content(exchange, lines.sum);
        course.was_read(content);
        course.keep(exchange, Moment::building(notes), |sink| builder.keep(builder.len(), sink))
    }

    /// The ranges that are left for the readers of this process, if the files begin as those of a
    /// checkpoint did; none if other processes wrote it with files of their own. All workers call
    /// this at the same time.
    fn take_up(
        &mut self,
        exchange: &mut Exchange<'_>,
        set: &Complete,
        course: &Course<'_>,
    ) -> Result<Option<Vec<Range<u64>>>, ClusterError> {
        let left = self.left(&set.head.notes);
        let mut without = [u64::from(left.is_none())];
        exchange.add_up(&mut without);
        let Some(left) = left.filter(|_| without[0] == 0) else { return Ok(None) };
        let mut read = Vec::new();
        let mut at = 0;
        for range in &left {
            read.push(at..range.start.max(at));
            at = range.end.max(at);
        }
        let len = self.files.len();
        read.push(at.min(len)..len);
        let content = self.checksum(exchange, &read, course)?;
        set.is_of(content)?;
        self.before = content;
        Ok(Some(left))
    }

    /// The ranges that are left for this process by the notes of a checkpoint, in order; none if
    /// other processes wrote it with files of their own.
    fn left(&self, notes: &[u64]) -> Option<Vec<Range<u64>>> {
        let (&processes, ranges) = notes.split_first()?;
        if self.local && processes != self.processes {
            return None;
        }
        let (ranges, []) = ranges.as_chunks::<3>() else { return None };
        let mine = ranges.iter().filter(|[process, ..]| !self.local || *process == self.process);
        let mut left: Vec<Range<u64>> = mine
            .map(|&[_, start, end]| (start <= end).then_some(start..end))
            .collect::<Option<_>>()?;
        left.sort_by_key(|range| range.start);
        Some(left)
    }
}

/// A number from its two halves.
fn number(halves: &[u32]) -> u64 {
    u64::from(halves[0]) | u64::from(halves[1]) << 32
}

/// The labels under a theory, or under the smallest that fits.
fn label(
    exchange: &mut Exchange<'_>,
    share: &Share,
    requested: Option<Theory>,
    budget: u64,
    course: &mut Course<'_>,
) -> Result<(Theory, Labels), ClusterError> {
    let totals = share.totals;
    // In the middle of the heaps, nothing else fits, or the general theory was requested.
    let heaps = course.last(exchange, Kind::Heaps)?;
    if requested == Some(Theory::General) || heaps.is_some() {
        let labels = general::label(exchange, share, heaps, budget, course)?;
        return Ok((Theory::General, labels));
    }
    // In the middle of the levels, there are cycles, or the theory was requested.
    let kept = course.last(exchange, Kind::Levels)?;
    let cyclic = fitting(false, totals.gray > 0, false);
    let acyclic = fitting(true, totals.gray > 0, false);
    let fits_levels = totals.gray_with_many == 0;
    let wanted = matches!(requested, Some(Theory::Cyclic | Theory::CarryOn));
    let fits = match requested {
        Some(Theory::Short | Theory::Cyclic) => totals.gray == 0,
        Some(Theory::CarryOn) => fits_levels,
        _ => true,
    };
    if fits && (wanted || kept.is_some()) {
        let theory = requested.unwrap_or(cyclic);
        let labels = levels(exchange, share, theory, kept, course)?;
        return Ok((theory, labels));
    }
    let theory = requested.filter(|_| fits).unwrap_or(acyclic);
    let settled = Acyclic::new(exchange, share, theory).run(exchange, course)?;
    let left = match &settled {
        Ok(_) => String::new(),
        Err(unsettled) => {
            unsettled.here.map(|node| share.here.names.text(node)).unwrap_or_default()
        }
    };
    let fitting = fitting(settled.is_ok(), totals.gray > 0, !fits_levels);
    match (settled, requested) {
        (Ok(labels), None | Some(Theory::Short | Theory::Entailing)) if fits => {
            Ok((theory, labels))
        }
        (Err(_), None) if fits_levels => {
            let labels = levels(exchange, share, cyclic, None, course)?;
            Ok((cyclic, labels))
        }
        (_, None) => {
            let labels = general::label(exchange, share, None, budget, course)?;
            Ok((Theory::General, labels))
        }
        (_, Some(theory)) => {
            let why = why_not(exchange, share, theory, &left);
            Err(ClusterError::DoesNotFit { theory, why, fitting })
        }
    }
}

/// Why a theory does not fit: a node, the first by number.
fn why_not(exchange: &mut Exchange<'_>, share: &Share, requested: Theory, left: &str) -> String {
    let named = |node: usize| share.here.names.text(node);
    let mut gray = (0..share.len()).filter(|&node| share.here.gray[node]);
    let is_gray = gray.clone().next().map(named).unwrap_or_default();
    let many = gray.find(|&node| share.here.options[node] > 1).map(named).unwrap_or_default();
    let mut first =
        |text: &str| exchange.share_text(text).into_iter().find(|name| !name.is_empty());
    let (is_gray, many, left) = (first(&is_gray), first(&many), first(left));
    match (requested, is_gray, many) {
        (Theory::Short | Theory::Cyclic, Some(gray), _) => {
            format!("the node `{gray}` is gray")
        }
        (Theory::CarryOn, _, Some(many)) => {
            format!("the gray node `{many}` has two or more options")
        }
        _ => format!("play from `{}` can go on for ever", left.unwrap_or_default()),
    }
}

/// The labels of the cyclic and the carry-on theory.
fn levels(
    exchange: &mut Exchange<'_>,
    share: &Share,
    theory: Theory,
    kept: Option<Complete>,
    course: &mut Course<'_>,
) -> Result<Labels, ClusterError> {
    let moves = Moves::new(exchange, share)?;
    let mut levels = Levels::new(exchange, share, moves);
    if let Some(set) = kept {
        let lists = set.read(exchange, &share.ranges)?;
        let taken = records::to_levels(&lists, &share.here.options);
        let taken = exchange.agree(taken.ok_or_else(|| set.is_damaged()))?;
        let [level, stage] = [0, 1].map(|i| set.head.notes.get(i).copied().unwrap_or(0));
        let stage = if stage == 0 { Stage::Values } else { Stage::Safe };
        levels.resume(taken, level as u32, stage);
    }
    let nodes = share.totals.nodes;
    let mut outbox = exchange.outbox(TOPICS);
    loop {
        let due = course.is_due() > 0;
        let more = levels.superstep(
            exchange,
            &mut outbox,
            due,
            &mut |exchange, levels, inbox, summary| {
                let (level, labelled) = (levels.level, summary.assigned);
                course.report(exchange, Activity::Labelling { level, labelled, nodes });
                if !summary.due {
                    return Ok(());
                }
                let notes = vec![u64::from(level), u64::from(levels.stage == Stage::Safe)];
                course.keep_nodes(exchange, share, Kind::Levels, notes, |sink| {
                    records::of_levels(levels, share.first, inbox, sink);
                })
            },
        )?;
        if !more {
            break;
        }
    }
    Ok(Sets::new(share, levels).label(exchange, theory))
}

/// The results for the nodes of a worker.
enum Answer {
    Labels(Theory, Labels),
    Remoteness(Play, Vec<u32>, Vec<u32>),
}

impl Answer {
    /// The text of a node's label.
    fn text(&self, node: usize) -> String {
        match self {
            Self::Labels(theory, labels) => label_text(&labels.label(labels.codes[node], *theory)),
            Self::Remoteness(_, remoteness, distance) => {
                let number = |n: u32| if n == ENDLESS { "oo".to_owned() } else { n.to_string() };
                format!("{} {}", number(remoteness[node]), number(distance[node]))
            }
        }
    }

    /// A key that is equal for nodes with the same text.
    fn key(&self, node: usize) -> (u32, u32) {
        match self {
            Self::Labels(_, labels) => (labels.codes[node], 0),
            Self::Remoteness(_, remoteness, distance) => (remoteness[node], distance[node]),
        }
    }
}

/// Writes the shards and, on the first worker, the manifest.
fn write(
    plan: &Plan,
    exchange: &mut Exchange<'_>,
    share: &Share,
    answer: &Answer,
    starts: Vec<String>,
) -> Result<Manifest, ClusterError> {
    let own = shards_of(exchange.index(), exchange.workers(), plan.shards);
    let mut texts: FxHashMap<(u32, u32), ((String, u64), u64)> = FxHashMap::default();
    let mut written: Vec<(usize, u64, String)> = Vec::new();
    let mut sum = Checksum::default();
    let result = (|| {
        for shard in own {
            let mut writer = ShardWriter::new(&plan.out, shard)?;
            for number in share.ranges.shard(shard) {
                let node = (number - share.first) as usize;
                let (label, count) = texts.entry(answer.key(node)).or_insert_with(|| {
                    let text = answer.text(node);
                    let hash = hash(text.as_bytes());
                    ((text, hash), 0)
                });
                *count += 1;
                writer.line(share.here.names.name(node), label)?;
            }
            let Written { nodes, checksum } = writer.finish()?;
            sum.join(checksum);
            written.push((shard, nodes, checksum.to_string()));
        }
        Ok(())
    })();
    exchange.agree(result)?;
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for ((text, _), count) in texts.into_values() {
        *counts.entry(text).or_default() += count;
    }
    let results = serde_json::to_string(&(&written, &counts, sum.parts())).unwrap_or_default();
    let mut shards: Vec<(usize, u64, String)> = Vec::new();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut checksum = Checksum::default();
    for text in exchange.share_text(&results) {
        type Results = (Vec<(usize, u64, String)>, BTreeMap<String, u64>, [u64; 2]);
        let (written, counted, sum): Results = serde_json::from_str(&text).unwrap_or_default();
        shards.extend(written);
        for (text, count) in counted {
            *counts.entry(text).or_default() += count;
        }
        checksum.join(Checksum::of_parts(sum));
    }
    shards.sort();
    let entry = |(shard, nodes, checksum)| ShardEntry { file: shard_file(shard), nodes, checksum };
    let (theory, remoteness) = match answer {
        Answer::Labels(theory, _) => (Some(theory.name().to_owned()), None),
        Answer::Remoteness(Play::Normal, ..) => (None, Some("normal".to_owned())),
        Answer::Remoteness(Play::Misere, ..) => (None, Some("misere".to_owned())),
    };
    let manifest = Manifest {
        nimoon_manifest: FORMAT,
        theory,
        remoteness,
        nodes: share.totals.nodes,
        gray: share.totals.gray,
        arcs: share.totals.arcs,
        checksum: checksum.to_string(),
        starts,
        histogram: histogram(counts),
        shards: shards.into_iter().map(entry).collect(),
    };
    let done = if exchange.index() == 0 { manifest.write(&plan.out) } else { Ok(()) };
    exchange.agree(done)?;
    Ok(manifest)
}
