//! The command `saiban` as a library. The binary, the Python package and the npm package run it.
//!
//! Data goes to stdout. An error goes to stderr, in one line. The exit code is 2 for bad input, and
//! 1 for a failure of the machine or a store (a full disk, a clock set back). `check` exits with 3
//! if it finds a repeated ID.

#![forbid(unsafe_code)]

mod args;
mod check;
mod columns;
mod command;
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
mod shell;
mod spec;
mod suggest;
mod time;

use clap::Parser;
use clap::error::ErrorKind as ArgumentErrorKind;
use command::{Arguments, Command};
use failure::Failure;
use std::ffi::OsString;

/// Runs the command with these arguments, without the program's name, and returns its exit code.
///
/// The exit code is 0 for success, 2 for bad input, and 1 for a failure of the machine or a store.
/// `check` returns 3 if it finds a repeated ID. `lease acquire` returns the exit code of the
/// command that it ran, or 124 if the lease was lost.
///
/// ```
/// assert_eq!(saiban_cli::run(["inspect", "1741610183685074945", "--scheme", "snowflake"].map(Into::into)), 0);
/// ```
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run_with(arguments, false)
}

/// Runs the command like [`run`], in a process whose runtime opens `/dev/null` in place of a closed
/// stdout. The runtimes of Rust and Node do so.
///
/// ```
/// assert_eq!(saiban_cli::run_where_closed_is_null(["--version"].map(Into::into)), 0);
/// ```
pub fn run_where_closed_is_null(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run_with(arguments, true)
}

fn run_with(arguments: impl IntoIterator<Item = OsString>, closed_is_null: bool) -> u8 {
    output::note_whether_closed(closed_is_null);
    let arguments: Vec<_> = std::iter::once(OsString::from("saiban")).chain(arguments).collect();
    let done = match Arguments::try_parse_from(&arguments) {
        Ok(arguments) => dispatch(arguments.command),
        Err(error) if matches!(error.kind(), ArgumentErrorKind::DisplayHelp | ArgumentErrorKind::DisplayVersion) => {
            output::print(&error.to_string()).map(|()| 0)
        }
        Err(error) => Err(Failure::of_arguments(&error, &arguments)),
    };
    match done {
        Ok(code) => code,
        // The reader closed the pipe because it has enough, as in `saiban new … | head`: no error.
        Err(failure) if failure.is_broken_pipe() => 0,
        Err(failure) => {
            failure.print();
            failure.exit_code()
        }
    }
}

/// Runs the command like [`run_where_closed_is_null`], in the program `saiban` itself. On Linux
/// `lease acquire` then starts this program's file again, so that its command ends with it.
pub fn run_program(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    #[cfg(all(unix, feature = "lease"))]
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
        Command::Completions(completions) => shell::completions(&completions),
        Command::Man(man) => shell::man(&man),
    };
    done.map(|()| 0)
}
