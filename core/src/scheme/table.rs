//! The table of schemes, one row each: [`Scheme`] and its [`SchemeInfo`], both public.
//!
//! Add new rows at the end: the number of a scheme in C is its position.

use super::info::GeneratorOption::{
    AllowCollisions, Clock, EntropySize, EpochMs, Layout, Lease, MaxJump, MaxWait, Namespace, Node, Nodes, NotBefore,
    Order, Prefix, Rollback, Scalability, Scope, Secret, Shards, State, Store, Window,
};
use super::info::{GeneratorOption, IdField, IdFieldKind, IdForm, KeptApartBy, Part, TimeOrder};
use crate::encoding::Encoding;

/// The properties of a scheme: a row of the registry.
///
/// ```
/// use saiban::scheme::{IdForm, KeptApartBy, Scheme, TimeOrder};
/// let ulid = Scheme::Ulid.info();
/// assert_eq!((ulid.name, ulid.bits, ulid.form), ("ulid", Some(128), IdForm::Text));
/// assert_eq!((ulid.kept_apart_by, ulid.order), (KeptApartBy::RandomBits, TimeOrder::Ascending));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemeInfo {
    /// The scheme.
    pub scheme: Scheme,
    /// The name in every language.
    pub name: &'static str,
    /// One ID of the scheme, with its article: "a ULID".
    pub noun: &'static str,
    /// The width of the IDs in bits; `None` if it depends on the layout.
    pub bits: Option<u32>,
    /// The type of an ID in languages that have a type for it.
    pub form: IdForm,
    /// The encoding of the canonical text.
    pub encoding: Encoding,
    /// The width of the canonical text, if it is not the encoding's default width.
    pub text_width: Option<i64>,
    /// The scheme of the IDs that a generator of this scheme makes, if it is another scheme.
    pub generated_as: Option<Scheme>,
    /// The options that a generator accepts.
    pub options: &'static [GeneratorOption],
    /// The parts that an ID can have. For a Flake, they depend on the layout.
    pub parts: &'static [Part],
    /// The fields of an ID, from the highest bits to the lowest. Empty if they depend on the
    /// layout, or on the version of a UUID.
    pub fields: &'static [IdField],
    /// What makes the IDs of two generators differ.
    pub kept_apart_by: KeptApartBy,
    /// The order of the IDs.
    pub order: TimeOrder,
    /// What a number must be to be an ID of this scheme, for error messages.
    pub wanted: &'static str,
}

macro_rules! schemes {
    (
        $( #[doc = $first_doc:literal] )+ $first:ident $first_name:literal { $( $first_key:ident: $first_value:expr, )+ }
        $( $( #[doc = $doc:literal] )+ $variant:ident $name:literal { $( $key:ident: $value:expr, )+ } )+
    ) => {
        /// A scheme: a format of IDs.
        ///
        /// ```
        /// use saiban::{Encoding, Scheme};
        /// assert_eq!(Scheme::from_name("uuid-v7"), Ok(Scheme::UuidV7));
        /// assert_eq!((Scheme::UlidFlake.name(), Scheme::UlidFlake.encoding()), ("ulid-flake", Encoding::CROCKFORD));
        /// assert!(Scheme::ALL.contains(&Scheme::Randflake));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Scheme {
            $( #[doc = $first_doc] )+
            $first,
            $( $( #[doc = $doc] )+ $variant, )+
        }

        impl Scheme {
            /// Every scheme.
            pub const ALL: [Scheme; 1 + [$( $name ),+].len()] = [Scheme::$first, $( Scheme::$variant ),+];

            /// The names of all schemes, separated by commas.
            pub(crate) const NAMES: &str = concat!($first_name, $( ", ", $name ),+);

            /// Returns the row of the registry.
            #[must_use]
            pub const fn info(self) -> &'static SchemeInfo {
                match self {
                    Scheme::$first => const {
                        &SchemeInfo { scheme: Scheme::$first, name: $first_name, $( $first_key: $first_value, )+ ..ROW }
                    },
                    $( Scheme::$variant => const {
                        &SchemeInfo { scheme: Scheme::$variant, name: $name, $( $key: $value, )+ ..ROW }
                    }, )+
                }
            }
        }
    };
}

/// The defaults of a row.
const ROW: SchemeInfo = SchemeInfo {
    scheme: Scheme::Snowflake,
    name: "",
    noun: "",
    bits: None,
    form: IdForm::Integer,
    encoding: Encoding::DECIMAL,
    text_width: None,
    generated_as: None,
    options: &[Prefix],
    parts: &[],
    fields: &[],
    kept_apart_by: KeptApartBy::Nodes,
    order: TimeOrder::Ascending,
    wanted: "a signed 64-bit integer whose unused bits are 0",
};

const fn field(name: &'static str, kind: IdFieldKind, bits: u32) -> IdField {
    IdField { name, kind, bits }
}

const fn time(bits: u32) -> IdField {
    field("timestamp", IdFieldKind::Timestamp, bits)
}

const fn random(bits: u32) -> IdField {
    field("random", IdFieldKind::Random, bits)
}

const VERSION: IdField = field("version", IdFieldKind::Version, 4);
const VARIANT: IdField = field("variant", IdFieldKind::Version, 2);

const UUID_WANTED: &str =
    "one of RFC 9562, of 128 bits: with 10 as the two bits of its variant, and a version of 1 to 8";

schemes! {
    /// Snowflake: time, node and sequence.
    Snowflake "snowflake" {
        noun: "a Snowflake ID",
        bits: Some(64),
        options: &[
            Node, Nodes, Lease, Store, Namespace, Layout, Window, NotBefore, State, Rollback, Shards, Scope,
            Clock, MaxJump, MaxWait, Prefix,
        ],
        parts: &[Part::Timestamp, Part::Submillisecond, Part::Node, Part::Sequence, Part::Rollback],
    }
    /// Randflake: time, node and sequence, encrypted.
    Randflake "randflake" {
        noun: "a Randflake ID",
        bits: Some(64),
        encoding: Encoding::BASE32HEX,
        options: &[
            Secret, Node, Nodes, Lease, Store, Namespace, Window, NotBefore, State, Rollback, Shards, Scope,
            Clock, MaxJump, MaxWait, Prefix,
        ],
        parts: &[Part::Timestamp, Part::Node, Part::Sequence],
        fields: &[field("encrypted", IdFieldKind::Opaque, 64)],
        order: TimeOrder::None,
    }
    /// Ulid-Flake: time, and a random part that grows within a tick.
    UlidFlake "ulid-flake" {
        noun: "a Ulid-Flake",
        bits: Some(64),
        encoding: Encoding::CROCKFORD,
        options: &[
            Scalability, Lease, Store, Namespace, EntropySize, EpochMs, AllowCollisions, Window, NotBefore, State,
            Rollback, Scope, Clock, MaxJump, MaxWait, Prefix,
        ],
        parts: &[Part::Timestamp, Part::Node, Part::Random],
    }
    /// Flake: a layout of your own.
    Flake "flake" {
        noun: "the layout",
        options: &[
            Layout, Node, Nodes, Lease, Store, Namespace, Window, NotBefore, State, Rollback, Shards, Scope,
            Clock, MaxJump, MaxWait, Prefix,
        ],
        parts: &Part::ALL,
        kept_apart_by: KeptApartBy::Layout,
        order: TimeOrder::ByLayout,
        wanted: "one of as many bits as the layout has, whose unused bits are 0 and whose constants are the layout's",
    }
    /// ULID: time and 80 random bits.
    Ulid "ulid" {
        noun: "a ULID",
        bits: Some(128),
        form: IdForm::Text,
        encoding: Encoding::CROCKFORD,
        options: &[Window, NotBefore, Rollback, Clock, MaxJump, MaxWait, Prefix],
        parts: &[Part::Timestamp, Part::Random],
        fields: &[time(48), random(80)],
        kept_apart_by: KeptApartBy::RandomBits,
        wanted: "an unsigned integer of 128 bits",
    }
    /// A UUID of any version. A generator makes version 7.
    Uuid "uuid" {
        noun: "a UUID",
        bits: Some(128),
        form: IdForm::Uuid,
        encoding: Encoding::HYPHENATED,
        generated_as: Some(Scheme::UuidV7),
        kept_apart_by: KeptApartBy::RandomBits,
        order: TimeOrder::None,
        wanted: UUID_WANTED,
    }
    /// UUID version 1: time, clock sequence and node.
    UuidV1 "uuid-v1" {
        noun: "a UUID",
        bits: Some(128),
        form: IdForm::Uuid,
        encoding: Encoding::HYPHENATED,
        options: &[Window, NotBefore, Rollback, Clock, MaxJump, MaxWait, Prefix],
        parts: &[Part::Timestamp, Part::Submillisecond, Part::Node, Part::Sequence],
        fields: &[
            time(32),
            time(16),
            VERSION,
            time(12),
            VARIANT,
            field("sequence", IdFieldKind::Sequence, 14),
            field("node", IdFieldKind::Node, 48),
        ],
        kept_apart_by: KeptApartBy::RandomBits,
        order: TimeOrder::None,
        wanted: UUID_WANTED,
    }
    /// UUID version 4: random bits.
    UuidV4 "uuid-v4" {
        noun: "a UUID",
        bits: Some(128),
        form: IdForm::Uuid,
        encoding: Encoding::HYPHENATED,
        parts: &[Part::Random],
        fields: &[random(48), VERSION, random(12), VARIANT, random(62)],
        kept_apart_by: KeptApartBy::RandomBits,
        order: TimeOrder::None,
        wanted: UUID_WANTED,
    }
    /// UUID version 7: time and random bits.
    UuidV7 "uuid-v7" {
        noun: "a UUID",
        bits: Some(128),
        form: IdForm::Uuid,
        encoding: Encoding::HYPHENATED,
        options: &[Window, NotBefore, Rollback, Clock, MaxJump, MaxWait, Prefix],
        parts: &[Part::Timestamp, Part::Submillisecond, Part::Random],
        fields: &[time(48), VERSION, random(12), VARIANT, random(62)],
        kept_apart_by: KeptApartBy::RandomBits,
        wanted: UUID_WANTED,
    }
    /// MongoDB's ObjectId: seconds, random bits and a counter.
    ObjectId "objectid" {
        noun: "an ObjectId",
        bits: Some(96),
        form: IdForm::Text,
        encoding: Encoding::HEX,
        text_width: Some(24),
        options: &[Window, NotBefore, Rollback, Clock, MaxJump, MaxWait, Prefix],
        parts: &[Part::Timestamp, Part::Node, Part::Sequence],
        fields: &[time(32), field("node", IdFieldKind::Node, 40), field("sequence", IdFieldKind::Sequence, 24)],
        kept_apart_by: KeptApartBy::RandomBits,
        wanted: "an unsigned integer of 96 bits",
    }
    /// Tick ID: time as text that sorts, and random digits.
    TickId "tick-id" {
        noun: "a tick ID",
        bits: Some(77),
        form: IdForm::Text,
        options: &[Order, Window, NotBefore, Rollback, Clock, MaxJump, MaxWait, Prefix],
        parts: &[Part::Timestamp, Part::Submillisecond, Part::Random],
        fields: &[field("number", IdFieldKind::Opaque, 77)],
        kept_apart_by: KeptApartBy::Store,
        order: TimeOrder::ByOption,
        wanted: "what a tick ID's 19 digits of time and its 3 or 4 random digits make, 77 bits",
    }
    /// TSID: a Snowflake with 42 bits of time. Its text has 13 characters and sorts.
    Tsid "tsid" {
        noun: "a TSID",
        bits: Some(64),
        encoding: Encoding::CROCKFORD,
        options: &[
            Node, Nodes, Lease, Store, Namespace, Layout, Window, NotBefore, State, Rollback, Shards, Scope,
            Clock, MaxJump, MaxWait, Prefix,
        ],
        parts: &[Part::Timestamp, Part::Submillisecond, Part::Node, Part::Sequence, Part::Rollback],
    }
    /// XID: the bits of an ObjectId, with shorter text.
    Xid "xid" {
        noun: "an XID",
        bits: Some(96),
        form: IdForm::Text,
        encoding: Encoding::XID,
        options: &[Window, NotBefore, Rollback, Clock, MaxJump, MaxWait, Prefix],
        parts: &[Part::Timestamp, Part::Node, Part::Sequence],
        fields: &[time(32), field("node", IdFieldKind::Node, 40), field("sequence", IdFieldKind::Sequence, 24)],
        kept_apart_by: KeptApartBy::RandomBits,
        wanted: "an unsigned integer of 96 bits",
    }
}
