//! The names that node/generate reads from core, for the types of node/src.

use napi_derive::napi;
use saiban::scheme::GeneratorOption;
use saiban::{Encoding, ErrorKind, Layout, Scheme};

/// A kind of error.
#[napi(object, object_from_js = false)]
pub struct ErrorKindInfo {
    /// The `code` of an error, such as `CLOCK_BACKWARD`.
    pub name: &'static str,
    /// The number, the same in every language.
    pub number: i32,
    /// The meaning of the kind, in a line.
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
    /// The names of schemes.
    pub schemes: Vec<&'static str>,
    /// The names of schemes whose nodes can be leased.
    pub lease_schemes: Vec<&'static str>,
    /// The names of layouts.
    pub layouts: Vec<&'static str>,
    /// Names of layouts that are accepted but not returned.
    pub read_only_layouts: Vec<&'static str>,
    /// The names of encodings; those of a single scheme come last.
    pub encodings: Vec<&'static str>,
}

/// Returns every name that core knows.
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
