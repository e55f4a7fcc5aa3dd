//! IDs that a service makes, taken in blocks in advance, for Kotlin and Swift.

use crate::error::{SaibanError, guard};
use crate::generator::{generator, in_bytes};
use crate::layout::Layout;
use crate::number::UuidValue;
use saiban::{Error, Generator};
use saiban_coordination::{AnyRemote, Issuer, RemoteOptions};
use std::sync::Arc;

type Narrow = saiban_coordination::RemoteGenerator<i64>;
type Wide = saiban_coordination::RemoteGenerator<u128>;

/// Hands out IDs of up to 64 bits that a service makes (`saiban serve`), taken in blocks in
/// advance: the next is fetched when half of one is used, so that an ID which is prefetched costs
/// no round trip. What is not used within `max_age_ms` is dropped, and what is prefetched when the
/// process ends is never used. A copy of the process made by fork has none of its parent's IDs: its
/// first is of a block of its own.
///
/// Text, `inspect` and `range` need no service; of a Randflake `inspect` is `InvalidArgument`, as
/// only the service has the secret. `stats` are those of this generator's IDs. Schemes of wider IDs
/// have a `RemoteUuidGenerator` or a `RemoteTextGenerator`.
///
/// ```kotlin
/// val ids = RemoteGenerator("saiban://127.0.0.1:7609", scheme = "snowflake")
/// val id = ids.generate()                      // Long
/// ids.inspect(id).node                         // one of the service's
/// ```
/// ```swift
/// let ids = try RemoteGenerator(url: "saiban://127.0.0.1:7609", scheme: "snowflake")
/// let id = try ids.generate()                  // Int64
/// try ids.inspect(id).node                     // one of the service's
/// ```
#[derive(uniffi::Object)]
pub struct RemoteGenerator(Issuer<i64>, Arc<Narrow>);

/// Hands out UUIDs that a service makes, as a `RemoteGenerator` does its IDs; or other IDs of 128
/// bits, ULIDs say, as UUIDs of the same bits.
///
/// ```kotlin
/// val keys = RemoteUuidGenerator("saiban://127.0.0.1:7609", scheme = "uuid-v7")
/// val key = keys.generate()                    // java.util.UUID
/// ```
/// ```swift
/// let keys = try RemoteUuidGenerator(url: "saiban://127.0.0.1:7609", scheme: "uuid-v7")
/// let key = try keys.generate()                // UUID
/// ```
#[derive(uniffi::Object)]
pub struct RemoteUuidGenerator(Issuer<u128>, Arc<Wide>);

/// Hands out IDs of more than 64 bits that a service makes, as a `RemoteGenerator` does its IDs:
/// ULIDs, ObjectIds, tick IDs, UUIDs, or those of a layout of its own. An ID is its canonical text.
///
/// ```kotlin
/// val ids = RemoteTextGenerator("saiban://127.0.0.1:7609", scheme = "ulid")
/// val id = ids.generate()                      // 01H455VB4PEX5VSKNK084SN02Q
/// ```
/// ```swift
/// let ids = try RemoteTextGenerator(url: "saiban://127.0.0.1:7609", scheme: "ulid")
/// let id = try ids.generate()                  // 01H455VB4PEX5VSKNK084SN02Q
/// ```
#[derive(uniffi::Object)]
pub struct RemoteTextGenerator(Issuer<u128>, Arc<Wide>);

/// Gives a remote generator the interface of generators of its IDs.
macro_rules! takes {
    ($name:ident, $id:ident) => {
        generator! {
            $name, $id,
            /// Takes an ID that is prefetched; where there is none the service is waited for,
            /// `wait_s` at most.
            ///
            /// Errors: what the service reports; `StoreUnavailable` when it could not be asked in
            /// `wait_s`.
            generate,
            /// Takes an ID that is prefetched; where there is none more are being fetched, and
            /// nothing is returned.
            ///
            /// Errors: what the service has reported to the last that was asked of it, once.
            try_generate
        }
    };
}

takes!(RemoteGenerator, i64);
takes!(RemoteUuidGenerator, UuidValue);
takes!(RemoteTextGenerator, String);
in_bytes!(RemoteUuidGenerator, UuidValue);
in_bytes!(RemoteTextGenerator, String);

/// A generator of IDs that are numbers of up to 64 bits.
fn narrow(ids: AnyRemote) -> Result<Narrow, Error> {
    match ids {
        AnyRemote::Narrow(ids) => Ok(ids),
        AnyRemote::Wide(_) => Err(Error::InvalidArgument {
            what: "the service's IDs of this scheme have more than 64 bits: take a RemoteUuidGenerator for UUIDs, a \
                   RemoteTextGenerator for others",
        }),
    }
}

/// A generator of IDs that are text.
fn wide(ids: AnyRemote) -> Result<Wide, Error> {
    match ids {
        AnyRemote::Wide(ids) => Ok(ids),
        AnyRemote::Narrow(_) => Err(Error::InvalidArgument {
            what: "the service's IDs of this scheme have up to 64 bits: take a RemoteGenerator",
        }),
    }
}

/// A generator of IDs that fit a UUID.
fn of_128_bits(ids: AnyRemote) -> Result<Wide, Error> {
    let ids = wide(ids)?;
    if ids.bits() == u128::BITS {
        return Ok(ids);
    }
    Err(Error::InvalidArgument {
        what: "the service's IDs of this scheme have fewer than a UUID's 128 bits: take a RemoteTextGenerator",
    })
}

/// What all remote generators have.
macro_rules! remote {
    ($name:ident, $take:path) => {
        #[uniffi::export]
        impl $name {
            /// Opens the scheme that the service at this URL has under this name, asks what its IDs
            /// are, and waits for that.
            ///
            /// - `url`: `saiban://[:TOKEN@]host[:7609][,host…]`, or `saibans://` for TLS with
            ///   `ca=`, `cert=` and `key=` (files); `token_file=` has the token of either. Hosts
            ///   are asked in turn when one does not answer.
            /// - `scheme`: the name that the service has it under.
            /// - `block`: how many IDs are taken with one round trip, 1 to 100,000, and no more
            ///   than the service allows; by default 1,000.
            /// - `max_age_ms`: how long after it was asked for an ID may be handed out, 1 to
            ///   3,600,000 milliseconds, by default 1,000: IDs tell the time at which the service
            ///   made them.
            /// - `wait_s`: how long to wait for the service where no ID is prefetched, seconds, at
            ///   least 1; by default 10.
            ///
            /// Errors: `InvalidArgument` for a URL or numbers that cannot be, and a scheme whose
            /// IDs are of another generator's width; what the service
            /// says: `UnknownName` for a scheme that it does not have; `StoreUnavailable` when it
            /// could not be asked in `wait_s`, or does not let this program; `StoreUnsupported` for
            /// a scheme that this saiban does not know. No message holds the token.
            #[uniffi::constructor(default(block = None, max_age_ms = None, wait_s = None))]
            pub fn new(
                url: String,
                scheme: String,
                block: Option<i64>,
                max_age_ms: Option<i64>,
                wait_s: Option<i64>,
            ) -> Result<Self, SaibanError> {
                guard(|| {
                    let defaults = RemoteOptions::default();
                    let options = RemoteOptions {
                        block: block.unwrap_or(defaults.block),
                        max_age_ms: max_age_ms.unwrap_or(defaults.max_age_ms),
                        wait_s: wait_s.unwrap_or(defaults.wait_s),
                    };
                    let ids = Arc::new($take(AnyRemote::open(&url, &scheme, &options)?)?);
                    Ok($name(Arc::clone(&ids).issuer(), ids))
                })
            }

            /// The name that the service has the scheme under.
            pub fn name(&self) -> String {
                self.1.name().into()
            }

            /// The layout of its IDs, where the scheme may have others.
            pub fn layout(&self) -> Option<Arc<Layout>> {
                self.0.layout().map(|layout| Arc::new(Layout::of(*layout)))
            }

            /// Returns the counter's status in this process. It asks no service.
            ///
            /// Errors: `InvalidArgument` in a copy of the process made by fork, for files of the
            /// URL that cannot be read any more.
            pub fn status(&self) -> Result<RemoteStatus, SaibanError> {
                guard(|| Ok(self.1.status()?.into()))
            }
        }
    };
}

remote!(RemoteGenerator, narrow);
remote!(RemoteUuidGenerator, of_128_bits);
remote!(RemoteTextGenerator, wide);

/// How a remote generator is doing in this process.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct RemoteStatus {
    /// The number of prefetched IDs. They are lost when the process ends.
    pub prefetched: i64,
    /// The number of IDs that were dropped because they became too old.
    pub dropped: i64,
    /// The number of requests to the service.
    pub calls: i64,
    /// What went wrong at the last request; absent where nothing did.
    pub why: Option<String>,
}

impl From<saiban_coordination::remote::RemoteStatus> for RemoteStatus {
    fn from(status: saiban_coordination::remote::RemoteStatus) -> Self {
        // Nobody lives to see one of these overflow.
        let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        RemoteStatus {
            prefetched: signed(status.prefetched),
            dropped: signed(status.dropped),
            calls: signed(status.calls),
            why: status.why.map(|why| why.to_string()),
        }
    }
}
