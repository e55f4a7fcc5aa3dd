//! Where the IDs come from: arguments, and stdin.

use super::Teller;
use crate::failure::Failure;
use saiban::ErrorKind;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};

/// Longer than any ID: what has no line breaks is not read into memory.
const LONGEST_LINE: u64 = 1 << 10;

const STDIN: &str = "-";

/// Where an ID stood.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Argument,
    /// Of stdin, counted from 1.
    Line(u64),
}

/// Has each ID told: of the arguments, of stdin where one is `-`, or where there are none and nobody types.
pub(super) fn each(ids: &[String], teller: &mut Teller) -> Result<(), Failure> {
    if ids.is_empty() {
        // Nothing at all is more likely a variable that is not set than no IDs.
        if io::stdin().is_terminal() || lines(teller)? == 0 {
            return Err(Failure::Arguments("no ID is given: give IDs, or - for those on stdin, one a line".into()));
        }
        return Ok(());
    }
    ids.iter().try_for_each(|id| if id == STDIN { lines(teller).map(|_| ()) } else { teller.text(id, Place::Argument) })
}

/// Answers how many lines there were that are not blank.
fn lines(teller: &mut Teller) -> Result<u64, Failure> {
    let mut told = 0;
    let mut stdin = BufReader::new(io::stdin().lock());
    let mut line = Vec::with_capacity(LONGEST_LINE as usize);
    for number in 1.. {
        // Who waits for the next ID has seen the last one.
        if stdin.buffer().is_empty() {
            teller.output.flush()?;
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
            _ if is_cut => teller.no_text(&line, number, ErrorKind::TextLength, "longer than any ID: one ID a line")?,
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => teller.text(text, Place::Line(number))?,
            Err(_) => teller.no_text(&line, number, ErrorKind::TextCharacter, "no text (UTF-8): give IDs as text")?,
        }
        told += 1;
    }
    Ok(told)
}
