//! The command `saiban`, as a library: the binary, the Python package and the npm package all run this.
//!
//! Data goes to stdout. What is wrong goes to stderr, in one line; the exit code is 2 for bad input and 1 where the
//! machine fails (a full disk, a clock set back). `check` has done its work when it finds an ID that repeats, and says so with 3.

#![forbid(unsafe_code)]

mod args;
mod check;
mod columns;
mod convert;
#[cfg(feature = "lease")]
mod counter;
pub mod duplicates;
mod failure;
mod ids;
mod inspect;
mod layout;
#[cfg(feature = "lease")]
mod lease;
mod new;
mod nodes;
mod output;
mod plot;
mod progress;
mod range;
mod scheme;
mod script;
mod secret;
#[cfg(feature = "serve")]
mod serve;
mod time;

use args::{Arguments, Command};
use clap::Parser;
use clap::error::ErrorKind as ArgumentErrorKind;
use failure::Failure;
use std::ffi::OsString;

/// Runs the command with these arguments (without the program's name) and answers its exit code: 0; 2 for bad input; 1
/// where the machine fails; 3 where `check` finds an ID that repeats. `lease acquire` answers as the command that it ran.
///
/// ```
/// assert_eq!(saiban_cli::run(["inspect", "1741610183685074945", "--scheme", "snowflake"].map(Into::into)), 0);
/// ```
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run_with(arguments, false)
}

/// [`run`], in a process whose runtime replaces a closed stdout by `/dev/null`, as those of Rust
/// and Node do.
///
/// ```
/// assert_eq!(saiban_cli::run_where_closed_is_null(["--version"].map(Into::into)), 0);
/// ```
pub fn run_where_closed_is_null(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run_with(arguments, true)
}

fn run_with(arguments: impl IntoIterator<Item = OsString>, closed_is_null: bool) -> u8 {
    output::note_whether_closed(closed_is_null);
    let program = std::iter::once(OsString::from("saiban"));
    let done = match Arguments::try_parse_from(program.chain(arguments)) {
        Ok(arguments) => dispatch(arguments.command),
        Err(error) if matches!(error.kind(), ArgumentErrorKind::DisplayHelp | ArgumentErrorKind::DisplayVersion) => {
            output::print(&error.to_string()).map(|()| 0)
        }
        Err(error) => Err(Failure::from(error)),
    };
    match done {
        Ok(code) => code,
        // Who reads us has enough, as in `saiban new … | head`: nothing is wrong.
        Err(failure) if failure.is_broken_pipe() => 0,
        Err(failure) => {
            failure.tell();
            failure.exit_code()
        }
    }
}

/// [`run`] in the program `saiban`, which `lease acquire` starts once more to have its command end with it.
pub fn run_program(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    #[cfg(feature = "lease")]
    lease::is_program();
    run_where_closed_is_null(arguments)
}

fn dispatch(command: Command) -> Result<u8, Failure> {
    let done = match command {
        Command::New(new) => new::run(&new),
        Command::Inspect(inspect) => return inspect::run(&inspect),
        Command::Convert(convert) => convert::run(&convert),
        Command::Layout(layout) => layout::run(&layout),
        Command::Range(range) => range::run(&range),
        Command::Secret(secret) => secret::run(&secret),
        Command::Plot(plot) => plot::run(&plot),
        Command::Check(check) => return check::run(&check),
        Command::Nodes(nodes) => nodes::run(&nodes),
        #[cfg(feature = "lease")]
        Command::Lease(lease) => return lease::run(&lease),
        #[cfg(feature = "lease")]
        Command::Counter(counter) => counter::run(&counter),
        #[cfg(feature = "serve")]
        Command::Serve(serve) => serve::run(&serve),
        Command::Sql(sql) => script::sql(&sql),
        Command::Lua(lua) => script::lua(&lua),
    };
    done.map(|()| 0)
}
