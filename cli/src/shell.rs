//! `saiban completions` and `saiban man`: what shells and `man` read. Both are made from the
//! definition of the arguments.

use crate::args::{Completions, Man, Shell};
use crate::command::Arguments;
use crate::failure::Failure;
use crate::output;
use clap::CommandFactory as _;
use clap_complete::generate;
use clap_complete::shells::{Bash, Fish, Zsh};

pub(crate) fn completions(arguments: &Completions) -> Result<(), Failure> {
    let (mut program, name) = (Arguments::command(), "saiban");
    let mut script = Vec::new();
    match arguments.shell {
        Shell::Bash => generate(Bash, &mut program, name, &mut script),
        Shell::Zsh => generate(Zsh, &mut program, name, &mut script),
        Shell::Fish => generate(Fish, &mut program, name, &mut script),
    }
    output::print(String::from_utf8_lossy(&script).trim_end())
}

pub(crate) fn man(arguments: &Man) -> Result<(), Failure> {
    let mut program = Arguments::command();
    // Gives the subcommands their full names.
    program.build();
    let mut described = &program;
    for word in &arguments.subcommand {
        described = described.find_subcommand(word).ok_or_else(|| {
            Failure::Arguments(format!("{} has no subcommand {word:?}", described.get_bin_name().unwrap_or("saiban")))
        })?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(described.clone()).render(&mut page).map_err(Failure::io("the manual page"))?;
    output::print(String::from_utf8_lossy(&page).trim_end())
}
