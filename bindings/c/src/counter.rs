//! Counters: numbers from this process's memory, or from a store that processes share.

use crate::error::SAIBAN_OK;
use crate::ffi::{Buffer, Chars, Fill, Nothing, Out, ffi};
use crate::given::{NOT_GIVEN, flag, given};
use crate::lease::text_of;
use crate::versioned::{Defaults, Given, Versioned, unknown_size};
use saiban::{Error, Stride};
use saiban_coordination::DailyOptions;
use std::ffi::c_char;
use std::ptr;

/// What one may choose of a counter. Begin with SAIBAN_COUNTER_OPTIONS_INIT (or
/// saiban_counter_options_init), then change what you need. Texts end with a NUL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CounterOptions {
    /// The size of this struct as the program was compiled with: leave it as it is.
    pub size: usize,
    /// The counter's name: 1 to 64 of the characters A-Z, a-z, 0-9, "_", "-" and "."; NULL is
    /// "default".
    pub name: *const c_char,
    /// Daily numbers: the time zone of the days, by its name in the IANA database; NULL
    /// is "UTC".
    pub zone: *const c_char,
    /// Daily numbers: the format: {date:...} as strftime writes it, of %Y %y %m %d %j %F
    /// %b %B %a %A %u %G %g %V, and {n}, or {n:06} with zeros up to six digits; other text is
    /// literal, and a double brace is a literal brace. NULL is "{date:%Y%m%d}-{n:06}".
    pub format: *const c_char,
    /// The first number, of daily numbers each day's, 0 or more; by default 1.
    pub start: i64,
    /// The step between two numbers, 1 or more; by default 1. Daily numbers have no other.
    pub step: i64,
    /// How many numbers are taken with one round trip, 1 to 1000000; by default as many as last for
    /// two seconds, one at first.
    pub block_size: i64,
    /// How many they are at most, 1 to 1000000, which is the default. Twice as many are lost when a
    /// process ends.
    pub max_block_size: i64,
    /// Whether to create the counter if it does not exist: 1 or 0. An empty store may mean that
    /// data was lost, so the default is 1 only for sqlite: and memory:.
    pub create: i64,
    /// The longest wait for the store if no number is prefetched, seconds, at least 1; by default
    /// 10.
    pub wait_s: i64,
    /// Whether no number may be left out: 0, or 1, which is refused with the reason: no counter can
    /// promise that.
    pub gapless: i64,
}

impl Defaults for CounterOptions {
    const NONE: CounterOptions = CounterOptions {
        size: size_of::<CounterOptions>(),
        name: ptr::null(),
        zone: ptr::null(),
        format: ptr::null(),
        start: NOT_GIVEN,
        step: NOT_GIVEN,
        block_size: NOT_GIVEN,
        max_block_size: NOT_GIVEN,
        create: NOT_GIVEN,
        wait_s: NOT_GIVEN,
        gapless: NOT_GIVEN,
    };
}

impl Versioned for CounterOptions {
    const UNKNOWN_SIZE: &'static str = unknown_size!(init "SAIBAN_COUNTER_OPTIONS_INIT");
}

impl CounterOptions {
    fn core(&self) -> Result<saiban_coordination::CounterOptions, Error> {
        let defaults = saiban_coordination::CounterOptions::default();
        Ok(saiban_coordination::CounterOptions {
            name: Chars::member(self.name)?.map_or(defaults.name, Into::into),
            start: given(self.start).unwrap_or(defaults.start),
            step: given(self.step).unwrap_or(defaults.step),
            block_size: given(self.block_size),
            max_block_size: given(self.max_block_size).unwrap_or(defaults.max_block_size),
            create: flag(self.create, "create is neither 0 nor 1: give one of them")?,
            wait_s: given(self.wait_s).unwrap_or(defaults.wait_s),
            gapless: flag(self.gapless, "gapless is neither 0 nor 1: give one of them")?.unwrap_or(defaults.gapless),
        })
    }

    /// Returns the options of a counter. Options for daily numbers only are an error.
    fn of_counter(&self) -> Result<saiban_coordination::CounterOptions, Error> {
        if self.zone.is_null() && self.format.is_null() {
            return self.core();
        }
        Err(Error::InvalidArgument {
            what: "zone and format are for daily counters: leave them NULL, or call saiban_daily_open",
        })
    }

    fn of_days(&self) -> Result<DailyOptions, Error> {
        if given(self.step).is_some() {
            return Err(Error::InvalidArgument { what: "a daily counter has no step: leave step out" });
        }
        let (rest, defaults) = (self.core()?, DailyOptions::default());
        Ok(DailyOptions {
            name: rest.name,
            zone: Chars::member(self.zone)?.map_or(defaults.zone, Into::into),
            format: Chars::member(self.format)?.map_or(defaults.format, Into::into),
            first: rest.start,
            block_size: rest.block_size,
            max_block_size: rest.max_block_size,
            create: rest.create,
            wait_s: rest.wait_s,
            gapless: rest.gapless,
        })
    }
}

/// Numbers one after the other: see saiban_counter_new and saiban_counter_open. Any number of
/// threads may use it at once.
pub struct Counter(Source);

enum Source {
    Memory(saiban::Counter),
    Shared(saiban_coordination::SharedCounter),
}

/// Numbers that begin again on each day: see saiban_daily_open. Any number of threads may use it at
/// once.
pub struct Daily {
    counter: saiban_coordination::DailyCounter,
    /// How many bytes its longest text has.
    longest: usize,
}

/// How a counter is doing in this process: see saiban_counter_status.
// The struct has no padding: its size distinguishes versions, and a member in padding would not
// change it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CounterStatus {
    /// The number of prefetched numbers. They are lost when the process ends.
    pub prefetched: u64,
    /// The current block size.
    pub block_size: u64,
    /// The number of requests to the store.
    pub calls: u64,
    /// The error of the last request, one of SAIBAN_ERROR_…, or SAIBAN_OK.
    pub error: i32,
    /// 0.
    pub reserved: [u8; 4],
    /// The message of that error, as saiban_last_error_message returns it, or "".
    pub why: [c_char; crate::error::SAIBAN_MESSAGE_CAPACITY],
}

impl Versioned for CounterStatus {
    const UNKNOWN_SIZE: &'static str = unknown_size!(sizeof "saiban_counter_prefetch");
}

impl From<saiban_coordination::counter::CounterStatus> for CounterStatus {
    fn from(status: saiban_coordination::counter::CounterStatus) -> Self {
        let saiban_coordination::counter::CounterStatus { prefetched, block_size, calls, why } = status;
        let message = why.as_ref().map(ToString::to_string).unwrap_or_default();
        let error = why.map_or(SAIBAN_OK, |why| why.kind().number());
        CounterStatus { prefetched, block_size, calls, error, reserved: [0; 4], why: text_of(&message) }
    }
}

const IN_MEMORY: Error = Error::InvalidArgument { what: "a counter in memory has no status: it uses no store" };

ffi! {
    /// Sets all options to their defaults: SAIBAN_COUNTER_OPTIONS_INIT for languages without the
    /// macro.
    ///
    /// - options, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know.
    fn saiban_counter_options_init(options: Fill<CounterOptions>, size: usize) {
        options.write_version(size, || Ok(CounterOptions { size, ..CounterOptions::NONE }))?;
    }

    /// Makes a counter in this process's memory: start, start + step, ... It begins again in every
    /// process; in a forked process calls fail with FORKED. Counters with the same step and
    /// different starts from 1 to step share no number.
    ///
    /// - start, step: 0 or more, and 1 or more.
    /// - counter: to be freed with saiban_counter_free.
    ///
    /// Errors: INVALID_ARGUMENT.
    fn saiban_counter_new(start: i64, step: i64, counter: Out<*mut Counter>) {
        counter.give(Counter(Source::Memory(saiban::Counter::new(Stride::new(start, step)?))));
    }

    /// Opens a counter in a store that processes share: no number is issued twice. A process takes
    /// a block of numbers with one round trip, and fetches the next before it needs it. The numbers
    /// of one process ascend; those of several processes are interleaved. A process that ends loses
    /// its prefetched numbers, at most two blocks, so there are gaps. A forked process takes its
    /// own numbers; with memory: it fails with FORKED.
    ///
    ///     saiban_counter_options options = SAIBAN_COUNTER_OPTIONS_INIT;
    ///     saiban_counter *invoices = NULL;
    ///     int64_t number = 0;
    ///     options.name = "invoices";
    ///     if (saiban_counter_open("sqlite:numbers.db", SAIBAN_NUL_TERMINATED, &options, &invoices) == SAIBAN_OK) {
    ///         saiban_counter_generate(invoices, &number);
    ///     }
    ///     saiban_counter_free(invoices);
    ///
    /// - url, url_len: sqlite:///path, postgres://, mysql://, redis://, with login and TLS in the
    ///   usual form of each server; or memory:NAME, for this process only. The store is contacted
    ///   at the first number. It keeps start and step, and refuses different ones.
    /// - options: NULL means the defaults.
    /// - counter: to be freed with saiban_counter_free.
    ///
    /// Errors: INVALID_ARGUMENT for a URL, a name or numbers that cannot be, and for gapless;
    /// TEXT_CHARACTER for text that is no UTF-8; STORE_UNSUPPORTED for a kind of store that keeps
    /// no counters.
    fn saiban_counter_open(
        url: Chars, url_len: usize, options: Option<Given<CounterOptions>>, counter: Out<*mut Counter>,
    ) {
        let url = url.utf8(url_len)?;
        let opened = saiban_coordination::SharedCounter::open(url, &Given::or_default(options)?.of_counter()?)?;
        counter.give(Counter(Source::Shared(opened)));
    }

    /// Returns the next number. If none is prefetched it waits for the store.
    ///
    /// Errors: COUNTER_EXHAUSTED past 2^63 - 1; FORKED. For a counter in a store without a
    /// prefetched number: STORE_UNAVAILABLE when the store does not reply within wait_s, and at
    /// once COUNTER_UNKNOWN, COUNTER_MISMATCH for other terms, COUNTER_BEHIND if the store lost
    /// numbers, STORE_CORRUPT, STORE_UNSUPPORTED.
    fn saiban_counter_generate(counter: &Counter, number: Out<i64>) {
        number.set(match &counter.0 {
            Source::Memory(numbers) => numbers.generate()?,
            Source::Shared(numbers) => numbers.generate()?,
        });
    }

    /// Returns the next number if it is prefetched; otherwise it starts to fetch more.
    ///
    /// - ready: whether there is one, and number was written.
    ///
    /// Errors: FORKED; of a counter in memory as saiban_counter_generate.
    fn saiban_counter_try_generate(counter: &Counter, ready: Out<bool>, number: Out<i64>) {
        let next = match &counter.0 {
            Source::Memory(numbers) => Some(numbers.generate()?),
            Source::Shared(numbers) => numbers.try_generate()?,
        };
        ready.set(next.is_some());
        if let Some(next) = next {
            number.set(next);
        }
    }

    /// Fills an array with the next numbers, waiting as saiban_counter_generate does. It stops
    /// early, without an error, if no more IDs are available after the first.
    ///
    /// - numbers, count: the array, and how many numbers are wanted.
    /// - written: how many there are.
    ///
    /// Errors: those of saiban_counter_generate if no number could be issued.
    fn saiban_counter_fill(counter: &Counter, numbers: Fill<i64>, count: usize, written: Out<usize>) {
        let numbers = numbers.numbers(count)?;
        written.set(match &counter.0 {
            Source::Memory(counter) => counter.fill(numbers)?,
            Source::Shared(counter) => counter.fill(numbers)?,
        });
    }

    /// Reads the status of a counter in a store, in this process. The store is not contacted.
    ///
    /// - status, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: INVALID_ARGUMENT for a size that this library does not know, and for a counter in
    /// memory; FORKED.
    fn saiban_counter_status(counter: &Counter, status: Fill<CounterStatus>, size: usize) {
        match &counter.0 {
            Source::Memory(_) => return Err(IN_MEMORY.into()),
            Source::Shared(counter) => status.write_version(size, || Ok(counter.status()?.into()))?,
        }
    }

    /// Gives the handle back, when no thread uses it any more. NULL is allowed.
    fn saiban_counter_free(counter: Option<Box<Counter>>) -> Nothing {
        drop(counter);
        Nothing
    }

    /// Opens daily numbers of a store: numbers that begin again on each day of a time zone. The
    /// clock decides the day, even if it steps back: the numbers of an earlier day then continue.
    /// Prefetched numbers of a day that has ended are not used. For the rest see
    /// saiban_counter_open.
    ///
    /// - options: also zone and format; leave step out. NULL means the defaults.
    /// - daily: to be freed with saiban_daily_free.
    ///
    /// Errors: as saiban_counter_open; INVALID_ARGUMENT for a zone or a format that cannot be.
    fn saiban_daily_open(url: Chars, url_len: usize, options: Option<Given<CounterOptions>>, daily: Out<*mut Daily>) {
        let url = url.utf8(url_len)?;
        let counter = saiban_coordination::DailyCounter::open(url, &Given::or_default(options)?.of_days()?)?;
        daily.give(Daily { longest: counter.format().max_len(), counter });
    }

    /// Returns the next number of today, in the chosen format. If none is prefetched it waits for
    /// the store.
    ///
    /// - day, number: the day, since 1970-01-01, and the number; each may be NULL.
    /// - buffer, capacity, len: as for saiban_encode; with room for the longest text of the format,
    ///   28 bytes and a NUL by default, or no number is taken.
    ///
    /// Errors: as saiban_counter_generate; CLOCK_UNAVAILABLE; BUFFER_TOO_SMALL.
    fn saiban_daily_generate(
        daily: &Daily, day: Option<Out<i32>>, number: Option<Out<i64>>, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        if capacity <= daily.longest {
            return Err(Error::BufferTooSmall { length: capacity, needed: daily.longest + 1 }.into());
        }
        let next = daily.counter.generate()?;
        buffer.write_len(capacity, &next.text, len)?;
        if let Some(day) = day {
            day.set(next.day);
        }
        if let Some(number) = number {
            number.set(next.number);
        }
    }

    /// Gives the handle back, when no thread uses it any more. NULL is allowed.
    fn saiban_daily_free(daily: Option<Box<Daily>>) -> Nothing {
        drop(daily);
        Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_not_given_keep_their_defaults() {
        let options = CounterOptions::NONE.of_counter().expect("nothing that could be wrong");
        assert_eq!(format!("{options:?}"), format!("{:?}", saiban_coordination::CounterOptions::default()));
        let days = CounterOptions::NONE.of_days().expect("nothing that could be wrong");
        assert_eq!(format!("{days:?}"), format!("{:?}", DailyOptions::default()));
    }
}
