//! `nimoon representative`.

use nimoon::impartial::representative::{RepresentativeError, representative};
use nimoon::impartial::rounds::try_rounds;
use nimoon::{AnyValue, Theory, label};
use nimoon_formats::Names;
use nimoon_formats::write::{
    JsonDigraph, PictureError, PictureOptions, Report, game, latex, svg, write_dot,
};

use crate::args::{RepresentativeArgs, RepresentativeFormat};
use crate::failure::Failure;
use crate::limits::{self, OPTIONS, over_budget};
use crate::output::{print, print_json, print_text};

pub(crate) fn run(args: &RepresentativeArgs) -> Result<(), Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::input(error.to_string());
    let value: AnyValue = args.value.parse().map_err(|error| bad(&error))?;
    let work = args.limits.work();
    let found = representative(&value, &work).map_err(|error| match error {
        RepresentativeError::Interrupted { interrupted, .. } => {
            limits::interrupted(interrupted, error, OPTIONS)
        }
        RepresentativeError::TooLarge { .. } => Failure::Budget { message: error.to_string() },
        error => bad(&error),
    })?;
    let names: Names = found.names.iter().collect();
    // The values of the carry-on theory are finer than those of the smallest theory that fits.
    let carry_on = matches!(&value, AnyValue::CarryOn(value) if value.nimber().is_none());
    let theory = carry_on.then_some(Theory::CarryOn);
    let labelling = label(&found.digraph, theory, &work).map_err(|error| bad(&error))?;
    if let Some(interrupted) = labelling.interrupted() {
        return Err(over_budget(interrupted));
    }
    let rounds = try_rounds(&found.digraph, &labelling, &work).map_err(over_budget)?;
    let report =
        Report { rounds: Some(&rounds), ..Report::new(&found.digraph, &names, &labelling) };
    let options = PictureOptions::default();
    let no_picture = |error: PictureError| {
        Failure::input(format!("{}: use --format game or json", error.fact()))
    };
    match args.format {
        RepresentativeFormat::Game => {
            let text = game(&found.digraph, &names).map_err(|error| bad(&error))?;
            let smallest = label(&found.digraph, None, &work).map_err(|error| bad(&error))?;
            let theory = match theory {
                Some(theory) if smallest.value(found.start).as_ref() != Some(&value) => {
                    format!(" in the {theory} theory (--theory {theory})")
                }
                _ => String::new(),
            };
            let start = names.name(found.start);
            print_text(&format!("# {start} has value {value:#}{theory}\n{text}"))
        }
        RepresentativeFormat::Json => print_json(&JsonDigraph::new(&found.digraph, &names)),
        RepresentativeFormat::Dot => print(|mut out| write_dot(&report, &mut out)),
        RepresentativeFormat::Svg => print_text(&svg(&report, &options).map_err(no_picture)?),
        RepresentativeFormat::Latex => print_text(&latex(&report, &options).map_err(no_picture)?),
    }
}
