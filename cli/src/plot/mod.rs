//! `saiban plot`: draws a stream of IDs as SVG. Only `lib.rs` uses it.

mod picture;
mod scale;
mod survey;

use crate::args::{Plot, Width};
use crate::failure::Failure;
use crate::ids::{self, Form};
use crate::output::Output;
use crate::progress::Progress;
use survey::Survey;

pub(crate) fn run(arguments: &Plot) -> Result<(), Failure> {
    let form = Form::of(&arguments.ids, Width { bits: Some(u64::BITS), width: None })?;
    let mut survey = Survey::default();
    {
        let progress = Progress::counting("read");
        ids::each(&arguments.ids, form, &progress, |id| {
            survey.add(id);
            Ok(())
        })?;
    }
    if survey.ids == 0 {
        return Err(Failure::Input { place: "no IDs".into(), problem: "there is nothing to draw" });
    }
    let title = arguments.title.as_deref().unwrap_or("IDs");
    let mut output = Output::open(arguments.output.as_deref())?;
    output.line(&picture::draw(title, &survey))?;
    output.finish()
}
