//! What can this ID be?

use crate::Parts;
use crate::error::{Failure, SaibanError, guard};
use saiban::{Error, Inspector, Scheme, Secret};
use zeroize::Zeroizing;

/// What an ID of unknown origin can be, the most plausible first. With the secret (16 bytes) it looks for Randflake too; with a
/// scheme (`snowflake`, `randflake`, `ulid-flake`) for that one only.
///
/// Old secrets, at most 7, were in use before. There is a reading under each; the most plausible time comes first, and
/// `secret_index` tells which secret that was: 0 for the secret, 1 and up for the old ones. That is no proof.
///
/// Errors: `InvalidSecret`, `UnknownName`; `InvalidArgument` for too many secrets, or old ones without the one in use.
#[uniffi::export(default(secret = None, old_secrets = [], scheme = None))]
pub fn inspect(
    id: i64,
    secret: Option<Vec<u8>>,
    old_secrets: Vec<Vec<u8>>,
    scheme: Option<String>,
) -> Result<Vec<Parts>, SaibanError> {
    guard(|| inspector(secret, old_secrets, scheme)?.inspect(id).iter().map(|parts| (*parts).try_into()).collect())
}

/// What a text of unknown origin can be: canonical text of each scheme, and decimal numbers of any. As `inspect` else.
///
/// Errors: when no scheme reads the text, that of the reading that came furthest; else as `inspect`.
#[uniffi::export(default(secret = None, old_secrets = [], scheme = None))]
pub fn inspect_text(
    text: String,
    secret: Option<Vec<u8>>,
    old_secrets: Vec<Vec<u8>>,
    scheme: Option<String>,
) -> Result<Vec<Parts>, SaibanError> {
    guard(|| {
        let found = inspector(secret, old_secrets, scheme)?.inspect_text(&text)?;
        found.iter().map(|parts| (*parts).try_into()).collect()
    })
}

/// An inspector with these secrets, which are wiped.
fn inspector(secret: Option<Vec<u8>>, old_secrets: Vec<Vec<u8>>, scheme: Option<String>) -> Result<Inspector, Failure> {
    let (secret, old_secrets) = (Zeroizing::new(secret), Zeroizing::new(old_secrets));
    let mut inspector = Inspector::now()?;
    if let Some(secret) = &*secret {
        inspector = inspector.secret(&Secret::from_slice(secret)?)?;
    } else if !old_secrets.is_empty() {
        // They would be counted from 0, which is the new one's place.
        let what = "old secrets are given without secret: give the newest of them as secret";
        return Err(Error::InvalidArgument { what }.into());
    }
    for old in &*old_secrets {
        inspector = inspector.secret(&Secret::from_slice(old)?)?;
    }
    if let Some(scheme) = scheme {
        inspector = inspector.scheme(Scheme::from_name(&scheme)?);
    }
    Ok(inspector)
}
