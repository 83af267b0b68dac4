//! `nimoon affine`.

use clap::ValueEnum;
use nimoon::solve::explore::ExploreError;
use nimoon::{
    Fault, Interrupted,
    affine::{Form, Forms, Question, ReadError, Relation},
    solve::affine::PositionError,
};
use nimoon_session::affine::{
    FormDigraph, FormReport, FormsCompared, Lack, form_table, unknown_form_table,
};
use nimoon_session::expression::Expression;

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

    /// Use the literal form of these positions, written `ruleset:position` and joined by `+`.
    #[arg(long, value_name = "EXPR", conflicts_with = "form")]
    of: Option<String>,

    #[command(flatten)]
    rules: RulesArgs,

    /// Add to the JSON whether the form is symmetric, loony, maneuverable and a Conway game, and
    /// its birthday.
    #[arg(long)]
    more: bool,

    #[command(flatten)]
    limits: BudgetArgs,

    /// Print the answer in this format; game and digraph print a digraph with a node of the same
    /// value.
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
        Err(over @ (Failure::Budget { .. } | Failure::Limit { .. }))
            if args.format == AffineFormat::Table =>
        {
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
    let mut work = args.limits.work();
    if let Some(positions) = &args.of {
        let text = Text::of_argument(positions, &work)?;
        let mut rules = Rules::new(&args.rules, &work)?;
        let Expression { fields, terms } = text.read(&mut rules)?;
        let found = forms.of_position(fields, &terms, &mut work);
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
            PositionError::Fault(Fault::Limit(_))
            | PositionError::Explore(ExploreError::Limit { .. }) => {
                Failure::limit(&error.to_string())
            }
            _ => Failure::of_lines(&error.to_string()),
        });
    }
    let text = Text::of_argument(args.form.as_deref().unwrap_or_default(), &work)?;
    forms.read_question(text.as_str(), &mut work).map_err(|error| match error {
        ReadError::Notation(error) => text.wrong(error.at, &error.message),
        ReadError::Interrupted(interrupted) => over_budget(interrupted),
        error => Failure::input(error.to_string()),
    })
}

fn json(args: &AffineArgs, forms: &mut Forms, form: Form) -> Result<(), Failure> {
    let (report, lack) = FormReport::new(forms, form, &args.limits.work(), args.more);
    print_json(&report)?;
    match lack {
        Some(Lack::Interrupted(interrupted)) => Err(over_budget(interrupted)),
        Some(lack) => Err(Failure::Budget { message: lack.to_string() }),
        None => Ok(()),
    }
}

fn table(args: &AffineArgs, forms: &mut Forms, form: Form) -> Result<(), Failure> {
    let (text, missing) = form_table(forms, form, &args.limits.work());
    print_text(&text)?;
    missing.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)))
}

/// Prints a digraph with a node of the same value.
fn digraph(args: &AffineArgs, forms: &mut Forms, form: Form) -> Result<(), Failure> {
    let made = FormDigraph::new(forms, form, &mut args.limits.work()).map_err(over_budget)?;
    let made = made.map_err(Failure::input)?;
    if args.format == AffineFormat::Digraph {
        return print_json(&made.json());
    }
    print_text(&made.game().map_err(|error| Failure::other(error.to_string()))?)
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
    let (compared, missing) = FormsCompared::new(forms, [g, h], relation, &args.limits.work());
    if args.format == AffineFormat::Json {
        print_json(&compared)?;
    } else {
        print_text(&compared.text())?;
    }
    missing.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)))
}
