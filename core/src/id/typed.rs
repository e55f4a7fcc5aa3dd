//! The types [`Ulid`] and [`ObjectId`], with bytes, canonical text and serde.
//!
//! UUIDs use the type of the crate `uuid`, with the feature `uuid`. IDs of up to 64 bits are
//! integers, so that they fit a `BIGINT` column.

use super::{AnyId, IdValue};
use crate::encoding::{Encoding, Leniency};
use crate::error::Error;
use crate::scheme::Scheme;
use core::fmt;
use core::str::FromStr;

macro_rules! typed {
    ($(#[$doc:meta])* $name:ident, $bits:literal, $bytes:literal, $leniency:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            /// Creates the ID from its bytes, the most significant first.
            #[must_use]
            pub fn from_bytes(bytes: [u8; $bytes]) -> Self {
                $name(bytes.iter().fold(0, |id, byte| id << 8 | u128::from(*byte)))
            }

            /// Returns the bytes of the ID, the most significant first.
            #[must_use]
            pub fn to_bytes(self) -> [u8; $bytes] {
                let bytes = self.0.to_be_bytes();
                core::array::from_fn(|index| bytes[16 - $bytes + index])
            }

            /// Returns the ID as a number, as generators return it.
            #[must_use]
            pub const fn get(self) -> u128 {
                self.0
            }

            /// Wraps a number that a generator made, without a check.
            pub(crate) const fn known(id: u128) -> Self {
                $name(id)
            }
        }

        impl From<$name> for u128 {
            fn from(id: $name) -> u128 {
                id.0
            }
        }

        /// Writes the canonical text.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let scheme = Scheme::$name;
                let text = AnyId::known(self.0, $bits).encode_as(scheme.encoding(), scheme.text_width());
                f.pad(text.as_ref().map_err(|_| fmt::Error)?)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        /// Parses the canonical text, as [`Generator::from_text`](crate::Generator::from_text)
        /// does.
        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                let (encoding, width): (Encoding, _) = (Scheme::$name.encoding(), Scheme::$name.text_width());
                u128::decode(encoding, text, $bits, width, Leniency::$leniency).map($name)
            }
        }

        /// Serializes the ID as its canonical text.
        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl serde::de::Visitor<'_> for Reader {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("the text of the ID: ", stringify!($name)))
                    }

                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Reader)
            }
        }
    };
}

typed! {
    /// A ULID: 48 bits of time and 80 random bits. Its text is 26 characters of Crockford's base32.
    ///
    /// Source: github.com/ulid/spec. The order of ULIDs is that of their texts and of their bytes.
    ///
    /// ```
    /// use saiban::{Ulid, UlidGenerator};
    /// let id: Ulid = UlidGenerator::new()?.generate_ulid()?;
    /// assert_eq!(id.to_string().parse(), Ok(id));
    /// assert_eq!("01ARZ3NDEKTSV4RRFFQ69G5FAV".parse::<Ulid>()?.to_bytes()[..2], [0x01, 0x56]);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    Ulid, 128, 16, AnyCase
}

typed! {
    /// An ObjectId of MongoDB: 32 bits of seconds, 40 random bits, and a counter of 24 bits. Its
    /// text is 24 hexadecimal digits.
    ///
    /// Source: MongoDB manual, "ObjectId". The order of ObjectIds is that of their texts and of
    /// their bytes.
    ///
    /// ```
    /// use saiban::{ObjectId, ObjectIdGenerator};
    /// let id: ObjectId = ObjectIdGenerator::new()?.generate_object_id()?;
    /// assert_eq!(id.to_string().parse(), Ok(id));
    /// assert_eq!("507f191e810c19729de860ea".parse::<ObjectId>()?.to_bytes()[..2], [0x50, 0x7f]);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ObjectId, 96, 12, Strict
}

impl From<u128> for Ulid {
    fn from(id: u128) -> Self {
        Ulid(id)
    }
}

impl TryFrom<u128> for ObjectId {
    type Error = Error;

    fn try_from(id: u128) -> Result<Self, Error> {
        if id >> 96 == 0 { Ok(ObjectId(id)) } else { Err(Scheme::ObjectId.not_an_id()) }
    }
}
