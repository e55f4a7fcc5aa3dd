//! The operating system's randomness. Generators reach it through this file only.

#[cfg(feature = "std")]
use super::Entropy;
#[cfg(feature = "std")]
use crate::error::Error;

/// The operating system's randomness. It implements [`Entropy`](crate::Entropy) only with the
/// feature `std`.
///
/// ```
/// use saiban::{Entropy, OsEntropy};
/// let mut secret = [0; 16];
/// OsEntropy.fill(&mut secret)?;
/// assert_ne!(secret, [0; 16]);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OsEntropy;

#[cfg(feature = "std")]
impl Entropy for OsEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        getrandom::fill(bytes).map_err(|_| Error::EntropyUnavailable)
    }
}
