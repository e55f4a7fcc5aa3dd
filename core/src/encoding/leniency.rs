//! Defines [`Leniency`]: which texts a reader accepts besides the canonical text.

/// The texts that a reader accepts besides the canonical text.
///
/// ```
/// use saiban::{Encoding, ErrorKind, Leniency};
/// let read = |text, leniency| Encoding::CROCKFORD.decode_as(text, None, leniency);
/// let id = read("00CMXB6TAK4SA", Leniency::Strict)?;
/// assert_eq!(read("00cmxb6tak4sa", Leniency::Strict).map_err(|error| error.kind()), Err(ErrorKind::TextNotCanonical));
/// assert_eq!(read("00cmxb6tak4sa", Leniency::AnyCase)?, id);
/// assert_eq!(read("oocmxb6t-ak4sa", Leniency::Lenient)?, id);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leniency {
    /// Accepts only the canonical text: one text for each ID.
    ///
    /// Generators of ULID, TSID and Ulid-Flake accept any case even so, as with `AnyCase`, because
    /// their specifications require it.
    Strict,
    /// Also accepts letters of the other case, if the alphabet has only one case.
    AnyCase,
    /// Also accepts variants of the text:
    ///
    /// - leading zeros, and any width up to 128 characters (not in `base64url`)
    /// - Crockford's aliases and hyphens
    /// - `=` at the end of `base32hex` and `base64url`
    ///
    /// Generators whose texts all have one width require this width even so: see
    /// [`Generator::from_text_as`](crate::Generator::from_text_as).
    Lenient,
}

impl Leniency {
    /// Returns `Lenient` if `lenient` is true, or else `Strict`.
    #[must_use]
    pub const fn lenient_if(lenient: bool) -> Self {
        if lenient { Leniency::Lenient } else { Leniency::Strict }
    }
}
