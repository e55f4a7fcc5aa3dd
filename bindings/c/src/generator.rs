//! What every generator does, whatever its scheme.

use crate::encoding::{encoding_or_canonical, leniency_of};
use crate::ffi::{Buffer, Chars, Fill, Nothing, Out, ffi};
use crate::parts::{Parts, scheme_number};
use saiban::{AnyClock, Attempt, Randflake, Snowflake, UlidFlake};

/// A generator of one scheme. Any number of threads may use it at once.
pub struct Generator(pub(crate) Scheme);

pub(crate) enum Scheme {
    Snowflake(Snowflake<AnyClock>),
    Randflake(Randflake<AnyClock>),
    UlidFlake(UlidFlake<AnyClock>),
}

impl Generator {
    pub(crate) fn core(&self) -> &dyn saiban::Generator {
        match &self.0 {
            Scheme::Snowflake(ids) => ids,
            Scheme::Randflake(ids) => ids,
            Scheme::UlidFlake(ids) => ids,
        }
    }
}

ffi! {
    /// Gives a generator back, when no thread uses it any more. NULL is fine.
    fn saiban_generator_free(generator: Option<Box<Generator>>) -> Nothing {
        drop(generator);
        Nothing
    }

    /// Reads a generator's scheme, one of SAIBAN_SCHEME_….
    fn saiban_generator_scheme(generator: &Generator, scheme: Out<i32>) {
        scheme.set(scheme_number(generator.core().scheme()));
    }

    /// Makes an ID, waiting for at most max_wait_ms.
    ///
    /// On the system's clock a generator begins with the tick after the one in which it was made, so that a program that is
    /// started again within a tick repeats nothing: the first ID may wait for it, a second at most with Randflake. A manual
    /// clock and the option not_before turn that off.
    ///
    /// Errors: WOULD_WAIT when the next ID needs a longer wait, or any wait with a manual clock; CLOCK_BACKWARD, CLOCK_JUMPED,
    /// CLOCK_UNAVAILABLE, STATE_UNAVAILABLE, TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW, LEASE_NOT_BEGUN, LEASE_EXPIRED,
    /// FORKED, ENTROPY_UNAVAILABLE.
    fn saiban_generate(generator: &Generator, id: Out<i64>) {
        id.set(generator.core().generate()?);
    }

    /// Makes an ID if that needs no wait. In the tick in which a generator was made there is none: see saiban_generate.
    ///
    /// - ready: whether there is an ID.
    /// - id: the ID; not written where there is none.
    /// - wait_ns: 0, or in how many nanoseconds to try again. May be NULL.
    ///
    /// Errors: as saiban_generate, but for WOULD_WAIT.
    fn saiban_try_generate(generator: &Generator, ready: Out<bool>, id: Out<i64>, wait_ns: Option<Out<u64>>) {
        let attempt = generator.core().try_generate()?;
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

    /// Fills an array with IDs, waiting as saiban_generate does. It stops early, without an error, where no more can be had
    /// but some were written.
    ///
    /// - ids, count: the array, and how many IDs are wanted.
    /// - written: how many there are.
    ///
    /// Errors: as saiban_generate, when not one could be had.
    fn saiban_fill(generator: &Generator, ids: Fill<i64>, count: usize, written: Out<usize>) {
        written.set(generator.core().fill(ids.numbers(count)?)?);
    }

    /// Makes an ID and writes it as text.
    ///
    /// - encoding: SAIBAN_ENCODING_CANONICAL for the scheme's own, or another for its customary form.
    /// - buffer, capacity, len: as for saiban_encode. An ID that does not fit is lost.
    ///
    /// Errors: as saiban_generate; UNKNOWN_NAME, BUFFER_TOO_SMALL.
    fn saiban_generate_text(
        generator: &Generator, encoding: i32, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        let text = generator.core().generate_text(encoding_or_canonical(encoding)?)?;
        buffer.write_len(capacity, &text, len)?;
    }

    /// Writes an ID of this generator's scheme and layout as text.
    ///
    /// - encoding: SAIBAN_ENCODING_CANONICAL for the scheme's own, or another for its customary form.
    /// - buffer, capacity, len: as for saiban_encode.
    ///
    /// Errors: ID_OUT_OF_RANGE when the number is no such ID; UNKNOWN_NAME, BUFFER_TOO_SMALL.
    fn saiban_to_text(
        generator: &Generator, id: i64, encoding: i32, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        let text = generator.core().to_text_as(id, encoding_or_canonical(encoding)?)?;
        buffer.write_len(capacity, &text, len)?;
    }

    /// Reads an ID from the canonical text of this generator's scheme.
    ///
    /// - text, text_len: the text and its bytes, or SAIBAN_NUL_TERMINATED.
    /// - leniency: SAIBAN_STRICT or SAIBAN_LENIENT.
    ///
    /// Errors: TEXT_LENGTH, TEXT_CHARACTER (see saiban_last_error_position), TEXT_OVERFLOW, TEXT_NOT_CANONICAL;
    /// ID_OUT_OF_RANGE when the number is no ID of this scheme and layout.
    fn saiban_from_text(generator: &Generator, text: Chars, text_len: usize, leniency: i32, id: Out<i64>) {
        id.set(generator.core().from_text_as(&text.get(text_len)?, leniency_of(leniency)?)?);
    }

    /// Takes an ID of this generator's scheme and layout apart. It may be another generator's.
    ///
    /// Errors: ID_OUT_OF_RANGE when the number is no such ID.
    fn saiban_generator_inspect(generator: &Generator, id: i64, parts: Out<Parts>) {
        parts.set(generator.core().inspect(id)?.into());
    }

    /// Takes an ID apart that is given as canonical text of this generator's scheme.
    ///
    /// Errors: as saiban_from_text.
    fn saiban_generator_inspect_text(generator: &Generator, text: Chars, text_len: usize, parts: Out<Parts>) {
        let id = generator.core().from_text(&text.get(text_len)?)?;
        parts.set(generator.core().inspect(id)?.into());
    }
}
