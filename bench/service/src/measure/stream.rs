//! One stream of many IDs.

use crate::client::Client;
use crate::failure::Failure;
use std::time::Instant;

/// Returns IDs a second, from the call to the last ID. The IDs replace those in `ids`, whose memory
/// is already allocated after the first sample.
pub async fn run(mut client: Client, count: u64, batch: u32, ids: &mut Vec<i64>) -> Result<f64, Failure> {
    ids.clear();
    let begun = Instant::now();
    client.stream(count, batch, ids).await?;
    Ok(count as f64 / begun.elapsed().as_secs_f64())
}
