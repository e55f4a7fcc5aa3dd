//! Formats durations and numbers for error messages.

use core::fmt;

/// The length of the longest number that a message shows in full: 128 bits in decimal, and a sign.
const WHOLE: usize = 40;
/// The number of digits that a message shows of a longer number. An [`Excerpt`](super::Excerpt) has
/// this length too.
const BEGINNING: usize = 24;

/// A duration in nanoseconds. `Display` rounds it down to whole s, ms, µs or ns.
pub(super) struct Span(pub(super) u64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ns if ns >= 10_000_000_000 => write!(f, "{} s", ns / 1_000_000_000),
            ns if ns >= 1_000_000 => write!(f, "{} ms", ns / 1_000_000),
            ns if ns >= 1_000 => write!(f, "{} µs", ns / 1_000),
            ns => write!(f, "{ns} ns"),
        }
    }
}

/// Pairs of an argument's name and its number, as the caller wrote the number.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a>(pub(super) &'a [(&'a str, &'a str)]);

impl<'a> Numbers<'a> {
    /// Returns the number of the first argument that has one of these names, or else `value`.
    pub(super) fn number(self, names: &[&str], value: &'a dyn fmt::Display) -> Number<'a> {
        let written = names.iter().find_map(|name| self.0.iter().find(|(argument, _)| argument == name));
        written.map_or(Number::Held(value), |(_, digits)| Number::Written(digits))
    }
}

/// A number in a message.
pub(super) enum Number<'a> {
    /// A number that fits the core's integers.
    Held(&'a dyn fmt::Display),
    /// A number in the caller's own digits, which need not fit any integer of the core.
    Written(&'a str),
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Number::Held(value) => value.fmt(f),
            Number::Written(digits) if digits.len() <= WHOLE => f.write_str(digits),
            Number::Written(digits) => {
                let beginning = digits.get(..BEGINNING).unwrap_or_default();
                write!(f, "{beginning}… ({} characters)", digits.len())
            }
        }
    }
}
