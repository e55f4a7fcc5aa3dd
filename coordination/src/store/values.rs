//! The range of the numbers in stores' records, and random ones.

use crate::Error;
use saiban::{Entropy, OsEntropy};

/// The largest time or fence in a store's records. The sum of two such values does not overflow.
/// The statements for Redis and PostgreSQL repeat this number.
pub(super) const MAX_VALUE: i64 = i64::MAX / 4;

/// Returns an unpredictable random number from 0 to 2^63 - 1.
///
/// # Errors
/// `EntropyUnavailable`.
pub(crate) fn draw() -> Result<i64, Error> {
    let mut bytes = [0; 8];
    OsEntropy.fill(&mut bytes)?;
    Ok(i64::from_le_bytes(bytes) & i64::MAX)
}
