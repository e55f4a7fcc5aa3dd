//! Runs this test program again, in a process of its own.

use std::process::Command;

/// A command that runs this program. On the machine of another processor it runs in the emulator
/// that `SAIBAN_RUNNER` names, with its arguments.
pub fn this_program() -> Command {
    let program = std::env::current_exe().expect("this program");
    let runner = std::env::var("SAIBAN_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let Some(emulator) = words.next() else { return Command::new(program) };
    let mut command = Command::new(emulator);
    command.args(words).arg(program);
    command
}
