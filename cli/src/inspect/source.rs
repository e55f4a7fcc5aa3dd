//! Reads the IDs of `saiban inspect` from the arguments and from stdin.

use super::reporter::{Place, Reporter};
use crate::failure::Failure;
use saiban::ErrorKind;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};

/// The longest line that is read, in bytes. IDs are shorter. The limit keeps input without line
/// breaks out of memory.
const LONGEST_LINE: u64 = 1 << 10;

const STDIN: &str = "-";

/// Inspects each ID of the arguments. It reads stdin for the argument `-`, or without arguments if
/// stdin is not a terminal.
pub(super) fn each(ids: &[String], reporter: &mut Reporter) -> Result<(), Failure> {
    if ids.is_empty() {
        // Empty input is more likely a variable that is not set than an intended list of no IDs.
        if io::stdin().is_terminal() || lines(reporter)? == 0 {
            return Err(Failure::Arguments("no ID is given: give IDs, or - for those on stdin, one a line".into()));
        }
        return Ok(());
    }
    ids.iter()
        .try_for_each(|id| if id == STDIN { lines(reporter).map(|_| ()) } else { reporter.text(id, Place::Argument) })
}

/// Inspects each line of stdin. Returns how many lines were not blank.
fn lines(reporter: &mut Reporter) -> Result<u64, Failure> {
    let mut reported = 0;
    let mut stdin = BufReader::new(io::stdin().lock());
    let mut line = Vec::with_capacity(LONGEST_LINE as usize);
    for number in 1.. {
        // Before waiting for the next ID, show the result of the last one.
        if stdin.buffer().is_empty() {
            reporter.output.flush()?;
        }
        line.clear();
        if stdin.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(Failure::io("stdin"))? == 0 {
            break;
        }
        let is_cut = line.len() == LONGEST_LINE as usize && !line.ends_with(b"\n");
        if is_cut {
            stdin.skip_until(b'\n').map_err(Failure::io("stdin"))?;
        }
        match str::from_utf8(&line) {
            _ if is_cut => {
                reporter.no_text(&line, number, ErrorKind::TextLength, "longer than any ID: one ID a line")?
            }
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => reporter.text(text, Place::Line(number))?,
            Err(_) => {
                reporter.no_text(&line, number, ErrorKind::TextCharacter, "not text (UTF-8): give IDs as text")?
            }
        }
        reported += 1;
    }
    Ok(reported)
}
