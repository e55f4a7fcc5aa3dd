//! Counters: numbers from this process's memory, or from a store, which `waiting.rs` waits for.

use crate::error::OrThrow;
use crate::integer::{at_most_safe, maybe_exact, maybe_given, saturated};
use crate::waiting::promise;
use napi::Env;
use napi::bindgen_prelude::{BigInt, BigInt64Array, Object};
use napi_derive::napi;
use saiban::{Error, Stride};
use saiban_coordination::counter::{CounterStatus as Status, DailyNumber as Number};
use std::sync::Arc;

/// The most numbers that one call makes.
const MAX: i64 = 10_000_000;
const COUNT: Error = Error::InvalidArgument { what: "count is out of range: ask for 0 to 10000000 a call" };

fn wanted(count: &BigInt) -> Result<Vec<i64>, Error> {
    match saturated(count) {
        wanted @ 0..=MAX => Ok(vec![0; usize::try_from(wanted).unwrap_or(0)]),
        _ => Err(COUNT),
    }
}

/// Converts a counter's start and step.
fn stride(start: Option<&BigInt>, step: Option<&BigInt>) -> Result<Stride, Error> {
    let start = maybe_exact("start", start, |start| Error::CounterStart { start })?;
    let step = maybe_exact("step", step, |step| Error::CounterStep { step })?;
    Stride::new(start.unwrap_or(Stride::ONE.start()), step.unwrap_or(Stride::ONE.step()))
}

fn cut(mut numbers: Vec<i64>, filled: usize) -> BigInt64Array {
    numbers.truncate(filled);
    BigInt64Array::new(numbers)
}

/// A counter in memory.
#[napi]
pub struct Counter(saiban::Counter);

#[napi]
impl Counter {
    /// Makes a counter with this start and step.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, start: Option<BigInt>, step: Option<BigInt>) -> napi::Result<Self> {
        stride(start.as_ref(), step.as_ref()).map(|stride| Counter(saiban::Counter::new(stride))).or_throw(&env)
    }

    /// The next number.
    #[napi(catch_unwind)]
    pub fn generate(&self, env: Env) -> napi::Result<BigInt> {
        self.0.generate().map(BigInt::from).or_throw(&env)
    }

    /// The next numbers.
    #[napi(catch_unwind)]
    pub fn generate_many(&self, env: Env, count: BigInt) -> napi::Result<BigInt64Array> {
        let fill = || {
            let mut numbers = wanted(&count)?;
            let filled = self.0.fill(&mut numbers)?;
            Ok::<_, Error>(cut(numbers, filled))
        };
        fill().or_throw(&env)
    }
}

/// The options of a counter in a store. Core has the defaults of absent options.
#[napi(object, object_to_js = false)]
pub struct CounterOptions {
    /// The counter's name.
    pub name: Option<String>,
    /// The first number, also of each day.
    pub start: Option<BigInt>,
    /// The difference between two numbers.
    pub step: Option<BigInt>,
    /// The number of numbers in a block.
    pub block_size: Option<BigInt>,
    /// The maximum size of a block.
    pub max_block_size: Option<BigInt>,
    /// Whether to create the counter if it does not exist.
    pub create: Option<bool>,
    /// The longest wait for the store, seconds.
    pub wait_s: Option<BigInt>,
    /// Must not be true.
    pub gapless: Option<bool>,
}

impl CounterOptions {
    fn to_core(&self) -> Result<saiban_coordination::CounterOptions, Error> {
        let stride = stride(self.start.as_ref(), self.step.as_ref())?;
        let defaults = saiban_coordination::CounterOptions::default();
        let number = |name: &'static str, given: &Option<BigInt>| maybe_given(name, given.as_ref());
        Ok(saiban_coordination::CounterOptions {
            name: self.name.clone().unwrap_or(defaults.name),
            start: stride.start(),
            step: stride.step(),
            block_size: number("block_size", &self.block_size),
            max_block_size: number("max_block_size", &self.max_block_size).unwrap_or(defaults.max_block_size),
            create: self.create,
            wait_s: number("wait_s", &self.wait_s).unwrap_or(defaults.wait_s),
            gapless: self.gapless.unwrap_or(defaults.gapless),
        })
    }

    /// Like `to_core`, but keeps the written integers for an error of the store's counter.
    fn to_core_or_throw(&self, env: &Env) -> napi::Result<saiban_coordination::CounterOptions> {
        self.to_core().or_else(|error| Err(error).or_throw(env))
    }
}

/// The status of a counter; node/src/counter.ts freezes the object.
#[napi(object, object_from_js = false)]
pub struct CounterStatus {
    /// The number of prefetched numbers.
    pub prefetched: f64,
    /// The current block size.
    pub block_size: f64,
    /// The number of requests to the store.
    pub calls: f64,
    /// The error of the last request.
    pub why: Option<String>,
}

impl From<Status> for CounterStatus {
    fn from(Status { prefetched, block_size, calls, why }: Status) -> Self {
        let why = why.map(|why| why.to_string());
        let [prefetched, block_size, calls] = [prefetched, block_size, calls].map(at_most_safe);
        CounterStatus { prefetched, block_size, calls, why }
    }
}

/// A counter in a store.
#[napi]
pub struct SharedCounter(Arc<saiban_coordination::SharedCounter>);

#[napi]
impl SharedCounter {
    /// Opens a counter in the store at this URL.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, url: String, options: CounterOptions) -> napi::Result<Self> {
        let options = options.to_core_or_throw(&env)?;
        let opened = saiban_coordination::SharedCounter::open(&url, &options);
        opened.map(|counter| SharedCounter(Arc::new(counter))).or_throw(&env)
    }

    /// Returns the next number, and waits for it.
    #[napi(catch_unwind, ts_return_type = "Promise<bigint>")]
    pub fn generate<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let counter = Arc::clone(&self.0);
        promise(env, move || counter.generate(), BigInt::from)
    }

    /// Returns the next number, if it is prefetched.
    #[napi(catch_unwind)]
    pub fn try_generate(&self, env: Env) -> napi::Result<Option<BigInt>> {
        self.0.try_generate().map(|number| number.map(BigInt::from)).or_throw(&env)
    }

    /// Returns this many numbers, and waits for them.
    #[napi(catch_unwind, ts_return_type = "Promise<BigInt64Array>")]
    pub fn generate_many<'env>(&self, env: &'env Env, count: BigInt) -> napi::Result<Object<'env>> {
        let mut numbers = wanted(&count).or_throw(env)?;
        let counter = Arc::clone(&self.0);
        let fill = move || {
            let filled = counter.fill(&mut numbers)?;
            Ok(cut(numbers, filled))
        };
        promise(env, fill, |numbers| numbers)
    }

    /// Returns the counter's status.
    #[napi(catch_unwind)]
    pub fn status(&self, env: Env) -> napi::Result<CounterStatus> {
        self.0.status().map(CounterStatus::from).or_throw(&env)
    }
}

/// A number of a day.
#[napi(object, object_from_js = false)]
pub struct DailyNumber {
    /// The day, since 1970-01-01.
    pub day: i32,
    /// The number.
    pub number: BigInt,
    /// Both, in the counter's format.
    pub text: String,
}

impl From<Number> for DailyNumber {
    fn from(Number { day, number, text }: Number) -> Self {
        DailyNumber { day, number: number.into(), text }
    }
}

/// A counter of daily numbers in a store.
#[napi]
pub struct DailyCounter(Arc<saiban_coordination::DailyCounter>);

#[napi]
impl DailyCounter {
    /// Opens a counter in the store at this URL.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        env: Env,
        url: String,
        options: CounterOptions,
        zone: Option<String>,
        format: Option<String>,
    ) -> napi::Result<Self> {
        let defaults = saiban_coordination::DailyOptions::default();
        let saiban_coordination::CounterOptions {
            name,
            start,
            block_size,
            max_block_size,
            create,
            wait_s,
            gapless,
            ..
        } = options.to_core_or_throw(&env)?;
        let options = saiban_coordination::DailyOptions {
            name,
            zone: zone.unwrap_or(defaults.zone),
            format: format.unwrap_or(defaults.format),
            first: start,
            block_size,
            max_block_size,
            create,
            wait_s,
            gapless,
        };
        let opened = saiban_coordination::DailyCounter::open(&url, &options);
        opened.map(|counter| DailyCounter(Arc::new(counter))).or_throw(&env)
    }

    /// Returns the next number of today, and waits for it.
    #[napi(catch_unwind, ts_return_type = "Promise<DailyNumber>")]
    pub fn generate<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let counter = Arc::clone(&self.0);
        promise(env, move || counter.generate(), DailyNumber::from)
    }

    /// Returns the next number of today, if it is prefetched.
    #[napi(catch_unwind)]
    pub fn try_generate(&self, env: Env) -> napi::Result<Option<DailyNumber>> {
        self.0.try_generate().map(|number| number.map(DailyNumber::from)).or_throw(&env)
    }

    /// Returns the counter's status.
    #[napi(catch_unwind)]
    pub fn status(&self, env: Env) -> napi::Result<CounterStatus> {
        self.0.status().map(CounterStatus::from).or_throw(&env)
    }
}
