//! `nimoon completions`.

use clap::Args;
use clap_complete::{Shell, generate};

use crate::failure::Failure;
use crate::help;
use crate::output::print;

pub(crate) const EXAMPLES: &str = "\
Examples:
  nimoon completions bash > ~/.local/share/bash-completion/completions/nimoon
  nimoon completions zsh > ~/.zfunc/_nimoon
  nimoon completions fish > ~/.config/fish/completions/nimoon.fish";

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell that reads the script.
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut help::command(), "nimoon", &mut script);
    print(|out| out.write_all(&script))
}
