//! What can this ID be?

use crate::arguments::{id, scheme, secret, text, wrong_type};
use crate::error::{Result, guard};
use crate::parts::Parts;
use pyo3::prelude::*;
use pyo3::types::PyString;
use saiban::inspect::MOST_SECRETS;
use saiban::{Error, Inspector};

const OLD_ONLY: &str = "old_secrets are given without secret: give the newest of them as secret";

/// What an ID of unknown origin can be: a list of Parts, the most plausible first.
///
/// The list is empty when nothing fits.
///
/// id: a number, or text: canonical text of a scheme, or a decimal number.
/// secret: 16 bytes; only with it Randflake IDs can be read, and every number is one.
/// old_secrets: secrets that were in use before, at most 7. The most plausible time tells which one
/// fitted: secret_index of the parts, 0 for secret, 1 and up for these. That is no proof.
/// scheme: look for this one only.
///
/// Raises the error of the reading that came furthest when no scheme reads the text; IdOutOfRangeError
/// for a number beyond 64 bits; InvalidSecretError, UnknownNameError; InvalidArgumentError for too many
/// secrets, or old ones without secret.
///
/// >>> import saiban
/// >>> saiban.inspect("00CMXB6TAK4SA")[0].time.isoformat()
/// '2024-06-06T06:06:06.666000+00:00'
#[pyfunction]
#[pyo3(
    signature = (id, *, secret=None, old_secrets=None, scheme=None),
    text_signature = "(id, *, secret=None, old_secrets=(), scheme=None)"
)]
pub fn inspect(
    id: &Bound<'_, PyAny>,
    secret: Option<&Bound<'_, PyAny>>,
    old_secrets: Option<&Bound<'_, PyAny>>,
    scheme: Option<&Bound<'_, PyAny>>,
) -> Result<Vec<Parts>> {
    guard(|| {
        let mut inspector = Inspector::now()?;
        if let Some(bytes) = secret {
            inspector = inspector.secret(&self::secret("secret", bytes)?)?;
        }
        if let Some(old) = old_secrets {
            let old =
                old.try_iter().map_err(|_| wrong_type("old_secrets", "a sequence of secrets of 16 bytes", old))?;
            // The core refuses one too many: they need not end.
            for bytes in old.take(MOST_SECRETS + 1) {
                if secret.is_none() {
                    // They would be counted from 0, which is the new one's place.
                    return Err(Error::InvalidArgument { what: OLD_ONLY }.into());
                }
                inspector = inspector.secret(&self::secret("each of old_secrets", &bytes?)?)?;
            }
        }
        if let Some(scheme) = self::scheme(scheme)? {
            inspector = inspector.scheme(scheme);
        }
        let found = match id.is_instance_of::<PyString>() {
            true => inspector.inspect_text(&text("id", id)?)?,
            false => inspector.inspect(self::id("any scheme", id)?),
        };
        Ok(found.iter().map(Parts::from).collect())
    })
}
