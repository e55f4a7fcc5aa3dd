//! UUIDs as the bytes of Microsoft's GUIDs.

use crate::arguments;
use crate::error::{Result, guard};
use crate::form::{uuid, uuid_bits};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use saiban::encoding::{uuid_from_guid_bytes as from_guid_bytes, uuid_to_guid_bytes as to_guid_bytes};

/// The 16 bytes of a UUID in the order of Microsoft's GUID in memory: the first three groups have
/// their lowest byte first.
///
/// This is uuid.bytes_le. RFC 9562's order, the highest byte first, is uuid.bytes.
///
/// >>> import saiban, uuid
/// >>> saiban.uuid_to_guid_bytes(uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")).hex()
/// '33221100554477668899aabbccddeeff'
#[pyfunction]
#[pyo3(signature = (uuid, /))]
pub fn uuid_to_guid_bytes<'py>(py: Python<'py>, uuid: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
    guard(|| Ok(PyBytes::new(py, &to_guid_bytes(uuid_bits("uuid", uuid)?))))
}

/// The UUID of these 16 bytes of a GUID.
///
/// Raises InvalidArgumentError for another number of bytes.
///
/// >>> import saiban
/// >>> saiban.uuid_from_guid_bytes(bytes.fromhex("33221100554477668899aabbccddeeff"))
/// UUID('00112233-4455-6677-8899-aabbccddeeff')
#[pyfunction]
#[pyo3(signature = (bytes, /))]
pub fn uuid_from_guid_bytes<'py>(py: Python<'py>, bytes: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
    guard(|| {
        let bytes = arguments::bytes("bytes", bytes, "the bytes are not a GUID: give 16 bytes")?;
        Ok(uuid(py, from_guid_bytes(bytes))?)
    })
}
