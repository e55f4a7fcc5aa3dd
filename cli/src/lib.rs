//! The command `saiban`, as a library: the binary, the Python package and the npm package all run this.

use std::ffi::OsString;

/// Runs the command with these arguments (without the program's name) and answers its exit code: 0, or 2 for bad input.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let _ = args.into_iter().count();
    2
}
