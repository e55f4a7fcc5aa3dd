//! The measurements, each of one sample. The client has one thread and shares the cores with the
//! server.

pub mod closed;
pub mod open;
pub mod stream;

use hdrhistogram::Histogram;
use std::time::Duration;

/// The latencies of one sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quantiles {
    pub p50_us: f64,
    pub p99_us: f64,
    pub p999_us: f64,
}

impl Quantiles {
    /// Returns the quantiles of these latencies in nanoseconds.
    fn of(latencies_ns: impl IntoIterator<Item = u64>) -> Self {
        // From 1 ns to a minute, three digits exact.
        let mut histogram = Histogram::<u64>::new_with_bounds(1, 60_000_000_000, 3).expect("bounds");
        for latency in latencies_ns {
            histogram.saturating_record(latency);
        }
        let [p50_us, p99_us, p999_us] = [0.5, 0.99, 0.999].map(|share| histogram.value_at_quantile(share) as f64 / 1e3);
        Quantiles { p50_us, p99_us, p999_us }
    }
}

fn ns(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
