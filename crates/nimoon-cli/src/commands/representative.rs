//! `nimoon representative`.

use nimoon::representative::{RepresentativeError, representative};
use nimoon::rounds::rounds;
use nimoon::{AnyValue, Budget, Theory, label};
use nimoon_formats::Names;
use nimoon_formats::write::{JsonDigraph, PictureOptions, Report, game, latex, svg, write_dot};

use crate::args::{RepresentativeArgs, RepresentativeFormat};
use crate::failure::Failure;
use crate::output::{print, print_json, print_text};

pub(crate) fn run(args: &RepresentativeArgs) -> Result<(), Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::input(error.to_string());
    let value: AnyValue = args.value.parse().map_err(|error| bad(&error))?;
    let found = representative(&value, Budget::DEFAULT).map_err(|error| match error {
        RepresentativeError::TooLarge { .. } => Failure::Budget { message: error.to_string() },
        error => bad(&error),
    })?;
    let names: Names = found.names.iter().collect();
    // The values of the carry-on theory are finer than those of the smallest theory that fits.
    let carry_on = matches!(&value, AnyValue::CarryOn(value) if value.nimber().is_none());
    let theory = carry_on.then_some(Theory::CarryOn);
    let labelling = label(&found.digraph, theory, Budget::DEFAULT).map_err(|error| bad(&error))?;
    let rounds = rounds(&found.digraph, &labelling);
    let report = Report {
        digraph: &found.digraph,
        names: &names,
        labelling: &labelling,
        rounds: Some(&rounds),
    };
    let options = PictureOptions::default();
    match args.format {
        RepresentativeFormat::Game => {
            let text = game(&found.digraph, &names).map_err(|error| bad(&error))?;
            print_text(&format!("# {} has value {value:#}\n{text}", names.name(found.start)))
        }
        RepresentativeFormat::Json => print_json(&JsonDigraph::new(&found.digraph, &names)),
        RepresentativeFormat::Dot => print(|mut out| write_dot(&report, &mut out)),
        RepresentativeFormat::Svg => {
            print_text(&svg(&report, &options).map_err(|error| bad(&error))?)
        }
        RepresentativeFormat::Latex => {
            print_text(&latex(&report, &options).map_err(|error| bad(&error))?)
        }
    }
}
