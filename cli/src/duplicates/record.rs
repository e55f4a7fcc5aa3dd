//! What is sorted: an ID in memory and in the temporary file.

use saiban::IdValue;

/// An ID as the check keeps it: `i64`, 8 bytes, for up to 64 bits, else `u128`, 16 bytes. There are no others.
pub trait Record: IdValue {
    /// How many bytes it has, in memory and in the file.
    const BYTES: usize = size_of::<Self>();

    /// Writes these behind what is there, little-endian.
    fn write(ids: &[Self], bytes: &mut Vec<u8>);

    /// Reads those that are whole, behind those that are there.
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
