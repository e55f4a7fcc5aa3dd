//! Closed loop: every client sends its next request after the response.

use super::{Quantiles, ns};
use crate::client::Client;
use crate::failure::Failure;
use std::time::{Duration, Instant};

/// How each request is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// One request for this many IDs.
    Batch(u32),
    /// This many requests for one ID each, written before the first response is read.
    Pipeline(usize),
}

pub struct Outcome {
    pub ids_per_s: f64,
    pub latency: Quantiles,
    pub ids: Vec<i64>,
}

/// Runs all clients at once for this duration.
pub async fn run(clients: Vec<Client>, ask: Ask, time: Duration) -> Result<Outcome, Failure> {
    let begun = Instant::now();
    let until = begun + time;
    let tasks: Vec<_> = clients.into_iter().map(|client| tokio::spawn(one(client, ask, until))).collect();
    let (mut ids, mut latencies) = (Vec::new(), Vec::new());
    let mut all = Vec::new();
    for task in tasks {
        all.push(task.await??);
    }
    let elapsed = begun.elapsed();
    for (some, times) in all {
        ids.extend(some);
        latencies.extend(times);
    }
    Ok(Outcome { ids_per_s: ids.len() as f64 / elapsed.as_secs_f64(), latency: Quantiles::of(latencies), ids })
}

async fn one(mut client: Client, ask: Ask, until: Instant) -> Result<(Vec<i64>, Vec<u64>), Failure> {
    let (mut ids, mut latencies) = (Vec::new(), Vec::new());
    let mut before = Instant::now();
    while before < until {
        match ask {
            Ask::Batch(count) => client.generate(count, &mut ids).await?,
            Ask::Pipeline(requests) => client.pipeline(requests, &mut ids).await?,
        }
        let now = Instant::now();
        latencies.push(ns(now - before));
        before = now;
    }
    Ok((ids, latencies))
}
