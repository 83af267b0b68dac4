//! What each worker does, from the input to the shards.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use nimoon::Theory;
use nimoon::remoteness::Play;
use rustc_hash::FxHashMap;

use crate::ClusterError;
use crate::build::{Builder, Share};
use crate::checkpoint::{Keeper, Kind};
use crate::exchange::Exchange;
use crate::explore::Explorer;
use crate::input::EdgeFiles;
use crate::label::Labels;
use crate::label::acyclic::Acyclic;
use crate::label::chains::Moves;
use crate::label::levels::{Levels, Stage, TOPICS};
use crate::label::remoteness::{self, ENDLESS};
use crate::label::sets::Sets;
use crate::manifest::{
    Checksum, FORMAT, Manifest, ShardEntry, ShardWriter, Written, histogram, label_text, shard_file,
};
use crate::plan::{Checkpoints, Doing, Every, Input, Plan, Progress, Question};
use crate::records;
use crate::run::Watch;
use crate::shards::{Ranges, hash, shards_of};

/// What all workers of a process are given.
pub(crate) struct Task {
    pub(crate) plan: Plan,
    pub(crate) files: Option<EdgeFiles>,
    /// What is asked, in words.
    pub(crate) asked: String,
    pub(crate) watch: Watch,
}

/// Tells how far the run is, now and then.
struct Teller<'a> {
    task: &'a Task,
    tells: bool,
    last: Option<Instant>,
    messages: u64,
}

impl Teller<'_> {
    const OFTEN: Duration = Duration::from_millis(250);

    fn tell(&mut self, exchange: &Exchange<'_>, stage: Doing) {
        let seldom = matches!(stage, Doing::Kept { .. } | Doing::Resumed { .. } | Doing::Writing);
        let soon = self.last.is_some_and(|last| last.elapsed() < Self::OFTEN);
        if !self.tells || soon && !seldom {
            return;
        }
        self.last = Some(Instant::now());
        (self.task.watch)(Progress {
            stage,
            supersteps: exchange.supersteps(),
            messages: self.messages.max(exchange.sent()),
            memory: resident(),
        });
    }
}

/// How many bytes this process takes.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    pages.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

/// Everything, from the input to the shards.
pub(crate) fn work(task: &Task, exchange: &mut Exchange<'_>) -> Result<Manifest, ClusterError> {
    let plan = &task.plan;
    let (process, _) = plan.process();
    let tells = exchange.index() == 0;
    let mut teller = Teller { task, tells, last: None, messages: 0 };
    let keeper = plan.checkpoints.as_ref().map(|Checkpoints { folder, .. }| {
        let first_of_process = exchange.index().is_multiple_of(plan.workers);
        Keeper::new(folder, task.asked.clone(), process, first_of_process)
    });
    let keeper = exchange.agree(keeper.transpose())?;
    let (share, starts) = digraph(task, exchange, keeper.as_ref(), &mut teller)?;
    let answer = match plan.question {
        Question::Remoteness(play) => {
            let nodes = share.totals.nodes;
            let found =
                remoteness::solve(exchange, &share, play, &mut |exchange, level, labelled| {
                    teller.tell(exchange, Doing::Labelling { level, labelled, nodes });
                });
            Answer::Remoteness(play, found.remoteness, found.distance)
        }
        Question::Label(theory) => {
            let (theory, labels) =
                label(task, exchange, &share, theory, keeper.as_ref(), &mut teller)?;
            Answer::Labels(theory, labels)
        }
    };
    teller.tell(exchange, Doing::Writing);
    let manifest = write(plan, exchange, &share, &answer, starts)?;
    if let Some(keeper) = keeper {
        keeper.clear();
    }
    Ok(manifest)
}

/// The digraph: from a checkpoint, from files, or by exploring.
fn digraph(
    task: &Task,
    exchange: &mut Exchange<'_>,
    keeper: Option<&Keeper>,
    teller: &mut Teller<'_>,
) -> Result<(Share, Vec<String>), ClusterError> {
    let plan = &task.plan;
    if let Some(keeper) = keeper
        && let Some(set) = keeper.last(exchange, Kind::Digraph)?
    {
        teller.tell(exchange, Doing::Resumed { serial: set.head.serial });
        let ranges =
            Ranges::new(&set.head.shards, exchange.workers()).ok_or(ClusterError::TooManyNodes)?;
        let words = keeper.read(exchange, &set, &ranges)?;
        let damaged = || {
            ClusterError::Checkpoint(
                "the checkpoint of the digraph is damaged: delete it".to_owned(),
            )
        };
        let topology = records::to_topology(&words)
            .filter(|topology| topology.names.len() == ranges.worker(exchange.index()).len());
        let topology = exchange.agree(topology.ok_or_else(damaged))?;
        return Ok((Share::new(exchange, ranges, topology)?, set.head.texts));
    }
    let mut builder = Builder::new(exchange, plan.shards);
    let mut starts = Vec::new();
    match (&plan.input, &task.files) {
        (Input::Files { local, .. }, Some(files)) => {
            let (index, workers) = (exchange.index(), exchange.workers());
            let reader =
                if *local { (index % plan.workers, plan.workers) } else { (index, workers) };
            files.read(exchange, &mut builder, reader, &mut |exchange, met| {
                teller.tell(exchange, Doing::Building { met, left: 0 });
            })?;
        }
        (Input::Expression(expression), _) => {
            let explorer = Explorer::new(expression);
            let mut explorer = exchange.agree(explorer)?;
            starts = explorer.starts().to_vec();
            explorer.explore(exchange, &mut builder, plan.budget, &mut |exchange, met, left| {
                teller.tell(exchange, Doing::Building { met, left });
            })?;
        }
        (Input::Files { .. }, None) => unreachable!("files were looked at before"),
    }
    let share = builder.finish(exchange)?;
    if let Some(keeper) = keeper {
        let words = records::of_share(&share);
        keeper.keep(
            exchange,
            Kind::Digraph,
            0,
            &share.ranges,
            Vec::new(),
            starts.clone(),
            &words,
        )?;
        teller.tell(exchange, Doing::Kept { serial: 0 });
    }
    Ok((share, starts))
}

/// The labels under a theory, or under the smallest that fits.
fn label(
    task: &Task,
    exchange: &mut Exchange<'_>,
    share: &Share,
    asked: Option<Theory>,
    keeper: Option<&Keeper>,
    teller: &mut Teller<'_>,
) -> Result<(Theory, Labels), ClusterError> {
    let totals = share.totals;
    // In the midst of levels, it is known that there are cycles, or that nobody asked.
    let kept = match keeper {
        Some(keeper) => keeper.last(exchange, Kind::Levels)?,
        None => None,
    };
    let cyclic = if totals.gray == 0 { Theory::Cyclic } else { Theory::CarryOn };
    let acyclic = if totals.gray == 0 { Theory::Short } else { Theory::Entailing };
    let fits_levels = totals.gray_with_many == 0;
    let wanted = matches!(asked, Some(Theory::Cyclic | Theory::CarryOn));
    let fits = match asked {
        Some(Theory::Short | Theory::Cyclic) => totals.gray == 0,
        Some(Theory::CarryOn) => fits_levels,
        _ => true,
    };
    if fits && (wanted || kept.is_some()) {
        let theory = asked.unwrap_or(cyclic);
        let labels = levels(task, exchange, share, theory, keeper, teller)?;
        return Ok((theory, labels));
    }
    let theory = asked.filter(|_| fits).unwrap_or(acyclic);
    let mut watch = |exchange: &Exchange<'_>, labelled| {
        let nodes = totals.nodes;
        teller.tell(exchange, Doing::Labelling { level: 0, labelled, nodes });
    };
    let settled = Acyclic::new(exchange, share, theory).run(exchange, &mut watch);
    let left = match &settled {
        Ok(_) => String::new(),
        Err(unsettled) => {
            unsettled.here.map(|node| share.here.names.text(node)).unwrap_or_default()
        }
    };
    let fitting = match &settled {
        Ok(_) => acyclic,
        Err(_) if fits_levels => cyclic,
        Err(_) => Theory::General,
    };
    match (settled, asked) {
        (Ok(labels), None | Some(Theory::Short | Theory::Entailing)) if fits => {
            Ok((theory, labels))
        }
        (Err(_), None) if fits_levels => {
            let labels = levels(task, exchange, share, cyclic, keeper, teller)?;
            Ok((cyclic, labels))
        }
        (_, asked) => {
            let why = why_not(exchange, share, asked, &left);
            Err(match asked {
                Some(theory) => ClusterError::DoesNotFit { theory, why, fitting },
                None => ClusterError::General { why },
            })
        }
    }
}

/// What is in the way of a theory: a node, the first by number.
fn why_not(
    exchange: &mut Exchange<'_>,
    share: &Share,
    asked: Option<Theory>,
    left: &str,
) -> String {
    let named = |node: usize| share.here.names.text(node);
    let mut gray = (0..share.len()).filter(|&node| share.here.gray[node]);
    let is_gray = gray.clone().next().map(named).unwrap_or_default();
    let many = gray.find(|&node| share.here.options[node] > 1).map(named).unwrap_or_default();
    let mut first =
        |text: &str| exchange.share_text(text).into_iter().find(|name| !name.is_empty());
    let (is_gray, many, left) = (first(&is_gray), first(&many), first(left));
    let cycle = |left: Option<String>| {
        format!("play from `{}` can go on for ever", left.unwrap_or_default())
    };
    match (asked, is_gray, many) {
        (Some(Theory::Short | Theory::Cyclic), Some(gray), _) => {
            format!("the node `{gray}` is gray")
        }
        (Some(Theory::CarryOn), _, Some(many)) => {
            format!("the gray node `{many}` has two or more options")
        }
        (None, _, Some(many)) => {
            format!("the gray node `{many}` has two or more options, and {}", cycle(left))
        }
        _ => cycle(left),
    }
}

/// The labels of the cyclic and the carry-on theory.
fn levels(
    task: &Task,
    exchange: &mut Exchange<'_>,
    share: &Share,
    theory: Theory,
    keeper: Option<&Keeper>,
    teller: &mut Teller<'_>,
) -> Result<Labels, ClusterError> {
    let moves = Moves::new(exchange, share)?;
    let mut levels = Levels::new(exchange, share, moves);
    let mut serial = 0;
    if let Some(keeper) = keeper
        && let Some(set) = keeper.last(exchange, Kind::Levels)?
    {
        let words = keeper.read(exchange, &set, &share.ranges)?;
        let kept = records::to_levels(&words).filter(|kept| kept.states.len() == share.len());
        let damaged = || {
            ClusterError::Checkpoint(
                "the checkpoint of the levels is damaged: delete it".to_owned(),
            )
        };
        let kept = exchange.agree(kept.ok_or_else(damaged))?;
        let [level, stage] = [0, 1].map(|i| set.head.notes.get(i).copied().unwrap_or(0));
        let stage = if stage == 0 { Stage::Values } else { Stage::Safe };
        levels.resume(kept, level as u32, stage);
        serial = set.head.serial;
        teller.tell(exchange, Doing::Resumed { serial });
    }
    let nodes = share.totals.nodes;
    let mut outbox = exchange.outbox(TOPICS);
    let mut clock = Clock::new(task.plan.checkpoints.as_ref().map(|all| all.every));
    loop {
        let due = exchange.index() == 0 && clock.is_due();
        let more = levels.superstep(
            exchange,
            &mut outbox,
            due,
            &mut |exchange, levels, inbox, told| {
                teller.messages += told.sent;
                let (level, labelled) = (levels.level, told.assigned);
                teller.tell(exchange, Doing::Labelling { level, labelled, nodes });
                let Some(keeper) = keeper.filter(|_| told.due) else { return Ok(()) };
                serial += 1;
                let words = records::of_levels(levels, share.first, inbox);
                let notes = vec![u64::from(level), u64::from(levels.stage == Stage::Safe)];
                keeper.keep(
                    exchange,
                    Kind::Levels,
                    serial,
                    &share.ranges,
                    notes,
                    Vec::new(),
                    &words,
                )?;
                teller.tell(exchange, Doing::Kept { serial });
                Ok(())
            },
        )?;
        if !more {
            break;
        }
    }
    Ok(Sets::new(share, levels).label(exchange, theory))
}

/// Tells when a checkpoint is due.
struct Clock {
    every: Option<Every>,
    supersteps: u64,
    last: Instant,
}

impl Clock {
    fn new(every: Option<Every>) -> Self {
        Self { every, supersteps: 0, last: Instant::now() }
    }

    fn is_due(&mut self) -> bool {
        self.supersteps += 1;
        let due = match self.every {
            None => false,
            Some(Every::Supersteps(every)) => self.supersteps >= every,
            Some(Every::Time(every)) => self.last.elapsed() >= every,
        };
        if due {
            self.supersteps = 0;
            self.last = Instant::now();
        }
        due
    }
}

/// What was found about the nodes of a worker.
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

    /// The same for nodes with the same text.
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
    let told = serde_json::to_string(&(&written, &counts, sum.parts())).unwrap_or_default();
    let mut shards: Vec<(usize, u64, String)> = Vec::new();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut checksum = Checksum::default();
    for text in exchange.share_text(&told) {
        type Told = (Vec<(usize, u64, String)>, BTreeMap<String, u64>, [u64; 2]);
        let (written, counted, sum): Told = serde_json::from_str(&text).unwrap_or_default();
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
