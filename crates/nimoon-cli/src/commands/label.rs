//! `nimoon label`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use nimoon::graph::product::{ProductError, product};
use nimoon::impartial::sets::Sets;
use nimoon::solve::solution::PositionDigraph;
use nimoon::{Labelling, Labels, Refutation, Work, label_smallest};
use nimoon_audit::as_printed;
use nimoon_formats::write::{
    JsonDigraph, JsonLabels, PictureError, PictureOptions, PrintedLabels, Report, game, latex,
    missing_words, refutation_words, svg, write_csv, write_dot, write_json, write_table,
};
use nimoon_formats::{Game, Names};
use nimoon_memory::ReportingAllocator;
use nimoon_session::certificate::LabelsCertificate;
use nimoon_session::expression::Expression;
use nimoon_session::report::ExplanationReport;
use serde::Serialize;

use crate::args::{InputArgs, LabelArgs, LabelFormat, PictureArgs};
use crate::certificates;
use crate::expressions::{Rules, Text, unsolved};
use crate::failure::Failure;
use crate::input;
use crate::limits::{self, OPTIONS, over_budget};
use crate::output::{complain, or_unknown, print, print_answer, print_json, print_text};
use crate::progress::Progress;

pub(crate) fn run(args: &LabelArgs) -> Result<(), Failure> {
    let is_json = args.format == LabelFormat::Json;
    if args.explain.is_some() || args.product.is_some() {
        or_unknown(answer(args), is_json, &())
    } else {
        or_unknown(answer(args), is_json, &JsonLabels::default())
    }
}

fn answer(args: &LabelArgs) -> Result<(), Failure> {
    check(args)?;
    args.threads.start()?;
    // A digraph is a few large lists, one made from the other.
    ReportingAllocator::keep_large_blocks();
    let progress = Arc::new(Progress::new());
    progress.stage(format!("reading {}", args.input.name()));
    let start = Instant::now();
    let shown = Arc::downgrade(&progress);
    let work = args.theory.limits.work().on_progress(move |at| {
        if let Some(progress) = shown.upgrade() {
            progress.show(at);
        }
    });
    let (mut game, read, start) = if let Some(text) = position(&args.input) {
        let game = explored(args, text, &work)?;
        (game, start.elapsed(), Instant::now())
    } else {
        let source = input::source(&args.input, &work)?;
        let read = start.elapsed();
        progress.stage(format!("sorting {} arcs", source.arcs.len()));
        let start = Instant::now();
        (input::build(&args.input, source)?, read, start)
    };
    if let Some(nodes) = &args.product {
        game = product_of(args, &game, &nodes[0], &nodes[1])?;
        match args.format {
            LabelFormat::Table => {
                drop(progress);
                return print_game(&game);
            }
            LabelFormat::Json => {
                drop(progress);
                return print_json(&JsonDigraph::new(&game.digraph, &game.names));
            }
            _ => {}
        }
    }
    progress.stage("labelling");
    let labelling = labels(args, &game, &work)?;
    let labelled = start.elapsed();
    drop(progress);
    if let Some(labelling) = labelling.single().filter(|labelling| labelling.is_complete())
        && args.certificate.is_requested()
    {
        let work = args.theory.limits.work();
        let certificate = LabelsCertificate::new(&game.digraph, labelling, &work)
            .map_err(certificates::failure)?;
        args.certificate.save(|out| certificate.write(|node| game.names.name(node), out))?;
    }
    if let Some(name) = &args.explain {
        let node = input::node(&args.input, &game.names, name)?;
        let explanation = labelling
            .explain(&game.digraph, node, &args.theory.limits.work())
            .map_err(over_budget)?;
        let name = |node| game.names.name(node).into_owned();
        let report = ExplanationReport::of_node(node, name, &explanation);
        match args.format {
            LabelFormat::Table => print_text(report.text())?,
            _ => print_json(&report)?,
        }
    } else {
        // Pictures show the rounds as the papers' figures do.
        let steps = args.steps || matches!(args.format, LabelFormat::Svg | LabelFormat::Latex);
        let work = args.theory.limits.work();
        let (rounds, unknown) =
            match steps.then(|| labelling.try_rounds(&game.digraph, &work)).transpose() {
                Ok(rounds) => (rounds, None),
                Err(interrupted) => (None, Some(interrupted)),
            };
        let sets = args.sets.then(|| sets(&game, &*labelling, &work)).transpose()?;
        let printed = args.as_printed.then(|| as_printed(&game, &work)).transpose()?;
        let report = Report {
            rounds: rounds.as_deref(),
            sets: sets.as_ref(),
            printed: printed.as_ref(),
            ..Report::new(&game.digraph, &game.names, &*labelling)
        };
        write(args, &game.names, &report)?;
        if let Some(interrupted) = unknown.filter(|_| labelling.is_complete()) {
            return Err(over_budget(interrupted));
        }
    }
    if args.timing.is_some() {
        print_timing(args, read, labelled)?;
    }
    let interrupted = labelling.incomplete().and_then(Labelling::interrupted);
    match (interrupted, missing_words(&*labelling)) {
        (Some(interrupted), Some(message)) => {
            Err(limits::interrupted(interrupted, message, OPTIONS))
        }
        _ => Ok(()),
    }
}

/// The argument, if it is not a file but positions of rulesets.
fn position(input: &InputArgs) -> Option<&str> {
    let text = input.file.to_str().filter(|text| text.contains(':'))?;
    (input.input.is_none() && !input.file.exists()).then_some(text)
}

/// The digraph of everything that play reaches from a sum of positions.
fn explored(args: &LabelArgs, text: &str, work: &Work) -> Result<Game, Failure> {
    let text = Text::new(text);
    let expression = text.read(&mut Rules::new(&args.rules, work)?)?;
    let Expression { fields, terms } = expression;
    let found = PositionDigraph::new(fields, &terms, work);
    found.map(Game::from).map_err(|error| unsolved(&error, OPTIONS))
}

/// D(G), F(G), P(G) and Cr of all nodes.
fn sets(game: &Game, labelling: &dyn Labels, work: &Work) -> Result<Sets, Failure> {
    let found = Sets::of(&game.digraph, labelling, work).map_err(over_budget)?;
    found.ok_or_else(|| several_options("--sets", game))
}

/// What Algorithm 8 gives as it is printed.
fn as_printed(game: &Game, work: &Work) -> Result<PrintedLabels, Failure> {
    let found = as_printed::steps(&game.digraph, false, &mut work.child(work.limits()));
    found.map_err(over_budget)?.map(Into::into).ok_or_else(|| several_options("--as-printed", game))
}

fn several_options(option: &str, Game { digraph, names, .. }: &Game) -> Failure {
    let gray = digraph.gray_nodes().find(|&gray| digraph.options(gray).len() > 1);
    let because = refutation_words(&Refutation::ManyOptions(gray.unwrap_or_default()), names);
    Failure::input(format!("{option} is for digraphs that fit the carry-on theory: {because}"))
}

/// Labels a digraph by the requested theory.
fn labels(args: &LabelArgs, game: &Game, work: &Work) -> Result<Box<dyn Labels>, Failure> {
    Ok(if args.smallest {
        Box::new(label_smallest(&game.digraph, work))
    } else {
        Box::new(input::labelling(&args.input, &args.theory, game, work)?)
    })
}

/// Returns an error for options that would have no effect.
fn check(args: &LabelArgs) -> Result<(), Failure> {
    let is_picture = matches!(args.format, LabelFormat::Svg | LabelFormat::Latex);
    let is_table_or_json = matches!(args.format, LabelFormat::Table | LabelFormat::Json);
    if args.explain.is_some() && !is_table_or_json {
        return Err(Failure::input("--explain prints as table or json only"));
    }
    if args.picture.around.is_some() && !is_picture {
        return Err(Failure::input("--around is for pictures: use it with --format svg or latex"));
    }
    if args.product.is_some() && is_table_or_json {
        let given = [
            ("--theory", args.theory.theory.is_some()),
            ("--smallest", args.smallest),
            ("--steps", args.steps),
            ("--sets", args.sets),
            ("--as-printed", args.as_printed),
            ("--timing", args.timing.is_some()),
            ("--certificate", args.certificate.is_requested()),
        ];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::input(format!(
                "{option} cannot be used with --product and --format table or json: they export \
                 the digraph and label nothing"
            )));
        }
    }
    Ok(())
}

fn write(args: &LabelArgs, names: &Names, report: &Report<'_>) -> Result<(), Failure> {
    let options = || {
        let around = args.picture.around.as_ref();
        let around = around.map(|name| input::node(&args.input, names, name)).transpose()?;
        let (radius, max_nodes) = (args.picture.radius, args.picture.max_nodes.into());
        Ok(PictureOptions { around, radius, max_nodes })
    };
    let too_large = |error: PictureError| {
        let advice = match error {
            PictureError::NoSuchNode { .. } => "",
            _ => ": ask for a neighbourhood with --around NODE and a small --radius",
        };
        let raise = if args.picture.max_nodes < PictureArgs::MOST_NODES {
            ", or raise the limit by --max-nodes"
        } else {
            ""
        };
        Failure::input(format!("{error}{advice}{raise}"))
    };
    match args.format {
        LabelFormat::Table => print_answer(|mut out| write_table(report, &mut out)),
        LabelFormat::Json => print(|mut out| write_json(report, &mut out)),
        LabelFormat::Csv => print(|mut out| write_csv(report, &mut out)),
        LabelFormat::Dot => print(|mut out| write_dot(report, &mut out)),
        LabelFormat::Svg => print_text(&svg(report, &options()?).map_err(too_large)?),
        LabelFormat::Latex => print_text(&latex(report, &options()?).map_err(too_large)?),
        LabelFormat::None => Ok(()),
    }
}

/// The digraph of two pieces, its nodes named as pairs.
fn product_of(args: &LabelArgs, game: &Game, x: &str, y: &str) -> Result<Game, Failure> {
    let find = |name| input::node(&args.input, &game.names, name);
    let found = product(&game.digraph, find(x)?, find(y)?, &args.theory.limits.work());
    let found = found.map_err(|error| match error {
        ProductError::Interrupted(interrupted, _) => {
            limits::interrupted(interrupted, error, OPTIONS)
        }
        error => Failure::input(format!("`{x}` and `{y}`: {error}")),
    })?;
    let pair = |&(x, y)| format!("({},{})", game.names.name(x), game.names.name(y));
    let names: Names = found.pairs.iter().map(pair).collect();
    if names.len() < found.pairs.len() {
        return Err(Failure::input(
            "two pairs of nodes get the same name: rename nodes whose names hold `,`",
        ));
    }
    let (terminals, players) = (Vec::new(), Vec::new());
    Ok(Game { digraph: found.digraph, names, terminals, players })
}

fn print_game(product: &Game) -> Result<(), Failure> {
    let text = game(&product.digraph, &product.names)
        .map_err(|error| Failure::input(format!("{error} (--format json)")))?;
    print_text(&text)
}

#[derive(Serialize)]
struct Timing {
    read_s: f64,
    label_s: f64,
    peak_rss_mb: Option<f64>,
}

fn print_timing(args: &LabelArgs, read: Duration, labelled: Duration) -> Result<(), Failure> {
    let timing = Timing {
        read_s: read.as_secs_f64(),
        label_s: labelled.as_secs_f64(),
        peak_rss_mb: peak_rss_mb(),
    };
    if args.format == LabelFormat::None {
        print_json(&timing)
    } else {
        let json = serde_json::to_string(&timing);
        complain(format_args!("{}", json.unwrap_or_else(|error| error.to_string())));
        Ok(())
    }
}

/// The peak memory of this process, if the system reports it.
fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}
