//! What can this ID be?

use crate::arguments::{id, scheme, secret, text};
use crate::error::{Result, guard};
use crate::parts::Parts;
use pyo3::prelude::*;
use pyo3::types::PyString;
use saiban::Inspector;

/// What an ID of unknown origin can be: a list of Parts, the most plausible first.
///
/// The list is empty when nothing fits.
///
/// id: a number, or text: canonical text of a scheme, or a decimal number.
/// secret: 16 bytes; only with it Randflake IDs can be read, and every number is one.
/// scheme: look for this one only.
///
/// Raises the error of the reading that came furthest when no scheme reads the text; IdOutOfRangeError
/// for a number beyond 64 bits; InvalidSecretError, UnknownNameError.
///
/// >>> import saiban
/// >>> saiban.inspect("00CMXB6TAK4SA")[0].time.isoformat()
/// '2024-06-06T06:06:06.666000+00:00'
#[pyfunction]
#[pyo3(signature = (id, *, secret=None, scheme=None))]
pub fn inspect(
    id: &Bound<'_, PyAny>,
    secret: Option<&Bound<'_, PyAny>>,
    scheme: Option<&Bound<'_, PyAny>>,
) -> Result<Vec<Parts>> {
    guard(|| {
        let mut inspector = Inspector::now()?;
        if let Some(bytes) = secret {
            inspector = inspector.secret(&self::secret(bytes)?)?;
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
