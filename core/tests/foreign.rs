//! The trait's default methods, with a generator that another crate implements.

use saiban::{Attempt, ComposeParts, Error, ErrorKind, Generator, Parts, Scheme, Stats};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Violates the contract of `fill`: it writes nothing and returns no error.
struct Silent;

impl Generator for Silent {
    type Id = i64;

    fn scheme(&self) -> Scheme {
        Scheme::Snowflake
    }

    fn try_generate(&self) -> Result<Attempt, Error> {
        Err(Error::ClockUnavailable)
    }

    fn try_generate_within(&self, _left: Duration) -> Result<Attempt, Error> {
        Err(Error::ClockUnavailable)
    }

    fn generate(&self) -> Result<i64, Error> {
        Err(Error::ClockUnavailable)
    }

    fn fill(&self, _ids: &mut [i64]) -> Result<usize, Error> {
        Ok(0)
    }

    fn stats(&self) -> Result<Stats, Error> {
        Err(Error::ClockUnavailable)
    }

    fn compose(&self, _parts: &ComposeParts) -> Result<i64, Error> {
        Err(Error::ClockUnavailable)
    }

    fn inspect(&self, _id: i64) -> Result<Parts, Error> {
        Err(Error::ClockUnavailable)
    }

    fn range(&self, _start_ms: i64, _end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
        Err(Error::ClockUnavailable)
    }
}

#[test]
fn generate_many_ends_where_fill_writes_nothing() {
    assert_eq!(Silent.generate_many(3).map_err(|error| error.kind()), Err(ErrorKind::InvalidArgument));
    assert_eq!(Silent.generate_many(0), Ok(vec![]));
}
