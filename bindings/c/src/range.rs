//! The range of IDs of an interval of time.

use crate::ffi::{Fill, Out, ffi};
use crate::generator::{Generator, either};
use crate::wide::WideForm;

ffi! {
    /// Tells the smallest and the largest ID that can have been made in an interval, for asking a
    /// database for what was made when, by its primary key: id BETWEEN first AND last. Ticks that
    /// lie partly in the interval count.
    ///
    /// - start_ms, end_ms: the interval, half-open, Unix milliseconds.
    /// - first, last: the IDs, both included.
    ///
    /// Errors: NOT_TIME_ORDERED for a scheme or layout whose IDs do not sort by time (Randflake,
    /// UUID v4 and v1); INVALID_WINDOW for an interval that is empty, or in which IDs turn
    /// negative; TIMESTAMP_BEFORE_EPOCH, TIMESTAMP_OVERFLOW for one outside the format's time;
    /// INVALID_ARGUMENT for a generator of wider IDs.
    fn saiban_range(generator: &Generator, start_ms: i64, end_ms: i64, first: Out<i64>, last: Out<i64>) {
        let (smallest, largest) = generator.narrow()?.range(start_ms, end_ms)?.into_inner();
        first.set(smallest);
        last.set(largest);
    }

    /// As above, for IDs of any width. Of descending tick IDs the newest is the smallest.
    ///
    /// - first, last: SAIBAN_WIDE_ID_SIZE bytes each, which memcmp orders as the IDs.
    ///
    /// Errors: as saiban_range.
    fn saiban_range_wide(generator: &Generator, start_ms: i64, end_ms: i64, first: Fill<u8>, last: Fill<u8>) {
        let (smallest, largest) = either!(generator, ids => {
            let (smallest, largest) = ids.range(start_ms, end_ms)?.into_inner();
            (smallest.to_wide(), largest.to_wide())
        });
        first.set_wide(smallest)?;
        last.set_wide(largest)?;
    }
}
