//! The status page and the inspector: HTML documents, rendered from views. This module does no I/O.
//!
//! The pages work without JavaScript. [`SCRIPT`] refreshes the tables, and updates the inspector as
//! the user types. Style sheet, script and icon are files of their own, so that the
//! `Content-Security-Policy` can be `default-src 'self'`. The templates escape all text by default,
//! and nothing here turns that off.
//!
//! `http` serves the pages, and `observe` fills the view of the status page.

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

/// Renders the status page, served as `/`.
#[must_use]
pub fn status(status: &Status) -> String {
    status::page(status).into_string()
}

/// Renders the inspector, served as `/inspect?id=…`.
#[must_use]
pub fn inspector(inspection: &Inspection) -> String {
    answer::page(inspection).into_string()
}
