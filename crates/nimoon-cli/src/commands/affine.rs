//! `nimoon affine`.

use clap::ValueEnum;
use nimoon::Fault;
use nimoon::affine::{Form, Forms, Interrupted, PositionError, Question, ReadError, Relation};
use nimoon::explore::ExploreError;
use nimoon_formats::Names;
use nimoon_formats::affine::{FormReport, FormsCompared, Lack, form_table, unknown_form_table};
use nimoon_formats::write::{JsonDigraph, game};
use nimoon_rulesets::expression::Expression;

use crate::args::RulesArgs;
use crate::certificates::NoCertificateArgs;
use crate::expressions::{Rules, Text};
use crate::failure::Failure;
use crate::limits::{self, BudgetArgs, OPTIONS, over_budget};
use crate::output::{or_unknown, print_json, print_text};

#[derive(Debug, clap::Args)]
pub(crate) struct AffineArgs {
    /// A form, a sum of forms, or a comparison of two; `-` is standard input, `@FILE` a file.
    #[arg(value_name = "FORM", required_unless_present = "of", allow_hyphen_values = true)]
    form: Option<String>,

    /// The literal form of positions, given as `ruleset:position` and joined by `+`.
    #[arg(long, value_name = "EXPR", conflicts_with = "form")]
    of: Option<String>,

    #[command(flatten)]
    rules: RulesArgs,

    /// Also tell in JSON whether the form is symmetric, loony, maneuverable and a Conway game, and when it is born.
    #[arg(long)]
    more: bool,

    #[command(flatten)]
    limits: BudgetArgs,

    /// How to print the answer; game and digraph are a digraph with a node of the same value.
    #[arg(long, value_enum, default_value_t = AffineFormat::Table)]
    format: AffineFormat,

    #[command(flatten)]
    certificate: NoCertificateArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AffineFormat {
    Table,
    Json,
    /// A digraph as a .game file.
    Game,
    /// A digraph as JSON.
    Digraph,
}

pub(crate) fn run(args: &AffineArgs) -> Result<(), Failure> {
    args.certificate.refuse(
        "affine forms: print the form with --format game, and label that digraph with --certificate",
    )?;
    or_unknown(answer(args), args.format == AffineFormat::Json, &FormReport::default())
}

fn answer(args: &AffineArgs) -> Result<(), Failure> {
    let mut forms = Forms::new();
    let question = match asked(args, &mut forms) {
        Err(over @ Failure::Budget { .. }) if args.format == AffineFormat::Table => {
            print_text(&unknown_form_table())?;
            return Err(over);
        }
        question => question?,
    };
    match question {
        Question::Form(form) => match args.format {
            AffineFormat::Json => json(args, &mut forms, form),
            AffineFormat::Table => table(args, &mut forms, form),
            AffineFormat::Game | AffineFormat::Digraph => digraph(args, &mut forms, form),
        },
        Question::Compare(g, relation, h) => compare(args, &mut forms, g, relation, h),
    }
}

fn asked(args: &AffineArgs, forms: &mut Forms) -> Result<Question, Failure> {
    let mut effort = args.limits.effort();
    if let Some(positions) = &args.of {
        let text = Text::of_argument(positions, &effort)?;
        let mut rules = Rules::new(&args.rules, &effort)?;
        let Expression { fields, terms } = text.read(&mut rules)?;
        let found = forms.of_position(fields, &terms, &mut effort);
        return found.map(Question::Form).map_err(|error| match &error {
            PositionError::Interrupted(interrupted)
            | PositionError::Fault(Fault::Interrupted(interrupted))
            | PositionError::Explore(ExploreError::Interrupted { interrupted, .. }) => {
                limits::interrupted(*interrupted, &error, OPTIONS)
            }
            PositionError::Fault(Fault::TooMany { .. }) => {
                let over = Interrupted::positions(args.limits.positions);
                limits::interrupted(over, &error, OPTIONS)
            }
            _ => Failure::of_lines(&error.to_string()),
        });
    }
    let text = Text::of_argument(args.form.as_deref().unwrap_or_default(), &effort)?;
    forms.read_question(text.as_str(), &mut effort).map_err(|error| match error {
        ReadError::Notation(error) => text.wrong(error.at, &error.message),
        ReadError::Interrupted(interrupted) => over_budget(interrupted),
    })
}

fn json(args: &AffineArgs, forms: &mut Forms, form: Form) -> Result<(), Failure> {
    let (report, lack) = FormReport::new(forms, form, &args.limits.effort(), args.more);
    print_json(&report)?;
    match lack {
        Some(Lack::Interrupted(interrupted)) => Err(over_budget(interrupted)),
        Some(lack @ Lack::TooLong) => Err(Failure::Budget { message: lack.to_string() }),
        None => Ok(()),
    }
}

fn table(args: &AffineArgs, forms: &mut Forms, form: Form) -> Result<(), Failure> {
    let (text, missing) = form_table(forms, form, &args.limits.effort());
    print_text(&text)?;
    missing.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)))
}

/// Prints a digraph with a node of the same value.
fn digraph(args: &AffineArgs, forms: &mut Forms, form: Form) -> Result<(), Failure> {
    let made = forms.digraph(form, &mut args.limits.effort()).map_err(over_budget)?;
    let made = made.map_err(|reason| {
        let reason = forms.reason(&reason, form);
        Failure::input(format!("only affine impartial forms have a digraph, and {reason}"))
    })?;
    let names: Names = (0..made.digraph.len() as u32)
        .map(|node| match node {
            0 => "x".to_owned(),
            node if made.digraph.is_gray(node) => format!("g{node}"),
            node => format!("w{node}"),
        })
        .collect::<Vec<String>>()
        .iter()
        .collect();
    if args.format == AffineFormat::Digraph {
        return print_json(&JsonDigraph::new(&made.digraph, &names));
    }
    let text = game(&made.digraph, &names).map_err(|error| Failure::other(error.to_string()))?;
    print_text(&format!(
        "# {} has the value of {}\n{text}",
        names.name(made.start),
        forms.short_text(form)
    ))
}

fn compare(
    args: &AffineArgs,
    forms: &mut Forms,
    g: Form,
    relation: Relation,
    h: Form,
) -> Result<(), Failure> {
    if matches!(args.format, AffineFormat::Game | AffineFormat::Digraph) {
        return Err(Failure::input("a comparison has no digraph: use --format table or json"));
    }
    let (compared, missing) = FormsCompared::new(forms, [g, h], relation, &args.limits.effort());
    if args.format == AffineFormat::Json {
        print_json(&compared)?;
    } else {
        print_text(&compared.text())?;
    }
    missing.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)))
}
