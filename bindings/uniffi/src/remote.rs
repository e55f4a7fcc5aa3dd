//! IDs that a service makes, which remote generators fetch in blocks in advance, for Kotlin and
//! Swift.

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
/// advance: the next is fetched when half of one is used, so a prefetched ID costs no round trip.
/// IDs that are not used within `max_age_ms` are dropped, and a process that ends loses its
/// prefetched IDs. A forked process uses none of its parent's prefetched IDs: it fetches its own
/// block.
///
/// Text, `inspect` and `range` need no service. For Randflake `inspect` fails with
/// `InvalidArgument`, because only the service has the secret. `stats` covers this generator's IDs.
/// For schemes of wider IDs, use a `RemoteUuidGenerator` or a `RemoteTextGenerator`.
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
#[repr(C)]
pub struct RemoteGenerator(Issuer<i64>, Arc<Narrow>);

/// Issues UUIDs that a service makes, like a `RemoteGenerator`; or other IDs of 128 bits, such as
/// ULIDs, as UUIDs with their bits.
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
#[repr(C)]
pub struct RemoteUuidGenerator(Issuer<u128>, Arc<Wide>);

/// Issues IDs of more than 64 bits that a service makes, like a `RemoteGenerator`: ULIDs,
/// ObjectIds, tick IDs, UUIDs, or IDs of a custom layout. An ID is its canonical text.
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
#[repr(C)]
pub struct RemoteTextGenerator(Issuer<u128>, Arc<Wide>);

/// Implements the interface of generators for a remote generator.
macro_rules! takes {
    ($name:ident, $id:ident) => {
        generator! {
            $name, $id,
            /// Returns a prefetched ID, or waits for the service, at most `wait_s`.
            ///
            /// Errors: those of the service; `StoreUnavailable` if it does not reply within
            /// `wait_s`.
            generate,
            /// Returns a prefetched ID; if there is none, starts to fetch more and returns nothing.
            ///
            /// Errors: the error of the last request to the service, once.
            try_generate
        }
    };
}

takes!(RemoteGenerator, i64);
takes!(RemoteUuidGenerator, UuidValue);
takes!(RemoteTextGenerator, String);
in_bytes!(RemoteUuidGenerator, UuidValue);
in_bytes!(RemoteTextGenerator, String);

/// Returns the generator if its IDs have up to 64 bits.
fn narrow(ids: AnyRemote) -> Result<Narrow, Error> {
    match ids {
        AnyRemote::Narrow(ids) => Ok(ids),
        AnyRemote::Wide(_) => Err(Error::InvalidArgument {
            what: "the service's IDs of this scheme have more than 64 bits: take a RemoteUuidGenerator for UUIDs, a \
                   RemoteTextGenerator for others",
        }),
    }
}

/// Returns the generator if its IDs have more than 64 bits.
fn wide(ids: AnyRemote) -> Result<Wide, Error> {
    match ids {
        AnyRemote::Wide(ids) => Ok(ids),
        AnyRemote::Narrow(_) => Err(Error::InvalidArgument {
            what: "the service's IDs of this scheme have up to 64 bits: take a RemoteGenerator",
        }),
    }
}

/// Returns the generator if its IDs have 128 bits, like a UUID.
fn of_128_bits(ids: AnyRemote) -> Result<Wide, Error> {
    let ids = wide(ids)?;
    if ids.bits() == u128::BITS {
        return Ok(ids);
    }
    Err(Error::InvalidArgument {
        what: "the service's IDs of this scheme have fewer than a UUID's 128 bits: take a RemoteTextGenerator",
    })
}

/// The methods that all remote generators have.
macro_rules! remote {
    ($name:ident, $take:path) => {
        #[uniffi::export]
        impl $name {
            /// Opens a scheme of the service at this URL. It requests the scheme's description, and
            /// waits for it.
            ///
            /// - `url`: `saiban://[:TOKEN@]host[:7609][,host…]`, or `saibans://` for TLS with
            ///   `ca=`, `cert=` and `key=` (files); `token_file=` has the token of either. Hosts
            ///   are tried in turn.
            /// - `scheme`: the scheme's name in the service.
            /// - `block`: the number of IDs that are fetched with one round trip, 1 to 100,000, and
            ///   no more than the service allows; by default 1,000.
            /// - `max_age_ms`: the maximum age of an ID, counted from its request, 1 to 3,600,000
            ///   milliseconds, by default 1,000: an ID holds the time at which the service made it.
            /// - `wait_s`: the longest wait for the service if no ID is prefetched, seconds, at
            ///   least 1; by default 10.
            ///
            /// Errors: `InvalidArgument` for an invalid URL or number, and for a scheme whose IDs
            /// need a generator of another width; `UnknownName` if the service does not have the
            /// scheme; `StoreUnavailable` if it does not reply within `wait_s`, or refuses the
            /// token; `StoreUnsupported` for a scheme that this version of saiban does not know. No
            /// message contains the token.
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

            /// The scheme's name in the service.
            pub fn name(&self) -> String {
                self.1.name().into()
            }

            /// The layout of its IDs, if the scheme has more than one layout.
            pub fn layout(&self) -> Option<Arc<Layout>> {
                self.0.layout().map(|layout| Arc::new(Layout::of(*layout)))
            }

            /// Returns the generator's status in this process. The service is not contacted.
            ///
            /// Errors: `InvalidArgument` in a forked process, if files that the URL names can no
            /// longer be read.
            pub fn status(&self) -> Result<RemoteStatus, SaibanError> {
                guard(|| Ok(self.1.status()?.into()))
            }
        }
    };
}

remote!(RemoteGenerator, narrow);
remote!(RemoteUuidGenerator, of_128_bits);
remote!(RemoteTextGenerator, wide);

/// The status of a remote generator in this process.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct RemoteStatus {
    /// The number of prefetched IDs. They are lost when the process ends.
    pub prefetched: i64,
    /// The number of IDs that were dropped because they became too old.
    pub dropped: i64,
    /// The number of requests to the service.
    pub calls: i64,
    /// The error of the last request; absent if it succeeded.
    pub why: Option<String>,
}

impl From<saiban_coordination::remote::RemoteStatus> for RemoteStatus {
    fn from(status: saiban_coordination::remote::RemoteStatus) -> Self {
        // None of these numbers exceeds 63 bits in practice.
        let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        RemoteStatus {
            prefetched: signed(status.prefetched),
            dropped: signed(status.dropped),
            calls: signed(status.calls),
            why: status.why.map(|why| why.to_string()),
        }
    }
}
