//! IDs as they are sorted in memory and written to the temporary file.

use saiban::IdValue;

/// An ID as the sort keeps it: `i64`, 8 bytes, for up to 64 bits, or else `u128`, 16 bytes. No
/// other types implement this trait.
pub trait Record: IdValue {
    /// The size of an ID in bytes, in memory and in the file.
    const BYTES: usize = size_of::<Self>();

    /// Appends the IDs to `bytes`, little-endian.
    fn write(ids: &[Self], bytes: &mut Vec<u8>);

    /// Appends the complete IDs in `bytes` to `ids`.
    fn read(bytes: &[u8], ids: &mut Vec<Self>);
}

impl Record for i64 {
    fn write(ids: &[Self], bytes: &mut Vec<u8>) {
        bytes.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
    }

    fn read(bytes: &[u8], ids: &mut Vec<Self>) {
        ids.extend(bytes.as_chunks().0.iter().map(|&id| i64::from_le_bytes(id)));
    }
}

impl Record for u128 {
    fn write(ids: &[Self], bytes: &mut Vec<u8>) {
        bytes.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
    }

    fn read(bytes: &[u8], ids: &mut Vec<Self>) {
        ids.extend(bytes.as_chunks().0.iter().map(|&id| u128::from_le_bytes(id)));
    }
}
