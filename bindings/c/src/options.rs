//! What the user of a generator chooses.

use crate::clock::ManualClock;
use crate::ffi::{Argument, Fill, Slice, ffi};
use crate::layout::Layout;
use crate::lease::Lease;
use crate::rollback;
use crate::scope;
use saiban::{AnyClock, Error};
#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::{CStr, c_char};
use std::mem::offset_of;
use std::ops::Range;
use std::path::PathBuf;
use std::ptr;

/// `SAIBAN_NOT_GIVEN` of the header: out of range for whatever may be left out, and no number that a program arrives at by
/// mistake, as the smallest of all would be.
pub(crate) const NOT_GIVEN: i64 = -6_494_000_000_000_000_000;

/// A number that may have been left out.
pub(crate) fn given(number: i64) -> Option<i64> {
    (number != NOT_GIVEN).then_some(number)
}

/// What the user of a generator chooses. Begin with SAIBAN_OPTIONS_INIT (or saiban_options_init), then set what is to be
/// otherwise; what a scheme has no use for must stay as it is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    /// The size of this struct as the program was compiled with: leave it as it is.
    pub size: usize,
    /// The clock; NULL is the system's. The generator keeps it alive.
    pub clock: *const ManualClock,
    /// Snowflake: the layout; NULL is Twitter's. Flake: the layout, which must be given.
    pub layout: *const Layout,
    /// Randflake: the secret. It is copied, and the copy is wiped when the generator is freed.
    pub secret: *const u8,
    /// How many bytes the secret has: 16.
    pub secret_len: usize,
    /// Snowflake, Randflake, and Flake with a node field: the node that is ours alone.
    pub node: i64,
    /// Instead of one node: the first of a range that is ours alone.
    pub nodes_first: i64,
    /// The node after the range's last.
    pub nodes_end: i64,
    /// The window in which IDs may be issued, half-open, for the time in the ID. Unix time: seconds for Randflake and ObjectId,
    /// milliseconds for all others.
    pub window_start: i64,
    /// The end of the window, exclusive.
    pub window_end: i64,
    /// The longest wait for an ID, milliseconds; by default 2 ticks, at most 2000.
    pub max_wait_ms: i64,
    /// Ulid-Flake: the scalability id, 0 to 31; stand-alone where it is not given.
    pub scalability: i64,
    /// Ulid-Flake: by how many random bytes an ID grows within a millisecond, 1 to 3 (scalable: 1 to 2); by default 1.
    pub entropy_size: i64,
    /// Ulid-Flake: the time of tick 0, Unix milliseconds; by default 2024-01-01.
    pub epoch_ms: i64,
    /// Ulid-Flake: 1 lets a process made by fork go on with its parent's generator or id, by default 0. Random bits do not keep
    /// two processes apart: a few of their IDs will be equal.
    pub allow_collisions: i64,
    /// The time of the last ID known to be used for these nodes, in the window's unit: IDs begin with the tick after it,
    /// whatever the clock says.
    pub not_before: i64,
    /// The path of a file that remembers, for the program's next run, which ticks were used; NULL for none. It is made where
    /// there is none, and nobody else can have it meanwhile: a clock that was set back while the program was down repeats
    /// nothing. Bytes as the system takes them, UTF-8 on Windows, with a NUL at the end.
    pub state: *const c_char,
    /// What happens when the clock steps back, one of SAIBAN_ROLLBACK_…; by default …_BITS for a layout with a rollback field,
    /// else …_HOLD.
    pub rollback: i64,
    /// Snowflake, Randflake and Flake: how many parts the range of nodes is divided into, by default 1. Each has a cursor of
    /// its own and threads take them in turn, so that they do not contend; between threads IDs are then ordered by tick only.
    pub shards: i64,
    /// How far the clock may jump ahead of the time since boot before it is refused (CLOCK_JUMPED), whole seconds, at least 1;
    /// by default a day. An ID from the far future would hold its node until then.
    pub max_jump_s: i64,
    /// Snowflake, Randflake, Ulid-Flake, and Flake with a node field: a lease, for this scheme and layout, whose nodes and time
    /// the IDs have, in place of node, nodes, scalability, window, not_before and state; NULL for none. The generator keeps it alive.
    pub lease: *const Lease,
    /// Snowflake, Randflake, Ulid-Flake and Flake: which generators of the same node share a cursor, so that none repeats another's
    /// ID, one of SAIBAN_SCOPE_…; by default …_MACHINE where that can be had, else …_PROCESS (saiban_generator_stats says which). It
    /// can be had on Linux and macOS, with the system's clock and a layout whose time, node and sequence have 63 bits or fewer.
    pub scope: i64,
}

impl Options {
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
    };

    /// The size in the first version of this library; no program was ever compiled with a smaller one.
    const FIRST_SIZE: usize = offset_of!(Options, allow_collisions) + size_of::<i64>();

    /// The sizes that programs were compiled with, one for each version of the struct: between two of them an option would be
    /// read in part.
    const SIZES: [usize; 4] =
        [Self::FIRST_SIZE, offset_of!(Options, lease), offset_of!(Options, scope), size_of::<Options>()];

    fn check_size(size: usize) -> Result<(), Error> {
        if Self::SIZES.contains(&size) {
            return Ok(());
        }
        Err(Error::InvalidArgument {
            what: "options.size is none of this library's: begin with SAIBAN_OPTIONS_INIT, of a header no newer than the library",
        })
    }

    pub(crate) fn clock(&self) -> AnyClock {
        // SAFETY: NULL, or a clock that the caller has not freed.
        unsafe { self.clock.as_ref() }.map_or(AnyClock::System, ManualClock::share)
    }

    pub(crate) fn layout(&self) -> saiban::Layout {
        // SAFETY: NULL, or a layout that the caller has not freed.
        unsafe { self.layout.as_ref() }.map_or(saiban::Layout::TWITTER, |layout| layout.core)
    }

    /// The layout of who has no default.
    pub(crate) fn own_layout(&self) -> Result<saiban::Layout, Error> {
        if self.layout.is_null() {
            return Err(Error::InvalidArgument { what: "options.layout is NULL: a Flake needs a layout" });
        }
        Ok(self.layout())
    }

    pub(crate) fn secret(&self) -> Result<saiban::Secret, Error> {
        match Slice::new(self.secret) {
            Some(secret) => saiban::Secret::from_slice(secret.get(self.secret_len)?),
            None => saiban::Secret::from_slice(&[]),
        }
    }

    /// The lease, if it is to have one.
    pub(crate) fn lease(&self) -> Option<&saiban_coordination::Lease> {
        // SAFETY: NULL, or a lease that the caller has not freed.
        unsafe { self.lease.as_ref() }.map(|lease| &lease.core)
    }

    /// The choices that all schemes have in common.
    pub(crate) fn common(&self) -> Result<saiban::Options, Error> {
        let range = |start, end| -> Result<Option<Range<i64>>, Error> {
            match (given(start), given(end)) {
                (None, None) => Ok(None),
                (Some(start), Some(end)) => Ok(Some(start..end)),
                _ => Err(Error::InvalidArgument { what: "a range of nodes or a window has one end only: give both" }),
            }
        };
        Ok(saiban::Options {
            node: given(self.node),
            nodes: range(self.nodes_first, self.nodes_end)?,
            window: range(self.window_start, self.window_end)?,
            not_before: given(self.not_before),
            state: self.state()?,
            rollback: given(self.rollback).map(rollback::policy).transpose()?,
            shards: given(self.shards),
            scope: given(self.scope).map(scope::scope).transpose()?,
            max_jump: given(self.max_jump_s).map(saiban::Options::jump_s).transpose()?,
            max_wait: given(self.max_wait_ms).map(saiban::Options::wait_ms).transpose()?,
            usual_wait: None,
            ..saiban::Options::default()
        })
    }

    fn state(&self) -> Result<Option<PathBuf>, Error> {
        if self.state.is_null() {
            return Ok(None);
        }
        // SAFETY: not NULL; that a NUL follows is the caller's part.
        let path = unsafe { CStr::from_ptr(self.state) };
        #[cfg(unix)]
        let path: &OsStr = std::os::unix::ffi::OsStrExt::from_bytes(path.to_bytes());
        #[cfg(not(unix))]
        let path =
            path.to_str().map_err(|_| Error::InvalidArgument { what: "state is no UTF-8: give the path as such" })?;
        Ok(Some(PathBuf::from(path)))
    }

    pub(crate) fn allow_collisions(&self) -> Result<bool, Error> {
        match given(self.allow_collisions) {
            None | Some(0) => Ok(false),
            Some(1) => Ok(true),
            Some(_) => Err(Error::InvalidArgument { what: "allow_collisions is neither 0 nor 1: give one of them" }),
        }
    }

    /// Says no to a choice that the scheme has no use for: who made it expects something of it.
    pub(crate) fn refuse_layout(&self, what: &'static str) -> Result<(), Error> {
        if self.layout.is_null() { Ok(()) } else { Err(Error::InvalidArgument { what }) }
    }

    pub(crate) fn refuse_secret(&self, what: &'static str) -> Result<(), Error> {
        if self.secret.is_null() { Ok(()) } else { Err(Error::InvalidArgument { what }) }
    }

    pub(crate) fn refuse_shards(&self, what: &'static str) -> Result<(), Error> {
        if self.shards == NOT_GIVEN { Ok(()) } else { Err(Error::InvalidArgument { what }) }
    }

    /// As the others, for schemes that have none of these.
    pub(crate) fn refuse_all(&self, what: &'static str) -> Result<(), Error> {
        self.refuse_layout(what)?;
        self.refuse_secret(what)?;
        if !self.lease.is_null() {
            return Err(Error::InvalidArgument {
                what: "only generators of Snowflake, Randflake, Ulid-Flake and Flake IDs have a lease",
            });
        }
        if self.scope != NOT_GIVEN {
            return Err(Error::InvalidArgument {
                what: "only generators of Snowflake, Randflake, Ulid-Flake and Flake IDs have a scope: leave it out",
            });
        }
        self.refuse_ulid_flake(what)
    }

    pub(crate) fn refuse_ulid_flake(&self, what: &'static str) -> Result<(), Error> {
        let all = [self.scalability, self.entropy_size, self.epoch_ms, self.allow_collisions];
        if all.iter().all(|number| *number == NOT_GIVEN) { Ok(()) } else { Err(Error::InvalidArgument { what }) }
    }
}

/// Options as C gives them, of a size that is still to be seen.
pub(crate) struct GivenOptions(*const Options);

impl GivenOptions {
    /// The options. A program that was compiled with an older, shorter struct leaves the rest as by default.
    pub(crate) fn read(&self) -> Result<Options, Error> {
        // SAFETY: not NULL (`take`); `size` is the first member in every version.
        let size = unsafe { (&raw const (*self.0).size).read() };
        Options::check_size(size)?;
        let mut options = Options::NONE;
        // SAFETY: the caller's struct has `size` bytes, and ours no fewer. The members are numbers and raw pointers, for
        // which any bytes are valid.
        unsafe { ptr::copy_nonoverlapping(self.0.cast::<u8>(), (&raw mut options).cast(), size) };
        Ok(options)
    }
}

impl Argument for GivenOptions {
    type C = *const Options;

    fn take(given: Self::C, null: &'static str) -> Result<Self, Error> {
        if given.is_null() { Err(Error::InvalidArgument { what: null }) } else { Ok(GivenOptions(given)) }
    }
}

ffi! {
    /// Leaves all options as by default: SAIBAN_OPTIONS_INIT for who cannot use the macro.
    ///
    /// - options, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know.
    fn saiban_options_init(options: Fill<Options>, size: usize) {
        Options::check_size(size)?;
        let none = Options { size, ..Options::NONE };
        options.write_beginning(size, &none);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::{Answers, Place};
    use crate::candidates::InspectOptions;
    use crate::layout::{Field, LayoutLimits};
    use crate::lease::{LeaseOptions, Status};
    use crate::node::NodePart;
    use crate::parts::{Parts, WideParts};
    use crate::stats::Stats;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn structs_keep_the_sizes_that_programs_were_compiled_with() {
        // Options of all kinds, a lease's status, stats, answers and wide parts may grow at the end, each time by a size of its
        // own in SIZES; the others may not within a SONAME.
        assert_eq!(Options::SIZES, [120, 160, 168, 176]);
        assert_eq!((offset_of!(Options, not_before), offset_of!(Options, max_jump_s)), (120, 152));
        assert_eq!((offset_of!(Options, lease), offset_of!(Options, scope)), (160, 168));
        assert_eq!((size_of::<LeaseOptions>(), offset_of!(LeaseOptions, wait_s)), (104, 96));
        assert_eq!((size_of::<Status>(), offset_of!(Status, why)), (568, 56));
        assert_eq!((size_of::<Stats>(), offset_of!(Stats, guarantee)), (40, 32));
        assert_eq!((offset_of!(Options, size), offset_of!(Options, node), offset_of!(Options, epoch_ms)), (0, 40, 104));
        assert_eq!((size_of::<Field>(), size_of::<LayoutLimits>(), size_of::<Parts>()), (8, 56, 80));
        assert_eq!((offset_of!(Parts, layout), offset_of!(Parts, scheme), offset_of!(Parts, has_node)), (56, 64, 73));
        assert_eq!(
            (size_of::<WideParts>(), offset_of!(WideParts, timestamp_ms), offset_of!(WideParts, reserved)),
            (104, 32, 99)
        );
        assert_eq!((size_of::<Answers>(), offset_of!(Answers, reserved)), (96, 95));
        assert_eq!((size_of::<InspectOptions>(), offset_of!(InspectOptions, epoch_ms)), (72, 64));
        assert_eq!((size_of::<Place>(), offset_of!(Place, name), size_of::<NodePart>()), (80, 56, 32));
        // No padding at the end: see there.
        assert_eq!((offset_of!(Parts, reserved), offset_of!(Stats, scope)), (80 - 2, 40 - 4));
    }

    #[test]
    fn what_is_not_given_is_left_out() {
        let common = Options::NONE.common().expect("nothing that could be wrong");
        assert_eq!(common, saiban::Options::default());
        assert_eq!(given(NOT_GIVEN), None);
        assert_eq!((given(i64::MIN), given(0), given(-1)), (Some(i64::MIN), Some(0), Some(-1)));
    }

    #[test]
    fn an_older_programs_shorter_struct_leaves_the_rest_as_by_default() {
        let mut old =
            Options { size: Options::FIRST_SIZE, node: 7, not_before: 1, shards: 0, scope: 1, ..Options::NONE };
        let read = GivenOptions(&raw const old).read().expect("a size that this library knows");
        assert_eq!((read.node, read.epoch_ms, read.not_before, read.shards), (7, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN));
        assert_eq!(read.scope, NOT_GIVEN);
        old.size = offset_of!(Options, scope);
        let read = GivenOptions(&raw const old).read().expect("the size before there was a scope");
        assert_eq!((read.node, read.not_before, read.shards, read.scope), (7, 1, 0, NOT_GIVEN));
        for size in [0, 8, Options::FIRST_SIZE - 1, Options::FIRST_SIZE + 4, size_of::<Options>() + 1, usize::MAX] {
            old.size = size;
            assert!(GivenOptions(&raw const old).read().is_err(), "{size}");
        }
    }
}
