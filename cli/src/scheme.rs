//! What `new` and `range` have in common: the scheme by its name, the options that are its own, and layouts.

use crate::failure::Failure;
use saiban::{Error, Layout, LayoutProblem, Scheme, TickOrder};
use serde_json::Value;

/// The scheme of this name; `uuid` alone is the version for new IDs, 7.
pub(crate) fn named(name: &str) -> Result<Scheme, Failure> {
    let scheme = Scheme::from_name(name)?;
    Ok(if scheme == Scheme::Uuid { Scheme::UuidV7 } else { scheme })
}

/// An option that would change nothing is a mistake: who gave it expects something of it.
pub(crate) fn refuse_unless(owners: &[Scheme], scheme: Scheme, given: bool, option: &str) -> Result<(), Failure> {
    if !given || owners.contains(&scheme) {
        return Ok(());
    }
    let owners: Vec<String> = owners.iter().map(|owner| format!("{owner}'s")).collect();
    Err(Failure::Arguments(format!("{scheme} has no {option}: that is {}", owners.join(" and "))))
}

/// Reads a layout: its text, a preset's name, or JSON; of what `saiban layout --json` prints its member `layout`.
pub(crate) fn read_layout(text: &str) -> Result<Layout, Error> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return Layout::from_text(text);
    }
    // A layout itself has no such member.
    match serde_json::from_str::<Value>(text).ok().and_then(|document| Some(document.get("layout")?.to_string())) {
        Some(layout) => Layout::from_json(&layout),
        None => Layout::from_json(text),
    }
}

/// The layout of a Snowflake, Twitter's if none is given, or of a Flake, which has none by itself.
pub(crate) fn layout_of(scheme: Scheme, given: Option<&str>) -> Result<Layout, Failure> {
    match given {
        Some(text) => read_layout(text).map_err(Failure::of("--layout")),
        None if scheme == Scheme::Flake => Err(Failure::Arguments(
            "flake needs a --layout: give its fields, as \"unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12\", \
             or a preset's name; saiban layout says what it is good for"
                .into(),
        )),
        None => Ok(Layout::TWITTER),
    }
}

/// Where a layout is no Snowflake's, this command has another scheme for it.
pub(crate) fn told_of_flake(error: Error, hint: &'static str) -> Failure {
    match error {
        Error::InvalidLayout { reason: LayoutProblem::NotASnowflake } => Failure::from(error).hinting(hint),
        _ => error.into(),
    }
}

/// The order of tick IDs, ascending if none is given.
pub(crate) fn order_of(given: Option<&str>) -> Result<TickOrder, Failure> {
    let Some(name) = given else { return Ok(TickOrder::Ascending) };
    let found = TickOrder::ALL.into_iter().find(|order| order.name() == name);
    found.ok_or_else(|| Failure::Arguments(format!("no order is named {name:?}: give ascending or descending")))
}
