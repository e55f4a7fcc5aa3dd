//! The functions of generators of every scheme.

use crate::encoding::{encoding_or_canonical, leniency_of};
use crate::error::Failure;
use crate::ffi::{Buffer, Chars, Fill, Nothing, Out, ffi};
use crate::lease::Lease;
use crate::parts::{Parts, scheme_number};
use saiban::{Attempt, Error, Scheme};
use saiban_coordination::AnyIssuer;
use saiban_coordination::remote::RemoteStatus;
use std::alloc::{Layout, dealloc};
use std::ptr;

/// A generator of one scheme. Any number of threads may use it at once.
pub struct Generator {
    pub(crate) ids: AnyIssuer,
    /// How it is doing, where a service makes the IDs.
    pub(crate) service: Option<Service>,
}

pub(crate) type Service = Box<dyn Fn() -> Result<RemoteStatus, saiban_coordination::Error> + Send + Sync>;

/// Evaluates an expression with core's generator, whose IDs are i64 or u128.
macro_rules! either {
    ($generator:expr, $ids:ident => $answer:expr) => {
        match &$generator.ids {
            saiban_coordination::AnyIssuer::Narrow(issuer) => {
                let $ids = &**issuer;
                $answer
            }
            saiban_coordination::AnyIssuer::Wide(issuer) => {
                let $ids = &**issuer;
                $answer
            }
        }
    };
}
pub(crate) use either;

impl Generator {
    /// Wraps a generator that makes its IDs in this process.
    pub(crate) fn new(ids: AnyIssuer) -> Self {
        Generator { ids, service: None }
    }

    /// Converts an error of making an ID to its reason: that of the lease or of the service, if the
    /// generator has one.
    #[cold]
    pub(crate) fn explain(&self, error: Error) -> Failure {
        let explained = match &self.ids {
            AnyIssuer::Narrow(ids) => ids.explain(error),
            AnyIssuer::Wide(ids) => ids.explain(error),
        };
        explained.map_or(Failure::Core(error), Failure::Lease)
    }

    /// Returns the lease of the generator's nodes.
    fn lease(&self) -> Option<&saiban_coordination::Lease> {
        match &self.ids {
            AnyIssuer::Narrow(ids) => ids.lease(),
            AnyIssuer::Wide(ids) => ids.lease(),
        }
    }

    pub(crate) fn scheme(&self) -> Scheme {
        either!(self, ids => ids.scheme())
    }

    /// Returns the generator if its IDs are an int64_t.
    pub(crate) fn narrow(&self) -> Result<&dyn saiban::Generator<Id = i64>, Error> {
        match &self.ids {
            AnyIssuer::Narrow(ids) => Ok(&**ids),
            AnyIssuer::Wide(_) => Err(Error::InvalidArgument {
                what: "IDs of this generator are wider than an int64_t: call the function that ends in _wide",
            }),
        }
    }

    /// Returns the generator if its IDs are wider than an int64_t.
    pub(crate) fn wide(&self) -> Result<&dyn saiban::Generator<Id = u128>, Error> {
        match &self.ids {
            AnyIssuer::Wide(ids) => Ok(&**ids),
            AnyIssuer::Narrow(_) => Err(Error::InvalidArgument {
                what: "IDs of this generator are an int64_t: call the function that does not end in _wide",
            }),
        }
    }
}

/// Takes the value out of a box, and frees its memory filled with zeros. Padding and unused bytes
/// of a value are remains of the stack on which it was made, and may contain bytes of a secret.
fn take_and_wipe<T: ?Sized, A>(value: Box<T>, take: impl FnOnce(*mut T) -> A) -> A {
    let layout = Layout::for_value(&*value);
    let place = Box::into_raw(value);
    let taken = take(place);
    let place = place.cast::<u8>();
    // SAFETY: the place has this many bytes, and nothing reads them as a value after `take`.
    unsafe { place.write_bytes(0, layout.size()) };
    // Otherwise the compiler would remove these writes, because nothing reads them.
    std::hint::black_box(place);
    if layout.size() > 0 {
        // SAFETY: the box allocated the place with this layout, and no longer owns it.
        unsafe { dealloc(place, layout) };
    }
    taken
}

fn drop_and_wipe<T: ?Sized>(value: Box<T>) {
    // SAFETY: the place came from a box, and nothing reads it again.
    take_and_wipe(value, |place| unsafe { place.drop_in_place() });
}

ffi! {
    /// Gives a generator back, when no thread uses it any more. A lease of its own, of
    /// options.store, is then released in the background, as by saiban_lease_free. NULL is allowed.
    fn saiban_generator_free(generator: Option<Box<Generator>>) -> Nothing {
        if let Some(generator) = generator {
            // SAFETY: the place came from a box, and nothing reads it again.
            match take_and_wipe(generator, |place| unsafe { place.read() }).ids {
                AnyIssuer::Narrow(ids) => drop_and_wipe(ids.into_generator()),
                AnyIssuer::Wide(ids) => drop_and_wipe(ids.into_generator()),
            }
        }
        Nothing
    }

    /// Reads a generator's scheme, one of SAIBAN_SCHEME_….
    fn saiban_generator_scheme(generator: &Generator, scheme: Out<i32>) {
        scheme.set(scheme_number(generator.scheme()));
    }

    /// Reads how many bits a generator's IDs have, unused ones included: up to 64 they are an
    /// int64_t, else SAIBAN_WIDE_ID_SIZE bytes.
    fn saiban_generator_bits(generator: &Generator, bits: Out<u32>) {
        bits.set(either!(generator, ids => ids.bits()));
    }

    /// Gives the lease of a generator: the one of options.lease, or its own of options.store. With
    /// it you read how the lease is doing (saiban_lease_status), and release it
    /// (saiban_lease_release).
    ///
    /// - lease: to be freed with saiban_lease_free, which does not release the lease while the
    ///   generator is there; NULL for a generator without a lease.
    fn saiban_generator_lease(generator: &Generator, lease: Out<*mut Lease>) {
        match generator.lease() {
            Some(core) => lease.give(Lease { core: core.clone() }),
            None => lease.set(ptr::null_mut()),
        }
    }

    /// Makes an ID of up to 64 bits, waiting for at most max_wait_ms; saiban_generate_wide makes
    /// all others.
    ///
    /// On the system's clock a generator of scope SAIBAN_SCOPE_PROCESS begins with the tick after
    /// the one in which it was made, so that a program that is started again within a tick repeats
    /// nothing: the first ID may wait for it, a second at most with Randflake. With
    /// SAIBAN_SCOPE_MACHINE only the first ID of a layout since the machine was started waits, that
    /// long or 2 ms. A manual clock and the option not_before disable the wait.
    ///
    /// Errors: WOULD_WAIT when the next ID needs a longer wait, or any wait with a manual clock;
    /// CLOCK_BACKWARD, CLOCK_JUMPED, CLOCK_UNAVAILABLE, STATE_UNAVAILABLE, TIMESTAMP_BEFORE_EPOCH,
    /// TIMESTAMP_OVERFLOW, LEASE_NOT_BEGUN, LEASE_EXPIRED, FORKED, ENTROPY_UNAVAILABLE;
    /// INVALID_ARGUMENT for a generator of wider IDs; of one with a lease LEASE_LOST, and in a
    /// forked process those of saiban_lease_acquire, as the first ID there waits for a lease; of a
    /// service's IDs those of saiban_remote_open.
    fn saiban_generate(generator: &Generator, id: Out<i64>) {
        id.set(generator.narrow()?.generate().map_err(|error| generator.explain(error))?);
    }

    /// Makes an ID if that needs no wait, also for the first ID.
    ///
    /// - ready: whether there is an ID.
    /// - id: the ID; not written if there is none.
    /// - wait_ns: 0, or in how many nanoseconds to try again. May be NULL.
    ///
    /// Errors: as saiban_generate, but for WOULD_WAIT.
    fn saiban_try_generate(generator: &Generator, ready: Out<bool>, id: Out<i64>, wait_ns: Option<Out<u64>>) {
        let attempt = generator.narrow()?.try_generate().map_err(|error| generator.explain(error))?;
        let wait = match attempt {
            Attempt::Ready(value) => {
                id.set(value);
                0
            }
            Attempt::Wait(wait) => u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX),
        };
        ready.set(matches!(attempt, Attempt::Ready(_)));
        if let Some(wait_ns) = wait_ns {
            wait_ns.set(wait);
        }
    }

    /// Fills an array with IDs, waiting as saiban_generate does. It stops early, without an error,
    /// if no more IDs are available after the first.
    ///
    /// - ids, count: the array, and how many IDs are wanted.
    /// - written: how many there are.
    ///
    /// Errors: those of saiban_generate if no ID could be made.
    fn saiban_fill(generator: &Generator, ids: Fill<i64>, count: usize, written: Out<usize>) {
        let made = generator.narrow()?.fill(ids.numbers(count)?);
        written.set(made.map_err(|error| generator.explain(error))?);
    }

    /// Makes an ID, of any width, and writes it as text.
    ///
    /// - encoding: SAIBAN_ENCODING_CANONICAL for the scheme's own, with the generator's prefix, or
    ///   another for its default width.
    /// - buffer, capacity, len: as for saiban_encode. An ID that does not fit is lost.
    ///
    /// Errors: as saiban_generate; UNKNOWN_NAME, BUFFER_TOO_SMALL.
    fn saiban_generate_text(
        generator: &Generator, encoding: i32, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        let encoding = encoding_or_canonical(encoding)?;
        let text = either!(generator, ids => ids.generate_text(encoding)).map_err(|error| generator.explain(error))?;
        buffer.write_len(capacity, &text, len)?;
    }

    /// Writes an ID of up to 64 bits, of this generator's scheme and layout, as text.
    ///
    /// - encoding: SAIBAN_ENCODING_CANONICAL for the scheme's own, with the generator's prefix, or
    ///   another for its default width.
    /// - buffer, capacity, len: as for saiban_encode.
    ///
    /// Errors: ID_OUT_OF_RANGE when the number is no such ID; UNKNOWN_NAME, BUFFER_TOO_SMALL.
    fn saiban_to_text(
        generator: &Generator, id: i64, encoding: i32, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        let text = generator.narrow()?.to_text_as(id, encoding_or_canonical(encoding)?)?;
        buffer.write_len(capacity, &text, len)?;
    }

    /// Reads an ID of up to 64 bits from the canonical text of this generator's scheme, with the
    /// generator's prefix.
    ///
    /// - text, text_len: the text and its bytes, or SAIBAN_NUL_TERMINATED.
    /// - leniency: SAIBAN_STRICT (one text per ID; of a Ulid-Flake any case) or SAIBAN_LENIENT.
    ///
    /// Errors: TEXT_LENGTH, TEXT_CHARACTER (see saiban_last_error_position; also for another
    /// prefix), TEXT_OVERFLOW, TEXT_NOT_CANONICAL; ID_OUT_OF_RANGE when the number is no ID of this
    /// scheme and layout.
    fn saiban_from_text(generator: &Generator, text: Chars, text_len: usize, leniency: i32, id: Out<i64>) {
        id.set(generator.narrow()?.from_text_as(&text.get(text_len)?, leniency_of(leniency)?)?);
    }

    /// Takes an ID of up to 64 bits, of this generator's scheme and layout, apart. It may be
    /// another generator's.
    ///
    /// Errors: ID_OUT_OF_RANGE when the number is no such ID.
    fn saiban_generator_inspect(generator: &Generator, id: i64, parts: Out<Parts>) {
        parts.set(generator.narrow()?.inspect(id)?.into());
    }

    /// Takes an ID apart that is given as canonical text of this generator's scheme.
    ///
    /// Errors: as saiban_from_text.
    fn saiban_generator_inspect_text(generator: &Generator, text: Chars, text_len: usize, parts: Out<Parts>) {
        let id = generator.narrow()?.from_text(&text.get(text_len)?)?;
        parts.set(generator.narrow()?.inspect(id)?.into());
    }
}
