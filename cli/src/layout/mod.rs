//! `saiban layout`: draws a layout, shows its properties, and lists the presets. Only `lib.rs` uses
//! it.

mod answers;
mod drawing;
mod figures;
mod presets;

use crate::args::Layout as Arguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::scheme::read_layout;
use answers::Odds;
use figures::SECONDS_PER_YEAR;
use saiban::Layout;
use std::io::Read;

/// The maximum length of a layout on stdin, in bytes. No layout is as long.
const LONGEST: u64 = 1 << 16;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::stdout()?;
    if arguments.list {
        presets::lines(arguments.json).try_for_each(|line| output.line(&line))?;
        return output.finish();
    }
    let text = arguments.text.join(" ");
    let text = if text == "-" { from_stdin()? } else { text };
    let layout = read_layout(&text).map_err(Failure::of(text.trim()))?;
    let odds = odds(&layout, arguments)?;
    if arguments.json {
        output.line(&answers::to_json(&layout, odds.as_ref()).to_string())?;
    } else {
        lines(&layout, odds.as_ref()).iter().try_for_each(|line| output.line(line))?;
    }
    output.finish()
}

fn from_stdin() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin().lock().take(LONGEST).read_to_string(&mut text).map_err(Failure::io("stdin"))?;
    Ok(text)
}

/// Returns the layout's text, the drawing of its bits, the table of its fields, and its properties.
fn lines(layout: &Layout, odds: Option<&Odds>) -> Vec<String> {
    let mut lines = vec![match layout.name() {
        Some(name) => format!("{name} = {layout}"),
        None => layout.to_string(),
    }];
    for part in [drawing::lines(layout), answers::fields(layout), answers::lines(layout, odds)] {
        lines.push(String::new());
        lines.extend(part);
    }
    lines
}

fn odds(layout: &Layout, arguments: &Arguments) -> Result<Option<Odds>, Failure> {
    let Some(ids_per_second) = arguments.rate else { return Ok(None) };
    let seconds = match (arguments.seconds, arguments.years) {
        (Some(seconds), _) => seconds,
        (None, years) => years.unwrap_or(1.0) * SECONDS_PER_YEAR,
    };
    let probability = layout.collision_odds(ids_per_second, seconds)?;
    Ok(Some(Odds { ids_per_second, seconds, probability }))
}
