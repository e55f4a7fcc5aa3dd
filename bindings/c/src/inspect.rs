//! Inspection of IDs of unknown origin.

use crate::ffi::{Chars, Fill, Out, Slice, ffi};
use crate::parts::{Parts, scheme};
use crate::schemes::SAIBAN_SECRET_SIZE;
use saiban::inspect::{Candidates, MAX_CANDIDATES};
use saiban::{Error, Inspector, Secret};
use std::ffi::c_char;

/// An array of this many parts holds every candidate.
pub const SAIBAN_CANDIDATES_MAX: usize = 32;
const _: () = assert!(SAIBAN_CANDIDATES_MAX == MAX_CANDIDATES);

/// Secrets, and their length in bytes in all.
pub(crate) type Secrets = (Option<Slice<u8>>, usize);

pub(crate) fn inspector((secret, len): Secrets, (old_secrets, old_len): Secrets) -> Result<Inspector, Error> {
    let mut inspector = Inspector::now()?;
    if let Some(secret) = secret {
        inspector = inspector.secret(&Secret::from_slice(secret.get(len)?)?)?;
    } else if old_secrets.is_some() {
        return Err(Error::InvalidArgument { what: "old_secrets are given without a secret: give the one in use too" });
    }
    if let Some(old_secrets) = old_secrets {
        for old in old_secrets.get(old_len)?.chunks(SAIBAN_SECRET_SIZE) {
            inspector = inspector.secret(&Secret::from_slice(old)?)?;
        }
    }
    Ok(inspector)
}

pub(crate) fn of_scheme(inspector: Inspector, wanted: i32) -> Result<Inspector, Error> {
    Ok(match scheme(wanted)? {
        Some(scheme) => inspector.scheme(scheme),
        None => inspector,
    })
}

/// Writes the candidates of up to 64 bits, and returns their number.
fn write(found: &Candidates, parts: Fill<Parts>, capacity: usize) -> Result<usize, Error> {
    let places = parts.get(capacity)?;
    let narrow = found.iter().filter(|parts| parts.id.as_i64().is_some());
    let written = narrow.zip(places).map(|(parts, place)| place.write((*parts).into())).count();
    Ok(written)
}

ffi! {
    /// Finds what a number of 64 bits can be: all formats that it fits, the most likely first.
    /// saiban_inspect_wide also returns reasons, considers your own layouts, and takes IDs of every
    /// width.
    ///
    /// - scheme: SAIBAN_SCHEME_ANY, or the only scheme to consider.
    /// - secret, secret_len: the secret of Randflake IDs, or NULL.
    /// - old_secrets, old_secrets_len: earlier secrets, at most 7, one after another, and their
    ///   length in bytes, 16 each, or NULL. There is one candidate for each secret, whose
    ///   secret_index is the secret's position. Any number is an ID under any secret, so the most
    ///   plausible time comes first, which is not proof.
    /// - parts, capacity: where the candidates go, and how many fit; those less likely are left
    ///   out. SAIBAN_CANDIDATES_MAX is always enough.
    /// - count: the number of candidates written; 0 if nothing fits.
    ///
    /// Errors: UNKNOWN_NAME, INVALID_SECRET, CLOCK_UNAVAILABLE; INVALID_ARGUMENT for more secrets,
    /// or old ones only.
    fn saiban_inspect(
        id: i64, scheme: i32, secret: Option<Slice<u8>>, secret_len: usize,
        old_secrets: Option<Slice<u8>>, old_secrets_len: usize,
        parts: Fill<Parts>, capacity: usize, count: Out<usize>,
    ) {
        let inspector = inspector((secret, secret_len), (old_secrets, old_secrets_len))?;
        let found = of_scheme(inspector, scheme)?.inspect(id);
        count.set(write(&found, parts, capacity)?);
    }

    /// Tells what a text can be, of what has up to 64 bits: canonical text of each scheme, decimal
    /// numbers of any, and numbers in other encodings where their time would be plausible. The rest
    /// as saiban_inspect; saiban_inspect_text_wide has no such limit.
    ///
    /// Errors: as saiban_inspect; when no scheme reads the text, the error of the form that the
    /// text is most like (TEXT_…).
    fn saiban_inspect_text(
        text: Chars, text_len: usize, scheme: i32, secret: Option<Slice<u8>>, secret_len: usize,
        old_secrets: Option<Slice<u8>>, old_secrets_len: usize,
        parts: Fill<Parts>, capacity: usize, count: Out<usize>,
    ) {
        let inspector = inspector((secret, secret_len), (old_secrets, old_secrets_len))?;
        let found = of_scheme(inspector, scheme)?.inspect_text(&text.get(text_len)?)?;
        count.set(write(&found, parts, capacity)?);
    }

    /// The version of this library: "0.1.0". Constant: not to be freed.
    fn saiban_version() -> *const c_char {
        concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast::<c_char>()
    }
}
