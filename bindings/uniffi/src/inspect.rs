//! What can this ID be?

use crate::Parts;
use crate::error::{Failure, SaibanError, guard};
use saiban::{Inspector, Scheme, Secret};

/// What an ID of unknown origin can be, the most plausible first. With the secret (16 bytes) it looks for Randflake too; with a
/// scheme (`snowflake`, `randflake`, `ulid-flake`) for that one only.
///
/// Errors: `InvalidSecret`, `UnknownName`.
#[uniffi::export(default(secret = None, scheme = None))]
pub fn inspect(id: i64, secret: Option<Vec<u8>>, scheme: Option<String>) -> Result<Vec<Parts>, SaibanError> {
    guard(|| Ok(inspector(secret, scheme)?.inspect(id).iter().map(|parts| (*parts).into()).collect()))
}

/// What a text of unknown origin can be: canonical text of each scheme, and decimal numbers of any. As `inspect` else.
///
/// Errors: when no scheme reads the text, that of the reading that came furthest; `InvalidSecret`, `UnknownName`.
#[uniffi::export(default(secret = None, scheme = None))]
pub fn inspect_text(text: String, secret: Option<Vec<u8>>, scheme: Option<String>) -> Result<Vec<Parts>, SaibanError> {
    guard(|| Ok(inspector(secret, scheme)?.inspect_text(&text)?.iter().map(|parts| (*parts).into()).collect()))
}

fn inspector(secret: Option<Vec<u8>>, scheme: Option<String>) -> Result<Inspector, Failure> {
    let mut inspector = Inspector::now()?;
    if let Some(secret) = secret {
        inspector = inspector.secret(&Secret::from_slice(&secret)?)?;
    }
    if let Some(scheme) = scheme {
        inspector = inspector.scheme(Scheme::from_name(&scheme)?);
    }
    Ok(inspector)
}
