//! The status page and the inspector: whole HTML documents, made from views. Nothing here asks anybody, or does anything.
//!
//! Everything is there without JavaScript; [`SCRIPT`] refreshes the tables and lets the inspector answer as one types. Style sheet, script and
//! icon are files of their own, so that a `Content-Security-Policy` of `default-src 'self'` is enough. Whatever comes from outside is escaped by
//! the templates, which do so unless told otherwise, and are told nowhere.

mod answer;
mod bits;
mod document;
mod fields;
mod inspection;
mod namespaces;
mod schemes;
mod status;
#[cfg(test)]
mod tests;
pub mod view;
mod words;

pub use fields::{Field, Kind, of_layout, of_parts, of_scheme};
pub use inspection::{Candidate, Drawing, Inspection, LONGEST, Part};
pub use view::Status;

/// The style sheet, served as `/page.css` (`text/css; charset=utf-8`).
pub const STYLE: &str = include_str!("page.css");

/// The script, served as `/page.js` (`text/javascript; charset=utf-8`).
pub const SCRIPT: &str = include_str!("page.js");

/// The icon, served as `/icon.svg` (`image/svg+xml`).
pub const ICON: &str = include_str!("icon.svg");

/// The status page, served as `/`.
#[must_use]
pub fn status(status: &Status) -> String {
    status::page(status).into_string()
}

/// The inspector, served as `/inspect?id=…`.
#[must_use]
pub fn inspector(inspection: &Inspection) -> String {
    answer::page(inspection).into_string()
}
