//! The command `saiban`, in this process.

use napi_derive::napi;
use std::ffi::OsString;

/// Runs the command with these arguments (without the program's name) and returns its exit code.
#[napi(catch_unwind)]
pub fn run_cli(arguments: Vec<String>) -> u8 {
    saiban_cli::run_where_closed_is_null(arguments.into_iter().map(OsString::from))
}
