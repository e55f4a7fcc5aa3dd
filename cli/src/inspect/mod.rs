//! `saiban inspect`: reads IDs, finds their possible formats, and writes these as a table or as
//! JSON. Only `lib.rs` uses it.

mod asked;
mod json;
mod reporter;
mod source;
mod table;
mod view;

use crate::args::Inspect;
use crate::failure::Failure;
use crate::output::Output;
use crate::scheme::read_layout;
use reporter::Reporter;
use saiban::Layout;
use view::View;

/// Inspects all IDs. Returns 0, or the exit code 2 if a text was not an ID; the other IDs are still
/// shown.
pub(crate) fn run(arguments: &Inspect) -> Result<u8, Failure> {
    let layouts = arguments.layouts.iter().map(|text| read_layout(text).map_err(Failure::of("--layout")));
    let layouts = layouts.collect::<Result<Vec<Layout>, Failure>>()?;
    let inspector = asked::inspector(arguments, &layouts)?;
    let view = View { inspector, layouts, all: arguments.all, json: arguments.json };
    let mut reporter = Reporter { view, output: Output::stdout()?, exit_code: 0 };
    let outcome = source::each(&arguments.ids, &mut reporter);
    let exit_code = reporter.exit_code;
    // Write the results from before a stream failed.
    reporter.output.finish()?;
    outcome.map(|()| exit_code)
}
