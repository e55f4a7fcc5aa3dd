//! A secret that nobody sees.

use crate::error::Error;
use core::fmt;
use zeroize::Zeroize;

/// 16 secret bytes, the same on every machine of a fleet. Wiped when dropped; never in Debug output.
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
    /// A secret of these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 16]) -> Self {
        Secret(bytes)
    }

    /// A secret of these bytes, of which there must be 16.
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
    /// `InvalidSecret` for any other number.
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

    /// A secret written as 32 hexadecimal digits, of either case.
    ///
    /// ```
    /// use saiban::{Randflake, Secret};
    /// let secret = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5")?;
    /// let ids = Randflake::new(&secret, 42)?;
    /// # let _ = ids;
    /// // What is wrong is told, the secret is not.
    /// let error = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a").unwrap_err().to_string();
    /// assert!(error.contains("31") && !error.contains("dffd"), "{error}");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidSecret` for any other text, which the message does not repeat.
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

    /// A number that tells this secret from others, as far as 32 bits can, and nothing else of it: the first half of what SPARX makes of
    /// zeros under it. Leases keep it, so that IDs of two secrets are not given nodes from one name space.
    ///
    /// ```
    /// use saiban::Secret;
    /// let secret = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5")?;
    /// assert_ne!(secret.key_id(), Secret::new([0; 16]).key_id());
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub fn key_id(&self) -> u32 {
        let [high, low, ..] = super::Sparx64::new(self).encrypt([0; 4]);
        u32::from(high) << 16 | u32::from(low)
    }

    /// The bytes, for the key schedule and for who must store them.
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
