//! Defines [`Secret`]: the key of Randflake's cipher.

use crate::error::Error;
use core::fmt;
use zeroize::Zeroize;

/// A secret of 16 bytes, the key of Randflake IDs. All machines that make IDs for one column share
/// one secret.
///
/// The bytes are wiped on drop. `Debug` does not show them.
///
/// ```
/// use saiban::Secret;
/// let secret = Secret::from_hex("000102030405060708090a0b0c0d0e0f")?;
/// assert_eq!(format!("{secret:?}"), "Secret(16 bytes)");
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone)]
pub struct Secret([u8; 16]);

impl Secret {
    /// Creates a secret from 16 bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 16]) -> Self {
        Secret(bytes)
    }

    /// Creates a secret from a slice, which must have 16 bytes.
    ///
    /// ```
    /// use saiban::{ErrorKind, Secret};
    /// let secret = Secret::from_slice(b"sixteen bytes, ?")?;
    /// assert_eq!(secret.expose()[..7], *b"sixteen");
    /// assert_eq!(Secret::from_slice(b"too short").unwrap_err().kind(), ErrorKind::InvalidSecret);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidSecret` if the slice has another length.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        match <[u8; 16]>::try_from(bytes) {
            Ok(mut array) => {
                let secret = Secret(array);
                array.zeroize();
                Ok(secret)
            }
            Err(_) => Err(Error::InvalidSecret { length: bytes.len() }),
        }
    }

    /// Creates a secret from 32 hexadecimal digits of either case.
    ///
    /// ```
    /// use saiban::{RandflakeGenerator, Secret};
    /// let secret = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5")?;
    /// let ids = RandflakeGenerator::new(&secret, 42)?;
    /// # let _ = ids;
    /// // The message shows the length, but not the secret.
    /// let error = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a").unwrap_err().to_string();
    /// assert!(error.contains("31") && !error.contains("dffd"), "{error}");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidSecret` if the text is not 32 hexadecimal digits. The message does not contain the
    /// text.
    #[expect(clippy::cast_possible_truncation, reason = "a hex digit has 4 bits")]
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        let wrong = Error::InvalidSecretHex { length: text.chars().count() };
        let digits: &[u8; 32] = text.as_bytes().try_into().map_err(|_| wrong)?;
        let mut secret = Secret([0; 16]);
        for (byte, pair) in secret.0.iter_mut().zip(digits.chunks_exact(2)) {
            for &digit in pair {
                let value = (digit as char).to_digit(16).ok_or(wrong)?;
                *byte = *byte << 4 | value as u8;
            }
        }
        Ok(secret)
    }

    /// Returns the bytes of the secret, for the key schedule or for storage.
    #[must_use]
    pub const fn expose(&self) -> &[u8; 16] {
        &self.0
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(16 bytes)")
    }
}
