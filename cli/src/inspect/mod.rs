//! `saiban inspect`: says what IDs can be.

mod asked;
mod json;
mod source;
mod table;

use crate::args::Inspect;
use crate::failure::Failure;
use crate::output::Output;
use crate::scheme::read_layout;
use saiban::inspect::Candidate;
use saiban::{ErrorKind, Inspector, Layout, Scheme};
use source::Place;

/// Answers 0, or 2 where some of the IDs were none: the others are told all the same.
pub(crate) fn run(arguments: &Inspect) -> Result<u8, Failure> {
    let layouts = arguments.layouts.iter().map(|text| read_layout(text).map_err(Failure::of("--layout")));
    let layouts = layouts.collect::<Result<Vec<Layout>, Failure>>()?;
    let inspector = asked::inspector(arguments, &layouts)?;
    let answers = Answers { inspector, layouts, all: arguments.all, json: arguments.json };
    let mut teller = Teller { answers, output: Output::stdout()?, exit_code: 0 };
    let told = source::each(&arguments.ids, &mut teller);
    let exit_code = teller.exit_code;
    // What was told before a stream failed is still written.
    teller.output.finish()?;
    told.map(|()| exit_code)
}

/// What is asked of every ID.
struct Answers {
    inspector: Inspector,
    layouts: Vec<Layout>,
    all: bool,
    json: bool,
}

impl Answers {
    /// A preset, a version, an order, a layout of the user's own: what tells forms of one scheme apart.
    fn layout(&self, candidate: &Candidate) -> Option<String> {
        let parts = candidate.parts();
        if let Some(name) = parts.layout {
            return Some(name.to_owned());
        }
        if parts.scheme == Scheme::UlidFlake {
            return Some(if parts.node.is_some() { "scalable" } else { "stand-alone" }.to_owned());
        }
        candidate.layout_index().and_then(|index| self.layouts.get(index)).map(Layout::to_string)
    }
}

fn why(candidate: &Candidate) -> Vec<String> {
    candidate.reasons().map(|reason| reason.to_string()).collect()
}

/// Tells of one ID after another.
struct Teller {
    answers: Answers,
    output: Output,
    exit_code: u8,
}

impl Teller {
    /// An ID, without white space around it: that comes with pasting.
    fn text(&mut self, text: &str, place: Place) -> Result<(), Failure> {
        let text = text.trim();
        match self.answers.inspector.inspect_text(text) {
            Ok(found) if self.answers.json => self.output.line(&json::found(&self.answers, text, &found)),
            Ok(found) => table::lines(&self.answers, text, &found).iter().try_for_each(|line| self.output.line(line)),
            Err(error) => {
                if self.answers.json {
                    self.output.line(&json::refused(text, &error))?;
                }
                let failure = Failure::of(text)(error);
                self.refuse(match place {
                    Place::Argument => failure,
                    Place::Line(number) => failure.in_line(number),
                })
            }
        }
    }

    /// A line that is too long, or not even text.
    fn no_text(&mut self, line: &[u8], number: u64, kind: ErrorKind, problem: &'static str) -> Result<(), Failure> {
        if self.answers.json {
            self.output.line(&json::no_text(line, kind, problem))?;
        }
        self.refuse(Failure::Input { place: format!("line {number}"), problem })
    }

    /// Says what was wrong, behind what was told before.
    fn refuse(&mut self, failure: Failure) -> Result<(), Failure> {
        self.output.flush()?;
        failure.tell();
        self.exit_code = failure.exit_code();
        Ok(())
    }
}
