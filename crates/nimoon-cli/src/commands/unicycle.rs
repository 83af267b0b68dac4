//! `nimoon unicycle`.

use std::fmt::Write as _;

use nimoon::loopy::unicycle::{Pattern, PatternError, Search, SearchError, Unicycle, construct};
use nimoon::loopy::{Effort, Graph, Interrupted, Player, Stopper, Stoppers};
use serde::Serialize;

use crate::args::{AnswerFormat, UnicycleArgs};
use crate::failure::Failure;
use crate::output::{print_json, print_text};

pub(crate) fn run(args: &UnicycleArgs) -> Result<(), Failure> {
    let mut stoppers = Stoppers::new();
    let exits = read_exits(&args.exits, &mut stoppers)?;
    let mut question = Question { args, stoppers, exits, effort: Effort::new(args.budget) };
    let Some(length) = args.length else {
        let text = args.pattern.as_deref().unwrap_or_default();
        let pattern: Pattern = text
            .parse()
            .map_err(|error: PatternError| Failure::input(format!("pattern: {error}")))?;
        let answer = question.answer(&pattern)?;
        match args.format {
            AnswerFormat::Table => print_text(&text_of(&answer, args))?,
            AnswerFormat::Json => print_json(&answer)?,
        }
        return if answer.exhaustive { Ok(()) } else { Err(over_budget(args)) };
    };
    let patterns = Pattern::necklaces(usize::from(length));
    let patterns: Vec<Pattern> = patterns.filter(|pattern| pattern.admissible().is_ok()).collect();
    let mut answers: Vec<Answer> = Vec::new();
    for pattern in &patterns {
        answers.push(question.answer(pattern)?);
        if answers.last().is_some_and(|last| !last.exhaustive) {
            break;
        }
    }
    match args.format {
        AnswerFormat::Table => print_text(&table(&answers, patterns.len(), args))?,
        AnswerFormat::Json => print_json(&answers)?,
    }
    if answers.iter().all(|answer| answer.exhaustive) { Ok(()) } else { Err(over_budget(args)) }
}

fn over_budget(args: &UnicycleArgs) -> Failure {
    let message = format!(
        "the budget of {} states was hit before the search was complete; raise it by --budget",
        args.budget
    );
    Failure::Budget { message }
}

/// What is asked of each pattern.
struct Question<'a> {
    args: &'a UnicycleArgs,
    stoppers: Stoppers,
    exits: Vec<Stopper>,
    effort: Effort,
}

#[derive(Serialize)]
struct Answer {
    pattern: String,
    admissible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Those of the first unicycle that was found.
    exits: Option<Vec<String>>,
    /// With --count or --all; only those that were found if the search is not exhaustive.
    count: Option<u64>,
    /// False if the budget was hit before the question was answered.
    exhaustive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

impl Question<'_> {
    fn answer(&mut self, pattern: &Pattern) -> Result<Answer, Failure> {
        let counts = self.args.count || self.args.all;
        let refused = pattern.admissible().err();
        let mut answer = Answer {
            pattern: pattern.to_string(),
            admissible: refused.is_none(),
            reason: refused.map(|reason| reason.to_string()),
            exits: None,
            count: counts.then_some(0),
            exhaustive: true,
            all: self.args.all.then(Vec::new),
            truncated: false,
        };
        if answer.admissible {
            let done = if self.args.construct {
                self.construct(pattern, &mut answer)
            } else {
                self.search(pattern, &mut answer)
            };
            match done {
                Ok(()) => {}
                Err(Stop::Interrupted) => answer.exhaustive = false,
                Err(Stop::Failure(failure)) => return Err(failure),
            }
        }
        Ok(answer)
    }

    fn construct(&mut self, pattern: &Pattern, answer: &mut Answer) -> Result<(), Stop> {
        let unicycle = construct(pattern, &mut self.stoppers)
            .map_err(|reason| Failure::other(format!("{pattern}: {reason}")))?;
        answer.exits = Some(self.checked(&unicycle)?);
        Ok(())
    }

    fn search(&mut self, pattern: &Pattern, answer: &mut Answer) -> Result<(), Stop> {
        let search = Search::new(pattern, &self.exits, &mut self.stoppers, &mut self.effort);
        let mut search = search.map_err(|error| match error {
            SearchError::Interrupted(interrupted) => interrupted.into(),
            error => Stop::Failure(Failure::input(format!("--exits: {error}"))),
        })?;
        while let Some(unicycle) = search.next(&mut self.effort)? {
            let exits = self.checked(&unicycle)?;
            if let Some(all) = &mut answer.all {
                if all.len() < self.args.limit {
                    all.push(exits.clone());
                } else {
                    answer.truncated = true;
                }
            }
            answer.exits.get_or_insert(exits);
            match &mut answer.count {
                Some(count) => *count += 1,
                None => break,
            }
        }
        Ok(())
    }

    /// The exits in words, once the engine has found the graph to be its own canonical form.
    fn checked(&mut self, unicycle: &Unicycle) -> Result<Vec<String>, Stop> {
        // What the engine learns about one unicycle is of no use for the next.
        let mut stoppers = self.stoppers.clone();
        let words: Vec<String> =
            unicycle.exits().iter().map(|&exit| write_exit(exit, &stoppers)).collect();
        if unicycle.is_canonical(&mut stoppers, &mut self.effort)? {
            return Ok(words);
        }
        Err(Stop::Failure(Failure::other(format!(
            "the exits {} of {} are not in graph-canonical form: please report this",
            words.join(","),
            unicycle.pattern()
        ))))
    }
}

/// Why a question was not answered in full.
enum Stop {
    Interrupted,
    Failure(Failure),
}

impl From<Interrupted> for Stop {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

fn text_of(answer: &Answer, args: &UnicycleArgs) -> String {
    let mut text = format!("pattern  {}\n", answer.pattern);
    if let Some(reason) = &answer.reason {
        let _ = writeln!(text, "exits    none: {reason}");
        return text;
    }
    let _ = match (&answer.exits, answer.exhaustive) {
        (Some(exits), _) => writeln!(text, "exits    {}", exits.join(",")),
        (None, true) => writeln!(
            text,
            "exits    none from {}; --construct builds a unicycle with others",
            args.exits
        ),
        (None, false) => writeln!(text, "exits    not known"),
    };
    if let Some(count) = answer.count {
        let least = if answer.exhaustive { "" } else { "at least " };
        let _ = writeln!(text, "count    {least}{count}");
    }
    if let Some(all) = &answer.all {
        for exits in all {
            let _ = writeln!(text, "  {}", exits.join(","));
        }
        if answer.truncated {
            let _ = writeln!(text, "  … (--limit {})", args.limit);
        }
    }
    text
}

fn table(answers: &[Answer], patterns: usize, args: &UnicycleArgs) -> String {
    let mut text = String::new();
    let width = answers.iter().filter_map(|answer| answer.count).max();
    let width = width.map(|most| most.to_string().len());
    for answer in answers {
        let exits = match (&answer.exits, answer.exhaustive) {
            (Some(exits), _) => exits.join(","),
            (None, true) => "none".to_owned(),
            (None, false) => "not known".to_owned(),
        };
        let count = match (answer.count, width) {
            (Some(count), Some(width)) => format!("{count:>width$}  "),
            _ => String::new(),
        };
        let _ = writeln!(text, "{}  {count}{exits}", answer.pattern);
    }
    let found = answers.iter().filter(|answer| answer.exits.is_some()).count();
    let exits = if args.construct { String::new() } else { format!(" from {}", args.exits) };
    let _ = match answers.iter().rposition(|answer| answer.exhaustive).map_or(0, |last| last + 1) {
        done if done < answers.len() => writeln!(
            text,
            "{done} of {patterns} admissible patterns up to rotation were looked at, {found} have a \
             unicycle{exits}"
        ),
        _ => writeln!(
            text,
            "{patterns} admissible patterns up to rotation, {found} with a unicycle{exits}"
        ),
    };
    text
}

/// The largest integer, and the largest nimber, that are read: all their followers are written down.
const MOST_INTEGER: u32 = 1000;
const MOST_NIMBER: u32 = 64;

/// Reads a list of nimbers, integers and switches of these.
fn read_exits(text: &str, stoppers: &mut Stoppers) -> Result<Vec<Stopper>, Failure> {
    let mut list = Vec::new();
    let mut column = 1;
    let mut within = false;
    let items = text.split(|c: char| {
        within = c == '{' || within && c != '}';
        c == ',' && !within
    });
    for item in items {
        let mut edges = [Vec::new(), Vec::new()];
        let mut len = 0;
        let start = read_game(item.trim(), &mut edges, &mut len).ok_or_else(|| {
            Failure::input(format!(
                "--exits: 1:{column}: expected a nimber up to *{MOST_NIMBER}, an integer up to \
                 {MOST_INTEGER} or a switch of these such as {{0|-6}}, found {item:?}"
            ))
        })?;
        column += item.chars().count() + 1;
        let [left, right] = edges;
        let graph = Graph::new(len as usize, left, right);
        let graph = graph.map_err(|error| Failure::other(error.to_string()))?;
        let game = stoppers.onside(&graph, start, &mut Effort::default());
        let game = game.map_err(|error| Failure::input(format!("--exits: {error}")))?;
        list.extend(game);
    }
    Ok(list)
}

/// Adds the vertices of a game, and gives that of the game itself.
fn read_game(text: &str, edges: &mut [Vec<(u32, u32)>; 2], len: &mut u32) -> Option<u32> {
    let switch = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    if let Some((left, right)) = switch.and_then(|text| text.split_once('|')) {
        let [left, right] = [left.trim(), right.trim()];
        if [left, right].iter().any(|side| side.contains(['{', '|'])) {
            return None;
        }
        let [left, right] = [read_game(left, edges, len)?, read_game(right, edges, len)?];
        let vertex = *len;
        *len += 1;
        edges[0].push((vertex, left));
        edges[1].push((vertex, right));
        return Some(vertex);
    }
    let number = |digits: &str, most: u32| {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|&number| plain && number <= most)
    };
    let first = *len;
    let last = if let Some(size) = text.strip_prefix('*') {
        let size = if size.is_empty() { 1 } else { number(size, MOST_NIMBER)? };
        let pairs = (first..=first + size).flat_map(|to| (first..to).map(move |from| (to, from)));
        for side in edges {
            side.extend(pairs.clone());
        }
        first + size
    } else {
        let (side, digits) = text.strip_prefix('-').map_or((0, text), |digits| (1, digits));
        let size = number(digits, MOST_INTEGER)?;
        edges[side].extend((first..first + size).map(|to| (to + 1, to)));
        first + size
    };
    *len = last + 1;
    Some(last)
}

/// Writes a loopfree game: integers and nimbers by name, others by their options.
fn write_exit(game: Stopper, stoppers: &Stoppers) -> String {
    let options = Player::BOTH.map(|player| stoppers.options(game, player).collect::<Vec<_>>());
    let chain = |player: Player| {
        let (mut here, mut steps) = (game, 0);
        while here != Stoppers::ZERO {
            let mut moves = stoppers.options(here, player);
            let next = moves.next().filter(|_| moves.next().is_none())?;
            stoppers.options(here, player.opponent()).next().is_none().then_some(())?;
            (here, steps) = (next, steps + 1);
        }
        Some(steps)
    };
    match Player::BOTH.map(chain) {
        [Some(steps), _] => return format!("{steps}"),
        [_, Some(steps)] => return format!("-{steps}"),
        _ => {}
    }
    // The options of a nimber are the nimbers below it, each of which has as many as are below.
    let [left, right] = &options;
    let below = |player| {
        let mut counts: Vec<usize> =
            left.iter().map(|&option| stoppers.options(option, player).count()).collect();
        counts.sort_unstable();
        counts.into_iter().eq(0..left.len())
    };
    let inside = |&option: &Stopper| {
        Player::BOTH
            .iter()
            .all(|&player| stoppers.options(option, player).all(|to| left.contains(&to)))
    };
    if left == right && Player::BOTH.into_iter().all(below) && left.iter().all(inside) {
        return if left.len() == 1 { "*".to_owned() } else { format!("*{}", left.len()) };
    }
    let [left, right] = options.map(|list| {
        let words: Vec<String> = list.iter().map(|&option| write_exit(option, stoppers)).collect();
        words.join(",")
    });
    format!("{{{left}|{right}}}")
}
