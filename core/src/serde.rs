//! IDs of up to 64 bits as text in serde's formats (feature `serde`).
//!
//! JavaScript rounds integers beyond 2^53, so JSON should contain IDs as text. Give a field of type
//! `i64` the attribute `#[serde(with = "saiban::serde::base62")]`, or another module of this one.
//! For an `Option<i64>` append `::option`.
//!
//! In human-readable formats, such as JSON, the ID is its canonical text in the [`Encoding`] of the
//! module. In binary formats it is an `i64`. A number in JSON is refused, because it may have lost
//! digits.
//!
//! [`Ulid`](crate::Ulid) and [`ObjectId`](crate::ObjectId) implement serde's traits themselves.
//!
//! ```
//! # #[cfg(feature = "json")] {
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Order {
//!     #[serde(with = "saiban::serde::base62")]
//!     id: i64,
//!     #[serde(with = "saiban::serde::decimal::option")]
//!     parent: Option<i64>,
//! }
//! let order = Order { id: 2_125_041_057_055_170_560, parent: None };
//! let json = serde_json::to_string(&order)?;
//! assert_eq!(json, r#"{"id":"2Wyi3Ucx9Hs","parent":null}"#);
//! assert_eq!(serde_json::from_str::<Order>(&json)?.id, order.id);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In a web service with a database, a type of your own keeps the IDs of orders apart from others.
//! The derive macro of the database's crate makes it a `BIGINT`:
//!
//! ```
//! # #[cfg(feature = "json")] {
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)] // with sqlx, also sqlx::Type
//! struct OrderId(#[serde(with = "saiban::serde::base62")] i64);
//!
//! assert_eq!(serde_json::to_string(&OrderId(2_125_041_057_055_170_560))?, r#""2Wyi3Ucx9Hs""#);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - sqlx: derive `sqlx::Type`, with the attribute `#[sqlx(transparent)]`.
//! - Diesel: derive `DieselNewType` of the crate `diesel-derive-newtype`, and `Hash`.
//! - SeaORM: derive `DeriveValueType` and `Hash`. The key's attribute is
//!   `#[sea_orm(primary_key, auto_increment = false)]`.
//! - axum: `Path<OrderId>` and `Json<Order>` answer text that is not an ID with the status 400 or
//!   422, and with saiban's reason.

use crate::encoding::Encoding;
use ::serde::de::{Deserializer, Error, Visitor};
use ::serde::{Deserialize, Serialize, Serializer};
use core::fmt;

/// An ID and the encoding of its text.
struct Written(Encoding, i64);

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Written(encoding, id) = self;
        if serializer.is_human_readable() {
            serializer.serialize_str(&encoding.encode(*id))
        } else {
            serializer.serialize_i64(*id)
        }
    }
}

/// Reads the text of an ID.
struct TextReader(Encoding);

impl Visitor<'_> for TextReader {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text of an ID in the encoding {}", self.0.name())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<i64, E> {
        self.0.decode(text).map_err(E::custom)
    }
}

/// Reads an ID, or none.
struct OptionReader(Encoding);

impl<'de> Visitor<'de> for OptionReader {
    type Value = Option<i64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        TextReader(self.0).expecting(f)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        read(self.0, deserializer).map(Some)
    }
}

fn read<'de, D: Deserializer<'de>>(encoding: Encoding, deserializer: D) -> Result<i64, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_str(TextReader(encoding))
    } else {
        i64::deserialize(deserializer)
    }
}

/// Defines the module of an encoding.
macro_rules! encoded {
    ($( $module:ident $encoding:ident $what:literal; )+) => { $(
        #[doc = concat!("IDs as ", $what, ": [`Encoding::", stringify!($encoding), "`].")]
        pub mod $module {
            use super::{Deserializer, Encoding, Serializer, Written};
            use ::serde::Serialize;

            /// Serializes the ID, as the [module](crate::serde) describes.
            ///
            /// # Errors
            /// Those of the serializer.
            pub fn serialize<S: Serializer>(id: &i64, serializer: S) -> Result<S::Ok, S::Error> {
                Written(Encoding::$encoding, *id).serialize(serializer)
            }

            /// Deserializes the ID, as the [module](crate::serde) describes.
            ///
            /// # Errors
            /// Those of [`Encoding::decode`], as text, and those of the deserializer.
            pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
                super::read(Encoding::$encoding, deserializer)
            }

            /// IDs of type `Option<i64>`. If the field may be absent, add `default` to its
            /// attribute.
            pub mod option {
                use super::super::{Deserializer, Encoding, OptionReader, Serializer, Written};

                /// Serializes the ID, or none.
                ///
                /// # Errors
                /// Those of the serializer.
                pub fn serialize<S: Serializer>(id: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
                    match id {
                        Some(id) => serializer.serialize_some(&Written(Encoding::$encoding, *id)),
                        None => serializer.serialize_none(),
                    }
                }

                /// Deserializes the ID, or none.
                ///
                /// # Errors
                /// Those of [`Encoding::decode`], as text, and those of the deserializer.
                pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
                    deserializer.deserialize_option(OptionReader(Encoding::$encoding))
                }
            }
        }
    )+ };
}

encoded! {
    decimal DECIMAL "decimal digits, the text of Snowflake IDs";
    hex HEX "hexadecimal digits";
    crockford CROCKFORD "Crockford's base32, the text of Ulid-Flake IDs and TSIDs";
    base32hex BASE32HEX "base32hex, the text of Randflake IDs";
    base36 BASE36 "base36";
    base58 BASE58 "base58";
    base62 BASE62 "base62";
    base64url BASE64URL "base64url";
}
