//! IDs that a service makes, which remote generators fetch in blocks in advance.

use crate::error::{SAIBAN_MESSAGE_CAPACITY, SAIBAN_OK};
use crate::ffi::{Chars, Fill, Out, ffi};
use crate::generator::{Generator, Service, either};
use crate::given::{NOT_GIVEN, given};
use crate::layout::Layout;
use crate::lease::text_of;
use crate::versioned::{Defaults, Given, Versioned, unknown_size};
use saiban::Error;
use saiban_coordination::{AnyIssuer, AnyRemote};
use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;

/// The options of a remote generator. Begin with
/// SAIBAN_REMOTE_OPTIONS_INIT (or saiban_remote_options_init), then change what you need.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RemoteOptions {
    /// The size of this struct as the program was compiled with: leave it as it is.
    pub size: usize,
    /// How many IDs are taken with one round trip, 1 to 100000, and no more than the service
    /// allows; by default 1000. Up to twice as many are prefetched.
    pub block: i64,
    /// The maximum age of an ID, counted from its request, milliseconds, 1 to 3600000; by default
    /// 1000. An ID holds the time at which the service made it.
    pub max_age_ms: i64,
    /// The longest wait for the service if no ID is prefetched, seconds, at least 1; by default 10.
    pub wait_s: i64,
}

impl Defaults for RemoteOptions {
    const NONE: RemoteOptions =
        RemoteOptions { size: size_of::<RemoteOptions>(), block: NOT_GIVEN, max_age_ms: NOT_GIVEN, wait_s: NOT_GIVEN };
}

impl Versioned for RemoteOptions {
    const UNKNOWN_SIZE: &'static str = unknown_size!(init "SAIBAN_REMOTE_OPTIONS_INIT");
}

impl RemoteOptions {
    fn core(&self) -> saiban_coordination::RemoteOptions {
        let defaults = saiban_coordination::RemoteOptions::default();
        saiban_coordination::RemoteOptions {
            block: given(self.block).unwrap_or(defaults.block),
            max_age_ms: given(self.max_age_ms).unwrap_or(defaults.max_age_ms),
            wait_s: given(self.wait_s).unwrap_or(defaults.wait_s),
        }
    }
}

/// The status of a remote generator in this process: see saiban_remote_status.
// The struct has no padding: its size distinguishes versions, and a member in padding would not
// change it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RemoteStatus {
    /// The number of prefetched IDs. They are lost when the process ends.
    pub prefetched: u64,
    /// The number of IDs that were dropped because they became too old.
    pub dropped: u64,
    /// The number of requests to the service.
    pub calls: u64,
    /// The error of the last request, one of SAIBAN_ERROR_…, or SAIBAN_OK.
    pub error: i32,
    /// 0.
    pub reserved: [u8; 4],
    /// The message of that error, as saiban_last_error_message returns it, or "".
    pub why: [c_char; SAIBAN_MESSAGE_CAPACITY],
}

impl Versioned for RemoteStatus {
    const UNKNOWN_SIZE: &'static str = unknown_size!(sizeof "saiban_remote_prefetch");
}

impl From<saiban_coordination::remote::RemoteStatus> for RemoteStatus {
    fn from(status: saiban_coordination::remote::RemoteStatus) -> Self {
        let saiban_coordination::remote::RemoteStatus { prefetched, dropped, calls, why } = status;
        let message = why.as_ref().map(ToString::to_string).unwrap_or_default();
        let error = why.map_or(SAIBAN_OK, |why| why.kind().number());
        RemoteStatus { prefetched, dropped, calls, error, reserved: [0; 4], why: text_of(&message) }
    }
}

const MADE_HERE: Error =
    Error::InvalidArgument { what: "the generator is not remote: give one from saiban_remote_open" };

ffi! {
    /// Sets all options to their defaults: SAIBAN_REMOTE_OPTIONS_INIT for languages without the
    /// macro.
    ///
    /// - options, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know.
    fn saiban_remote_options_init(options: Fill<RemoteOptions>, size: usize) {
        options.write_version(size, || Ok(RemoteOptions { size, ..RemoteOptions::NONE }))?;
    }

    /// Makes a generator that hands out IDs which a service makes (saiban serve), taken in blocks
    /// in advance: the next is fetched when half of one is used, so that an ID which is prefetched
    /// costs no round trip. What is not used within max_age_ms is dropped, and what is prefetched
    /// when the process ends is never used. Asks the service what its IDs are, and waits for that.
    ///
    ///     saiban_generator *orders = NULL;
    ///     int64_t id = 0;
    ///     if (saiban_remote_open("saiban://127.0.0.1:7609", SAIBAN_NUL_TERMINATED, "snowflake", SAIBAN_NUL_TERMINATED, NULL,
    ///                            &orders) == SAIBAN_OK) {
    ///         saiban_generate(orders, &id);
    ///     }
    ///     saiban_generator_free(orders);
    ///
    /// Use it like any generator: saiban_generate and saiban_fill for IDs of up to 64 bits, the
    /// functions that end in _wide for any width, saiban_generate_text for text. If no ID is
    /// prefetched these wait for the service, at most wait_s, and saiban_try_generate starts to
    /// fetch more. Functions that read or compose IDs need no service, except for encrypted IDs
    /// (Randflake): only the service has the secret, so they fail with INVALID_ARGUMENT.
    ///
    /// A forked process uses none of its parent's prefetched IDs: it fetches its own block.
    ///
    /// - url, url_len: saiban://[:TOKEN@]host[:7609][,host...], or saibans:// for TLS with ca=,
    ///   cert= and key= (files); token_file= has the token of either. Hosts are tried in turn. No
    ///   message contains the token.
    /// - scheme, scheme_len: the name that the service has the scheme under.
    /// - options: NULL means the defaults.
    /// - generator: to be freed with saiban_generator_free.
    ///
    /// Errors: INVALID_ARGUMENT for an invalid URL or number; TEXT_CHARACTER for text that is not
    /// UTF-8; UNKNOWN_NAME if the service does not have the scheme; STORE_UNAVAILABLE if it does
    /// not reply within wait_s, or refuses the token; STORE_UNSUPPORTED for a scheme that this
    /// library does not know. Calls that make IDs return the errors of the service, and
    /// STORE_UNAVAILABLE.
    fn saiban_remote_open(
        url: Chars, url_len: usize, scheme: Chars, scheme_len: usize, options: Option<Given<RemoteOptions>>,
        generator: Out<*mut Generator>,
    ) {
        let (url, scheme) = (url.utf8(url_len)?, scheme.utf8(scheme_len)?);
        let options = Given::or_default(options)?.core();
        let (ids, service): (AnyIssuer, Service) = match AnyRemote::open(url, scheme, &options)? {
            AnyRemote::Narrow(ids) => {
                let ids = Arc::new(ids);
                (AnyIssuer::Narrow(Arc::clone(&ids).issuer()), Box::new(move || ids.status()))
            }
            AnyRemote::Wide(ids) => {
                let ids = Arc::new(ids);
                (AnyIssuer::Wide(Arc::clone(&ids).issuer()), Box::new(move || ids.status()))
            }
        };
        generator.give(Generator { ids, service: Some(service) });
    }

    /// Gives the layout of a service's IDs.
    ///
    /// - layout: to be freed with saiban_layout_free; NULL where the scheme has no others.
    ///
    /// Errors: INVALID_ARGUMENT for a generator of this process.
    fn saiban_remote_layout(generator: &Generator, layout: Out<*mut Layout>) {
        if generator.service.is_none() {
            return Err(MADE_HERE.into());
        }
        match either!(generator, ids => ids.layout().copied()) {
            Some(core) => layout.give(Layout { core }),
            None => layout.set(ptr::null_mut()),
        }
    }

    /// Reads the status of a remote generator in this process. The service is not contacted.
    ///
    /// - status, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know, and for a generator of
    /// this process; in a forked process also for files of the URL that cannot be read any
    /// more.
    fn saiban_remote_status(generator: &Generator, status: Fill<RemoteStatus>, size: usize) {
        status.write_version(size, || Ok(generator.service.as_ref().ok_or(MADE_HERE)?()?.into()))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_not_given_keep_their_defaults() {
        assert_eq!(RemoteOptions::NONE.core(), saiban_coordination::RemoteOptions::default());
    }
}
