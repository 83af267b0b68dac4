//! `nimoon man`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory as _};
use clap_mangen::Man;
use nimoon_formats::read::nearest;

use crate::args;
use crate::failure::Failure;
use crate::output::print;

pub(crate) const EXAMPLES: &str = "\
Examples:
  nimoon man | man -l -
  nimoon man value | man -l -
  nimoon man --out ~/.local/share/man/man1";

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Print the page of this command instead of the page of nimoon.
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Option<String>,

    /// Write the pages of nimoon and of all commands to this folder.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &ManArgs) -> Result<(), Failure> {
    let mut program = args::Args::command();
    program.build();
    if let Some(folder) = &args.out {
        return save(&program, "nimoon", folder);
    }
    let Some(name) = &args.command else { return print_page(&program, "nimoon") };
    let names = || program.get_subcommands().map(Command::get_name);
    let command = program.find_subcommand(name).ok_or_else(|| {
        let remedy = nearest(names(), name).map_or_else(
            || "`nimoon --help` lists the commands".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Failure::input(format!("unknown command `{name}`; {remedy}"))
    })?;
    print_page(command, &format!("nimoon-{name}"))
}

/// The page of a command in roff.
fn page(command: &Command, name: &str) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    let man = Man::new(command.clone().display_name(name)).title(name);
    man.render(&mut page).map_err(|error| Failure::other(error.to_string()))?;
    Ok(page)
}

fn print_page(command: &Command, name: &str) -> Result<(), Failure> {
    let page = page(command, name)?;
    print(|out| out.write_all(&page))
}

/// Writes the pages of a command and its subcommands.
fn save(command: &Command, name: &str, folder: &Path) -> Result<(), Failure> {
    let file = folder.join(format!("{name}.1"));
    let cannot = |error| Failure::other(format!("{} cannot be written: {error}", file.display()));
    fs::create_dir_all(folder).map_err(cannot)?;
    fs::write(&file, page(command, name)?).map_err(cannot)?;
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        save(inner, &format!("{name}-{}", inner.get_name()), folder)?;
    }
    Ok(())
}
