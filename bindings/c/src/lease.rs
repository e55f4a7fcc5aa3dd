//! Leases of nodes from a store.

use crate::error::{SAIBAN_MESSAGE_CAPACITY, SAIBAN_OK};
use crate::ffi::{Chars, Fill, Nothing, Out, Slice, ffi};
use crate::given::{NOT_GIVEN, flag, given};
use crate::layout::Layout;
use crate::names::{self, name_of, names};
use crate::parts;
use crate::versioned::{Defaults, Given, Versioned, unknown_size};
use saiban::{Error, Scheme, Secret};
use saiban_coordination::lease::holder::State;
use std::ffi::c_char;
use std::ptr;

/// It was released.
pub const SAIBAN_LEASE_IDLE: i32 = 1;
/// It has no nodes, and requests some.
pub const SAIBAN_LEASE_ACQUIRING: i32 = 2;
/// It has nodes.
pub const SAIBAN_LEASE_ACTIVE: i32 = 3;
/// It has nodes, and has requested a renewal.
pub const SAIBAN_LEASE_RENEWING: i32 = 4;
/// It is being released.
pub const SAIBAN_LEASE_DRAINING: i32 = 5;
/// It ended without a renewal. A new lease is requested.
pub const SAIBAN_LEASE_EXPIRED: i32 = 6;
/// Another holder has the nodes, or the store lost the lease. A new lease is requested.
pub const SAIBAN_LEASE_LOST: i32 = 7;
/// It is a copy that fork made: what it has is the parent's.
pub const SAIBAN_LEASE_INVALID: i32 = 8;

const NUMBERS: [(i32, State); 8] = [
    (SAIBAN_LEASE_IDLE, State::Idle),
    (SAIBAN_LEASE_ACQUIRING, State::Acquiring),
    (SAIBAN_LEASE_ACTIVE, State::Active),
    (SAIBAN_LEASE_RENEWING, State::Renewing),
    (SAIBAN_LEASE_DRAINING, State::Draining),
    (SAIBAN_LEASE_EXPIRED, State::Expired),
    (SAIBAN_LEASE_LOST, State::Lost),
    (SAIBAN_LEASE_INVALID, State::Invalid),
];

names!(NAMES: 16 = |row| row.1.name(), NUMBERS);

/// What one may choose of a lease. Begin with SAIBAN_LEASE_OPTIONS_INIT (or
/// saiban_lease_options_init), then change what you need. Texts end with a NUL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LeaseOptions {
    /// The size of this struct as the program was compiled with: leave it as it is.
    pub size: usize,
    /// The namespace: 1 to 64 of the characters A-Z, a-z, 0-9, "_", "-" and "."; NULL is "default".
    /// Generators whose IDs go into one column must use the same namespace.
    pub name_space: *const c_char,
    /// The layout of the IDs, which must have nodes; NULL is the scheme's own, of a Snowflake
    /// Twitter's. A Flake's must be given.
    pub layout: *const Layout,
    /// The secret of encrypted IDs (Randflake). Nothing but a number made of it is kept, or sent to
    /// the store.
    pub secret: *const u8,
    /// How many bytes the secret has: 16.
    pub secret_len: usize,
    /// Who holds the lease, for people, up to 120 characters; NULL is host and process id.
    pub holder: *const c_char,
    /// How many nodes, next to each other: 1 to 65536; by default 1.
    pub nodes: i64,
    /// For how long at a time, seconds: 1 up to what the namespace allows; by default 600. It is
    /// renewed after a third.
    pub ttl_s: i64,
    /// The scheme, one of SAIBAN_SCHEME_… whose IDs have nodes or a scalability id; by default
    /// …_SNOWFLAKE.
    pub scheme: i64,
    /// Whether to create the namespace if it does not exist: 1 or 0. An empty store may mean that
    /// data was lost, so the default is 1 only for sqlite: and memory:.
    pub create: i64,
    /// The longest lease that a namespace made so allows, seconds, for which it is also in
    /// quarantine after a loss; by default 3600.
    pub max_ttl_s: i64,
    /// How far this machine's clock may be from the store's, seconds; by default 10.
    pub max_clock_skew_s: i64,
    /// How long to wait for a store that cannot be reached, seconds; by default 10.
    pub wait_s: i64,
}

impl Defaults for LeaseOptions {
    const NONE: LeaseOptions = LeaseOptions {
        size: size_of::<LeaseOptions>(),
        name_space: ptr::null(),
        layout: ptr::null(),
        secret: ptr::null(),
        secret_len: 0,
        holder: ptr::null(),
        nodes: NOT_GIVEN,
        ttl_s: NOT_GIVEN,
        scheme: NOT_GIVEN,
        create: NOT_GIVEN,
        max_ttl_s: NOT_GIVEN,
        max_clock_skew_s: NOT_GIVEN,
        wait_s: NOT_GIVEN,
    };
}

impl Versioned for LeaseOptions {
    const UNKNOWN_SIZE: &'static str = unknown_size!(init "SAIBAN_LEASE_OPTIONS_INIT");
}

impl LeaseOptions {
    fn scheme(&self) -> Result<Option<Scheme>, Error> {
        let Some(number) = given(self.scheme) else { return Ok(None) };
        // A number of more than 32 bits becomes -1, which no scheme has.
        match parts::scheme(i32::try_from(number).unwrap_or(-1))? {
            Some(scheme) => Ok(Some(scheme)),
            None => {
                Err(Error::InvalidArgument { what: "a lease is for one scheme: give one instead of SAIBAN_SCHEME_ANY" })
            }
        }
    }

    fn core(&self) -> Result<saiban_coordination::LeaseOptions, Error> {
        let default = saiban_coordination::LeaseOptions::default();
        let secret =
            Slice::new(self.secret).map(|secret| Secret::from_slice(secret.get(self.secret_len)?)).transpose()?;
        Ok(saiban_coordination::LeaseOptions {
            namespace: Chars::member(self.name_space)?.map_or(default.namespace, Into::into),
            nodes: given(self.nodes).unwrap_or(default.nodes),
            ttl_s: given(self.ttl_s).unwrap_or(default.ttl_s),
            scheme: self.scheme()?.unwrap_or(default.scheme),
            // SAFETY: NULL, or a layout that the caller has not freed.
            layout: unsafe { self.layout.as_ref() }.map(|layout| layout.core),
            secret,
            create: flag(self.create, "create is neither 0 nor 1: give one of them")?,
            max_ttl_s: given(self.max_ttl_s).unwrap_or(default.max_ttl_s),
            max_clock_skew_s: given(self.max_clock_skew_s).unwrap_or(default.max_clock_skew_s),
            holder: Chars::member(self.holder)?.map(Into::into),
            wait_s: given(self.wait_s).unwrap_or(default.wait_s),
        })
    }
}

/// A lease of nodes: see saiban_lease_acquire. Any
/// number of threads may use it at once.
pub struct Lease {
    pub(crate) core: saiban_coordination::Lease,
}

/// How a lease is doing: see saiban_lease_status.
// The struct has no padding: its size distinguishes versions, and a member in padding would not
// change it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Status {
    /// The first of its nodes; 0 while there is no lease.
    pub nodes_first: i64,
    /// The node after the last; 0 while there is no lease.
    pub nodes_end: i64,
    /// When it ends unless it is renewed, Unix milliseconds; 0 while there is no lease.
    pub end_ms: i64,
    /// How many leases there were: more than one when one was lost or expired.
    pub grants: u64,
    /// How often it was renewed.
    pub renewals: u64,
    /// Where it is, one of SAIBAN_LEASE_….
    pub state: i32,
    /// The error of the last request to the store, one of SAIBAN_ERROR_…, or SAIBAN_OK.
    pub error: i32,
    /// Whether it has nodes now.
    pub has_nodes: bool,
    /// 0.
    pub reserved: [u8; 7],
    /// The message of that error, as saiban_last_error_message returns it, or "".
    pub why: [c_char; SAIBAN_MESSAGE_CAPACITY],
}

impl Versioned for Status {
    const UNKNOWN_SIZE: &'static str = unknown_size!(sizeof "saiban_status");
}

impl From<saiban_coordination::Status> for Status {
    fn from(status: saiban_coordination::Status) -> Self {
        let saiban_coordination::Status { state, nodes, end_ms, grants, renewals, why } = status;
        let message = why.as_ref().map(ToString::to_string).unwrap_or_default();
        let has_nodes = nodes.is_some();
        let nodes = nodes.unwrap_or_default();
        Status {
            nodes_first: nodes.start,
            nodes_end: nodes.end,
            end_ms,
            grants,
            renewals,
            state: number_of(state),
            error: why.map_or(SAIBAN_OK, |why| why.kind().number()),
            has_nodes,
            reserved: [0; 7],
            why: text_of(&message),
        }
    }
}

fn number_of(state: State) -> i32 {
    names::number_of(&NUMBERS, &state).unwrap_or(SAIBAN_LEASE_INVALID)
}

/// Returns as much of a text as fits, cut between characters, with a NUL at its end.
pub(crate) fn text_of(text: &str) -> [c_char; SAIBAN_MESSAGE_CAPACITY] {
    let mut places = [0; SAIBAN_MESSAGE_CAPACITY];
    let end = text.floor_char_boundary(SAIBAN_MESSAGE_CAPACITY - 1);
    for (place, byte) in places.iter_mut().zip(text[..end].bytes()) {
        *place = byte as c_char;
    }
    places
}

ffi! {
    /// Sets all options to their defaults: SAIBAN_LEASE_OPTIONS_INIT for languages without the
    /// macro.
    ///
    /// - options, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know.
    fn saiban_lease_options_init(options: Fill<LeaseOptions>, size: usize) {
        options.write_version(size, || Ok(LeaseOptions { size, ..LeaseOptions::NONE }))?;
    }

    /// Acquires a lease of nodes from a store that the fleet shares, and waits for it, at most
    /// wait_s. The lease is renewed in the background. If the store does not extend the lease
    /// before it ends, or if another holder has the nodes, its generators fail. saiban acquires a
    /// new lease as soon as possible, perhaps of different nodes.
    ///
    ///     saiban_lease *lease = NULL;
    ///     saiban_options options = SAIBAN_OPTIONS_INIT;
    ///     saiban_generator *ids = NULL;
    ///     int64_t id = 0;
    ///     saiban_error error = saiban_lease_acquire("sqlite:leases.db", SAIBAN_NUL_TERMINATED, NULL, &lease);
    ///     if (error == SAIBAN_OK) {
    ///         options.lease = lease;
    ///         error = saiban_snowflake_new(&options, &ids);
    ///     }
    ///     if (error == SAIBAN_OK) {
    ///         error = saiban_generate(ids, &id);
    ///         saiban_lease_release(lease);
    ///     }
    ///     saiban_generator_free(ids);
    ///     saiban_lease_free(lease);
    ///
    /// In a forked process the copy of a lease acquires its own lease at the first use, or for the
    /// first ID, which may take wait_s. The parent's lease is not changed. With memory: calls fail
    /// with FORKED.
    ///
    /// - url, url_len: sqlite:///path, postgres://, mysql://, redis://, etcd://, zookeeper://, with
    ///   login and TLS as each server's clients have them; saiban://, a service (saiban serve);
    ///   memory:NAME is in this process alone.
    /// - options: NULL means the defaults.
    /// - lease: to be freed with saiban_lease_free.
    ///
    /// Errors: INVALID_ARGUMENT for a URL, a name, or numbers that cannot be; NODE_OUT_OF_RANGE,
    /// INVALID_LAYOUT, INVALID_SECRET, UNKNOWN_NAME for a scheme, TEXT_CHARACTER for text that is
    /// no UTF-8; STORE_UNAVAILABLE when the store could not be reached in wait_s; at once
    /// NAMESPACE_UNKNOWN, NAMESPACE_MISMATCH, NAMESPACE_FULL, NAMESPACE_QUARANTINED, CLOCK_SKEW,
    /// STORE_CORRUPT, STORE_UNSUPPORTED.
    fn saiban_lease_acquire(url: Chars, url_len: usize, options: Option<Given<LeaseOptions>>, lease: Out<*mut Lease>) {
        let url = url.utf8(url_len)?;
        let core = saiban_coordination::Lease::acquire(url, &Given::or_default(options)?.core()?)?;
        lease.give(Lease { core });
    }

    /// Reads the nodes that the lease has now.
    ///
    /// - first: the first of them.
    /// - end: the node after the last.
    ///
    /// Errors: while there is no lease LEASE_LOST, or why the store gives none; in a forked process
    /// as saiban_lease_acquire, and FORKED for one of memory:.
    fn saiban_lease_nodes(lease: &Lease, first: Out<i64>, end: Out<i64>) {
        let nodes = lease.core.grant()?.nodes();
        first.set(nodes.start);
        end.set(nodes.end);
    }

    /// Tells how a lease is doing.
    ///
    /// - status, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know; in a forked process as
    /// saiban_lease_nodes.
    fn saiban_lease_status(lease: &Lease, status: Fill<Status>, size: usize) {
        status.write_version(size, || Ok(lease.core.status()?.into()))?;
    }

    /// Requests a renewal now instead of after a third of the time. It does not wait for the reply:
    /// see saiban_lease_status.
    ///
    /// Errors: in a forked process as saiban_lease_nodes.
    fn saiban_lease_renew(lease: &Lease) {
        lease.core.renew()?;
    }

    /// Ends all generators of the lease and releases its nodes, which other holders may get at
    /// once. It waits for the store for at most 5 seconds; if the store does not reply, the lease
    /// expires. A release is final. A second call, or a call in a forked process, does nothing.
    ///
    /// Errors: STORE_UNAVAILABLE if the store does not reply.
    fn saiban_lease_release(lease: &Lease) {
        lease.core.release()?;
    }

    /// Frees the handle; no thread may use it any more. Generators keep the lease: with the last of
    /// them, or now if there is none, it is released in the background. No call waits for that, so
    /// call saiban_lease_release before the program exits. In a forked process nothing is released.
    /// NULL is allowed.
    fn saiban_lease_free(lease: Option<Box<Lease>>) -> Nothing {
        drop(lease);
        Nothing
    }

    /// The name of a SAIBAN_LEASE_…: idle, acquiring, active, renewing, draining, expired, lost or
    /// invalid; "" for another number.
    /// Constant: not to be freed.
    fn saiban_lease_state_name(state: i32) -> *const c_char {
        name_of(&NUMBERS, &NAMES, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_number() {
        for (number, state) in NUMBERS {
            assert_eq!(number_of(state), number, "{}", state.name());
            // A new state must get a number, or this does not compile.
            match state {
                State::Idle | State::Acquiring | State::Active | State::Renewing => {}
                State::Draining | State::Expired | State::Lost | State::Invalid => {}
            }
        }
    }

    #[test]
    fn a_reason_too_long_is_cut_between_characters() {
        let places = text_of(&"é".repeat(SAIBAN_MESSAGE_CAPACITY));
        assert_eq!(places.iter().filter(|byte| **byte != 0).count(), SAIBAN_MESSAGE_CAPACITY - 2);
    }

    #[test]
    fn options_not_given_keep_their_defaults() {
        let options = LeaseOptions::NONE.core().expect("nothing that could be wrong");
        assert_eq!(format!("{options:?}"), format!("{:?}", saiban_coordination::LeaseOptions::default()));
    }
}
