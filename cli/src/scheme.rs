//! Parses schemes, layouts and orders of tick IDs from arguments, and refuses options that the
//! scheme does not have. All commands with a scheme or a layout use it.

use crate::failure::Failure;
use saiban::scheme::GeneratorOption;
use saiban::{Error, Layout, LayoutProblem, Scheme, TickOrder};
use serde_json::Value;

/// Returns the scheme of this name. `uuid` alone is version 7, the version for new IDs.
pub(crate) fn named(name: &str) -> Result<Scheme, Failure> {
    Ok(Scheme::from_name(name)?.generated())
}

/// Returns the names of the schemes that `are` selects, for a help text.
pub(crate) fn names(are: impl Fn(Scheme) -> bool) -> String {
    let named: Vec<_> = Scheme::ALL.into_iter().filter(|scheme| are(*scheme)).map(Scheme::name).collect();
    named.join(", ")
}

/// Returns an error if an option is given that the scheme does not have. The option would change
/// nothing, but the user expects an effect.
pub(crate) fn refuse_unless_taken(
    scheme: Scheme,
    option: GeneratorOption,
    is_given: bool,
    flag: &str,
) -> Result<(), Failure> {
    if !is_given || scheme.takes(option) {
        return Ok(());
    }
    let owners = Scheme::ALL.into_iter().filter(|owner| owner.takes(option)).map(|owner| format!("{owner}'s"));
    let owners: Vec<String> = owners.collect();
    Err(Failure::Arguments(format!("{scheme} has no {flag}: that is {}", owners.join(" and "))))
}

/// Parses a layout from its text, a preset's name, or JSON. From the output of `saiban layout
/// --json` only the member `layout` is read.
pub(crate) fn read_layout(text: &str) -> Result<Layout, Error> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return Layout::from_text(text);
    }
    // The JSON of a layout itself has no member `layout`.
    match serde_json::from_str::<Value>(text).ok().and_then(|document| Some(document.get("layout")?.to_string())) {
        Some(layout) => Layout::from_json(&layout),
        None => Layout::from_json(text),
    }
}

/// Parses the layout that was given, if any.
///
/// # Errors
/// `Failure::Arguments` for a Flake without a layout, because Flake has no default. `Failure::Id`
/// for an invalid layout.
pub(crate) fn layout_of(scheme: Scheme, given: Option<&str>) -> Result<Option<Layout>, Failure> {
    match given {
        Some(text) => read_layout(text).map(Some).map_err(Failure::of("--layout")),
        None if scheme == Scheme::Flake => Err(Failure::Arguments(
            "flake needs a --layout: give its fields, as \"unused:1 timestamp:41,epoch=2020-02-02 node:10 \
             sequence:12\", or a preset's name; see saiban layout"
                .into(),
        )),
        None => Ok(None),
    }
}

/// Converts an error of a generator. If the layout is not a Snowflake's, the failure gets the hint,
/// which names the scheme to use.
pub(crate) fn of_flake(error: Error, hint: &'static str) -> Failure {
    match error {
        Error::InvalidLayout { reason: LayoutProblem::NotASnowflake } => Failure::from(error).hinting(hint),
        _ => error.into(),
    }
}

/// Parses the order of tick IDs, `ascending` or `descending`.
pub(crate) fn order_of(given: Option<&str>) -> Result<Option<TickOrder>, Failure> {
    let Some(name) = given else { return Ok(None) };
    let found = TickOrder::ALL.into_iter().find(|order| order.name() == name);
    found
        .map(Some)
        .ok_or_else(|| Failure::Arguments(format!("no order is named {name:?}: give ascending or descending")))
}
