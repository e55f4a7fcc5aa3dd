//! `saiban inspect`: reads IDs, finds their possible formats, and writes these as a table or as
//! JSON. Only `lib.rs` uses it.

mod answers;
mod asked;
mod json;
mod source;
mod table;
mod teller;

use crate::args::Inspect;
use crate::failure::Failure;
use crate::output::Output;
use crate::scheme::read_layout;
use answers::Answers;
use saiban::Layout;
use teller::Teller;

/// Inspects all IDs. Returns 0, or the exit code 2 if a text was not an ID; the other IDs are still
/// shown.
pub(crate) fn run(arguments: &Inspect) -> Result<u8, Failure> {
    let layouts = arguments.layouts.iter().map(|text| read_layout(text).map_err(Failure::of("--layout")));
    let layouts = layouts.collect::<Result<Vec<Layout>, Failure>>()?;
    let inspector = asked::inspector(arguments, &layouts)?;
    let answers = Answers { inspector, layouts, all: arguments.all, json: arguments.json };
    let mut teller = Teller { answers, output: Output::stdout()?, exit_code: 0 };
    let told = source::each(&arguments.ids, &mut teller);
    let exit_code = teller.exit_code;
    // Write the results from before a stream failed.
    teller.output.finish()?;
    told.map(|()| exit_code)
}
