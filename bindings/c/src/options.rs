//! The options of generators.

use crate::clock::ManualClock;
use crate::error::Failure;
use crate::ffi::{Chars, Fill, Slice, ffi};
use crate::given::{NOT_GIVEN, flag, given};
use crate::layout::Layout;
use crate::lease::Lease;
use crate::rollback;
use crate::scope;
use crate::versioned::{Defaults, Versioned, unknown_size};
use saiban::scheme::GeneratorOption;
use saiban::{AnyClock, Error, GeneratorSpec, Prefix, Scheme, Secret};
use saiban_coordination::{AnyIssuer, NodesFrom, StoreNodes};
#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::{CStr, c_char};
use std::mem::offset_of;
use std::ops::Range;
use std::path::PathBuf;
use std::ptr;

/// What the user of a generator chooses. Begin with SAIBAN_OPTIONS_INIT (or saiban_options_init),
/// then set what is to be otherwise; what a scheme has no use for must stay as it is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    /// The size of this struct as the program was compiled with: leave it as it is.
    pub size: usize,
    /// The clock; NULL is the system's. The generator keeps it alive.
    pub clock: *const ManualClock,
    /// The layout, where the scheme has more than one; NULL is the scheme's own, of a Snowflake
    /// Twitter's. A Flake's must be given.
    pub layout: *const Layout,
    /// The secret of encrypted IDs (Randflake). It is copied, and the copy is wiped when the
    /// generator is freed.
    pub secret: *const u8,
    /// How many bytes the secret has: 16.
    pub secret_len: usize,
    /// Of schemes and layouts with nodes: the node that is ours alone.
    pub node: i64,
    /// Instead of one node: the first of a range that is ours alone.
    pub nodes_first: i64,
    /// The node after the range's last.
    pub nodes_end: i64,
    /// The window in which IDs may be issued, half-open, for the time in the ID. Unix time: seconds
    /// where ticks are seconds (Randflake, ObjectId), else milliseconds.
    pub window_start: i64,
    /// The end of the window, exclusive.
    pub window_end: i64,
    /// The longest wait for an ID, milliseconds; by default 2 ticks, at most 2000.
    pub max_wait_ms: i64,
    /// Ulid-Flake: the scalability id, 0 to 31; stand-alone IDs if not given.
    pub scalability: i64,
    /// Ulid-Flake: by how many random bytes an ID grows within a millisecond, 1 to 3 (scalable: 1
    /// to 2); by default 1.
    pub entropy_size: i64,
    /// Ulid-Flake: the time of tick 0, Unix milliseconds; by default 2024-01-01.
    pub epoch_ms: i64,
    /// Ulid-Flake: 1 lets a forked process continue with its parent's generator or id, by
    /// default 0. Random bits do not keep two processes apart: a few of their IDs will be equal.
    pub allow_collisions: i64,
    /// The time of the last known ID of these nodes, in the window's unit: IDs begin with the tick
    /// after it, whatever the clock shows.
    pub not_before: i64,
    /// The path of a file that keeps the used ticks for the program's next run, or NULL. It is
    /// created if it does not exist, and locked: no ID is repeated even if the clock is set back
    /// while the program is down. Bytes as the system takes them, UTF-8 on Windows, with a NUL at
    /// the end.
    pub state: *const c_char,
    /// What happens when the clock steps back, one of SAIBAN_ROLLBACK_…; by default …_BITS for a
    /// layout with a rollback field, else …_HOLD.
    pub rollback: i64,
    /// Of schemes and layouts with nodes: how many parts the range of nodes is divided into, by
    /// default 1. Each has a cursor of its own and threads take them in turn, so that they do not
    /// contend; between threads IDs are then ordered by tick only.
    pub shards: i64,
    /// How far the clock may jump ahead of the time since boot before it is refused (CLOCK_JUMPED),
    /// whole seconds, at least 1; by default a day. An ID from the far future would hold its node
    /// until then.
    pub max_jump_s: i64,
    /// Of schemes and layouts with nodes or a scalability id: a lease, for this scheme and layout,
    /// whose nodes and time the IDs have, in place of node, nodes, scalability, window, not_before
    /// and state; NULL for none. The generator keeps it alive.
    pub lease: *const Lease,
    /// Of schemes that can have a lease: which generators of the same node share a cursor, so that
    /// none repeats another's ID, one of SAIBAN_SCOPE_…; by default …_MACHINE where it is
    /// available, else …_PROCESS (saiban_generator_stats says which). It is available on Linux and
    /// macOS, with the system's clock and a layout whose time, node and sequence have 63 bits or
    /// fewer.
    pub scope: i64,
    /// What the canonical text of IDs begins with: at most 63 letters a to z, with underscores
    /// between them, and a NUL; it is copied. An underscore and the ID's number in Crockford's
    /// base32 follow, lower case, in full width; of UUIDs these are TypeIDs, which
    /// saiban_from_text_wide reads of any version. "" is such a text without prefix and underscore,
    /// NULL the scheme's own text. The IDs are the same, and an encoding that is asked for is of
    /// the number alone.
    pub prefix: *const c_char,
    /// Of schemes and layouts with nodes or a scalability id: the URL of a store, as for
    /// saiban_lease_acquire, and a NUL; NULL for none. The generator acquires a lease of one node
    /// from it, for its own scheme, layout and secret, and waits for the store, at most 10 s. It is
    /// given in place of lease; for a lease on other terms see saiban_lease_acquire. The generator
    /// releases its lease when it is freed; saiban_generator_lease gives it.
    pub store: *const c_char,
    /// The namespace of that lease, and a NUL; NULL is "default". Generators whose IDs go into one
    /// column must use the same namespace.
    pub name_space: *const c_char,
}

impl Defaults for Options {
    const NONE: Options = Options {
        size: size_of::<Options>(),
        clock: ptr::null(),
        layout: ptr::null(),
        secret: ptr::null(),
        secret_len: 0,
        node: NOT_GIVEN,
        nodes_first: NOT_GIVEN,
        nodes_end: NOT_GIVEN,
        window_start: NOT_GIVEN,
        window_end: NOT_GIVEN,
        max_wait_ms: NOT_GIVEN,
        scalability: NOT_GIVEN,
        entropy_size: NOT_GIVEN,
        epoch_ms: NOT_GIVEN,
        allow_collisions: NOT_GIVEN,
        not_before: NOT_GIVEN,
        state: ptr::null(),
        rollback: NOT_GIVEN,
        shards: NOT_GIVEN,
        max_jump_s: NOT_GIVEN,
        lease: ptr::null(),
        scope: NOT_GIVEN,
        prefix: ptr::null(),
        store: ptr::null(),
        name_space: ptr::null(),
    };
}

/// The size in the first version of this library; no program was ever compiled with a smaller one.
const FIRST_SIZE: usize = offset_of!(Options, allow_collisions) + size_of::<i64>();

impl Versioned for Options {
    const SIZES: &'static [usize] = &[
        FIRST_SIZE,
        offset_of!(Options, lease),
        offset_of!(Options, scope),
        offset_of!(Options, prefix),
        offset_of!(Options, store),
        size_of::<Options>(),
    ];
    const UNKNOWN_SIZE: &'static str = unknown_size!(init "SAIBAN_OPTIONS_INIT");
}

impl Options {
    /// Returns the specification of this scheme's IDs.
    pub(crate) fn spec(&self, scheme: Scheme) -> Result<GeneratorSpec, Error> {
        let mut spec = GeneratorSpec::new(scheme);
        // SAFETY: NULL, or a layout that the caller has not freed.
        spec.layout = unsafe { self.layout.as_ref() }.map(|layout| layout.core);
        spec.secret = self.secret(scheme)?;
        spec.scalability = given(self.scalability);
        spec.entropy_size = given(self.entropy_size);
        spec.epoch_ms = given(self.epoch_ms);
        let what = "allow_collisions is neither 0 nor 1: give one of them";
        spec.allow_collisions = flag(self.allow_collisions, what)?.unwrap_or(false);
        spec.prefix = Chars::member(self.prefix)?.map(Prefix::new).transpose()?;
        Ok(spec)
    }

    fn secret(&self, scheme: Scheme) -> Result<Option<Secret>, Error> {
        match Slice::new(self.secret) {
            Some(secret) => Secret::from_slice(secret.get(self.secret_len)?).map(Some),
            // If the scheme requires a secret, NULL is one of 0 bytes, which is an error.
            None if scheme.takes(GeneratorOption::Secret) => Secret::from_slice(&[]).map(Some),
            None => Ok(None),
        }
    }

    /// Opens a generator of these IDs.
    pub(crate) fn open(&self, spec: &GeneratorSpec) -> Result<AnyIssuer, Failure> {
        // SAFETY: NULL, or a lease that the caller has not freed.
        let lease = unsafe { self.lease.as_ref() }.map(|lease| &lease.core);
        let text = |given| Ok::<_, Error>(Chars::member(given)?.map(str::to_owned));
        let store = StoreNodes::given(text(self.store)?, text(self.name_space)?)?;
        let nodes = NodesFrom::given(lease, store.as_ref())?;
        // SAFETY: NULL, or a clock that the caller has not freed.
        let clock = unsafe { self.clock.as_ref() }.map_or(AnyClock::System, ManualClock::share);
        Ok(AnyIssuer::open(spec, self.common()?, nodes, clock)?)
    }

    /// Returns the options that all schemes share.
    fn common(&self) -> Result<saiban::Options, Error> {
        let range = |start, end| -> Result<Option<Range<i64>>, Error> {
            match (given(start), given(end)) {
                (None, None) => Ok(None),
                (Some(start), Some(end)) => Ok(Some(start..end)),
                _ => Err(Error::InvalidArgument { what: "a range of nodes or a window has only one bound: give both" }),
            }
        };
        let mut options = saiban::Options::default();
        options.node = given(self.node);
        options.nodes = range(self.nodes_first, self.nodes_end)?;
        options.window = range(self.window_start, self.window_end)?;
        options.not_before = given(self.not_before);
        options.state = self.state()?;
        options.rollback = given(self.rollback).map(rollback::policy).transpose()?;
        options.shards = given(self.shards);
        options.scope = given(self.scope).map(scope::scope).transpose()?;
        options.max_jump = given(self.max_jump_s).map(saiban::Options::jump_s).transpose()?;
        options.max_wait = given(self.max_wait_ms).map(saiban::Options::wait_ms).transpose()?;
        Ok(options)
    }

    fn state(&self) -> Result<Option<PathBuf>, Error> {
        if self.state.is_null() {
            return Ok(None);
        }
        // SAFETY: the pointer is not NULL, and the caller guarantees a NUL.
        let path = unsafe { CStr::from_ptr(self.state) };
        #[cfg(unix)]
        let path: &OsStr = std::os::unix::ffi::OsStrExt::from_bytes(path.to_bytes());
        #[cfg(not(unix))]
        let path =
            path.to_str().map_err(|_| Error::InvalidArgument { what: "state is not UTF-8: give the path in UTF-8" })?;
        Ok(Some(PathBuf::from(path)))
    }
}

ffi! {
    /// Sets all options to their defaults: SAIBAN_OPTIONS_INIT for languages without the macro.
    ///
    /// - options, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know.
    fn saiban_options_init(options: Fill<Options>, size: usize) {
        options.write_version(size, || Ok(Options { size, ..Options::NONE }))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::Argument;
    use crate::versioned::Given;

    #[test]
    fn options_not_given_are_left_out() {
        let common = Options::NONE.common().expect("nothing that could be wrong");
        assert_eq!(common, saiban::Options::default());
        assert_eq!(given(NOT_GIVEN), None);
        assert_eq!((given(i64::MIN), given(0), given(-1)), (Some(i64::MIN), Some(0), Some(-1)));
    }

    #[test]
    fn a_shorter_struct_of_an_older_program_keeps_the_defaults_of_the_rest() {
        let (prefix, store) = (c"order".as_ptr(), c"memory:older".as_ptr());
        let mut old = Options { size: FIRST_SIZE, node: 7, not_before: 1, shards: 0, scope: 1, ..Options::NONE };
        (old.prefix, old.store, old.name_space) = (prefix, store, prefix);
        let read = Given::take(&raw const old, "").and_then(Given::read).expect("a size that this library knows");
        assert_eq!((read.node, read.epoch_ms, read.not_before, read.shards), (7, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN));
        assert_eq!(read.scope, NOT_GIVEN);
        old.size = offset_of!(Options, scope);
        let read = Given::take(&raw const old, "").and_then(Given::read).expect("the size before there was a scope");
        assert_eq!((read.node, read.not_before, read.shards, read.scope), (7, 1, 0, NOT_GIVEN));
        old.size = offset_of!(Options, prefix);
        let read = Given::take(&raw const old, "").and_then(Given::read).expect("the size before there was a prefix");
        assert!(read.scope == 1 && read.prefix.is_null());
        assert_eq!(read.spec(Scheme::Ulid).map(|spec| spec.prefix), Ok(None));
        old.size = offset_of!(Options, store);
        let read = Given::take(&raw const old, "").and_then(Given::read).expect("the size before there was a store");
        assert!(read.prefix == prefix && read.store.is_null() && read.name_space.is_null());
        old.size = size_of::<Options>();
        let read = Given::take(&raw const old, "").and_then(Given::read).expect("the size of today");
        assert_eq!(read.spec(Scheme::Ulid).map(|spec| spec.prefix), Ok(Some(Prefix::new("order").expect("a prefix"))));
        assert!(read.store == store && read.name_space == prefix);
        // This size ends between the two members, so the namespace would be missing.
        old.size = offset_of!(Options, name_space);
        assert!(Given::take(&raw const old, "").and_then(Given::read).is_err());
        for size in [0, 8, FIRST_SIZE - 1, FIRST_SIZE + 4, size_of::<Options>() + 1, usize::MAX] {
            old.size = size;
            assert!(Given::take(&raw const old, "").and_then(Given::read).is_err(), "{size}");
        }
    }
}
