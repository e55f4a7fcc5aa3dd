//! The cases and their rounds. Each round takes one sample of every case, so that a disturbance of
//! the machine affects all of them.

use crate::awake::Awake;
use crate::client::{Client, Service, Way, load_script};
use crate::distinct;
use crate::failure::Failure;
use crate::measure::closed::Ask;
use crate::measure::{Quantiles, closed, open, stream};
use crate::rows::{AWAKE, BATCHED, PACED, Row, SINGLES, STREAMED};
use crate::samples::{Column, Load, Samples};
use crate::servers::Served;
use futures_util::future::try_join_all;
use std::collections::BTreeMap;
use std::time::Duration;

pub const CROWD: usize = 64;
pub const PIPELINE: usize = 16;
pub const BATCHES: [u32; 2] = [100, 10_000];
/// The rate of the open loop, in requests a second.
pub const RATE: u32 = 10_000;
/// The number of IDs of a stream, and of a batch in it.
pub const STREAM: u64 = 8_000_000;
pub const STREAM_BATCH: u32 = 10_000;

/// What a sample measures.
#[derive(Clone, Copy)]
pub enum Case {
    Single {
        connections: usize,
    },
    /// One connection, on cores that do not sleep.
    Awake,
    Paced,
    Batch(u32),
    Stream,
}

pub struct Plan {
    servers: Vec<Served>,
    script: String,
    cases: Vec<(Row, Case)>,
    /// The buffer for the IDs of a stream.
    room: Vec<i64>,
    pub samples: Samples,
    pub ids: u64,
}

/// Returns all cases, or those of rows whose name begins with one of these words.
pub fn cases(only: &[String]) -> Vec<(Row, Case)> {
    let mut cases = Vec::new();
    for connections in [1, CROWD] {
        cases.extend(SINGLES.map(|row| (row, Case::Single { connections })));
    }
    cases.extend(AWAKE.map(|row| (row, Case::Awake)));
    cases.extend(PACED.map(|row| (row, Case::Paced)));
    for count in BATCHES {
        cases.extend(BATCHED.map(|row| (row, Case::Batch(count))));
    }
    cases.extend(STREAMED.map(|row| (row, Case::Stream)));
    cases.retain(|(row, _)| only.is_empty() || only.iter().any(|word| row.name.starts_with(word.as_str())));
    cases
}

impl Plan {
    /// `script` is the script for Redis that `saiban lua` prints.
    pub async fn new(cases: Vec<(Row, Case)>, servers: Vec<Served>, script: &str) -> Result<Self, Failure> {
        let redis = servers.iter().find(|served| served.service == Service::Redis);
        let script = match redis {
            Some(redis) => load_script(redis.address, script).await?,
            None => String::new(),
        };
        Ok(Plan { servers, script, cases, room: Vec::new(), samples: Samples::default(), ids: 0 })
    }

    /// Runs one round, and then checks that its IDs are distinct. The results of a trial are not
    /// recorded.
    pub async fn round(&mut self, number: usize, each: Duration, is_trial: bool) -> Result<(), Failure> {
        let mut all = BTreeMap::<u8, Vec<i64>>::new();
        let mut cases = self.cases.clone();
        // The order alternates.
        if number % 2 == 1 {
            cases.reverse();
        }
        for (row, case) in cases {
            let (ids, said) = self.sample(row, case, each).await.map_err(|error| format!("{}: {error}", row.name))?;
            for (column, value) in said {
                if !is_trial {
                    self.samples.add(row, column, value);
                }
            }
            // INCR has a counter of its own, so its IDs may equal those of the script.
            all.entry(row.service as u8 * 2 + u8::from(row.way == Way::Incr)).or_default().extend(ids);
        }
        for ids in all.into_values() {
            self.ids += ids.len() as u64;
            distinct::check(ids)?;
        }
        Ok(())
    }

    /// Takes one sample of a case, and returns its IDs and values.
    async fn sample(
        &mut self,
        row: Row,
        case: Case,
        each: Duration,
    ) -> Result<(Vec<i64>, Vec<(Column, f64)>), Failure> {
        let connections = match case {
            Case::Single { connections } => connections,
            Case::Paced => CROWD,
            Case::Awake | Case::Batch(_) | Case::Stream => 1,
        };
        let server = self.servers.iter().find(|served| served.service == row.service).ok_or("no such server")?;
        let connect = |_| async {
            let mut client = Client::connect(row.way, server.address, &self.script).await?;
            // The first call may wait for a millisecond, and opens the HTTP/2 connection.
            client.generate(1, &mut Vec::new()).await?;
            Ok::<_, Failure>(client)
        };
        let mut clients = try_join_all((0..connections).map(connect)).await?;
        let before = server.cpu();
        Ok(match case {
            Case::Single { .. } => {
                let ask = if row.is_pipelined { Ask::Pipeline(PIPELINE) } else { Ask::Batch(1) };
                let outcome = closed::run(clients, ask, each).await?;
                let cpu_us = (server.cpu() - before).as_secs_f64() * 1e6 / outcome.ids.len() as f64;
                let mut said = latencies(outcome.latency, Load::Closed(connections));
                said.push((Column::Singles(connections), outcome.ids_per_s));
                said.push((Column::Cpu(connections), cpu_us));
                (outcome.ids, said)
            }
            Case::Awake => {
                let _awake = Awake::keep().await?;
                let outcome = closed::run(clients, Ask::Batch(1), each).await?;
                let mut said = latencies(outcome.latency, Load::Awake);
                said.push((Column::SinglesAwake, outcome.ids_per_s));
                (outcome.ids, said)
            }
            Case::Paced => {
                let outcome = open::run(clients, RATE, each).await?;
                let mut said = latencies(outcome.latency, Load::Paced);
                said.push((Column::Answered, outcome.answered_per_s));
                (outcome.ids, said)
            }
            Case::Batch(count) => {
                let outcome = closed::run(clients, Ask::Batch(count), each).await?;
                (outcome.ids, vec![(Column::Batch(count), outcome.ids_per_s)])
            }
            Case::Stream => {
                let client = clients.pop().ok_or("no client")?;
                let per_s = stream::run(client, STREAM, STREAM_BATCH, &mut self.room).await?;
                (self.room.clone(), vec![(Column::Stream, per_s)])
            }
        })
    }
}

fn latencies(of: Quantiles, load: Load) -> Vec<(Column, f64)> {
    [(500, of.p50_us), (990, of.p99_us), (999, of.p999_us)]
        .map(|(per_mille, us)| (Column::Latency { load, per_mille }, us))
        .to_vec()
}
