//! The names that node/generate reads from core, for the types of node/src.

use napi_derive::napi;
use saiban::scheme::GeneratorOption;
use saiban::{Encoding, ErrorKind, Layout, Scheme};

/// A kind of error.
#[napi(object, object_from_js = false)]
pub struct ErrorKindInfo {
    /// `CLOCK_BACKWARD`: an error's `code`.
    pub name: &'static str,
    /// The number, the same in every language.
    pub number: i32,
    /// What it means, in a line.
    pub meaning: &'static str,
}

/// Every kind of error that core knows.
#[napi(catch_unwind)]
pub fn error_kinds() -> Vec<ErrorKindInfo> {
    let info = |kind: &ErrorKind| ErrorKindInfo { name: kind.name(), number: kind.number(), meaning: kind.meaning() };
    ErrorKind::ALL.iter().map(info).collect()
}

/// The names that core knows.
#[napi(object, object_from_js = false)]
pub struct Names {
    /// Of the schemes.
    pub schemes: Vec<&'static str>,
    /// Of those that have leases.
    pub lease_schemes: Vec<&'static str>,
    /// Of the layouts.
    pub layouts: Vec<&'static str>,
    /// Names of layouts that are accepted but not returned.
    pub read_only_layouts: Vec<&'static str>,
    /// Of the encodings; those that only one scheme has come last.
    pub encodings: Vec<&'static str>,
}

/// Every name that core knows.
#[napi(catch_unwind)]
pub fn names() -> Names {
    let leased = |scheme: &Scheme| scheme.takes(GeneratorOption::Lease);
    let names = |presets: &[(&'static str, Layout)]| presets.iter().map(|(name, _)| *name).collect();
    Names {
        schemes: Scheme::ALL.map(Scheme::name).to_vec(),
        lease_schemes: Scheme::ALL.into_iter().filter(leased).map(Scheme::name).collect(),
        layouts: names(&Layout::PRESETS),
        read_only_layouts: names(Layout::READ_ONLY),
        encodings: encodings(),
    }
}

fn encodings() -> Vec<&'static str> {
    Encoding::every().map(|encoding| encoding.name()).collect()
}
