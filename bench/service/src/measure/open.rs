//! Open loop: requests are due at a fixed rate whether the server keeps up or not, and the latency
//! of each counts from when it was due. A closed loop sends fewer requests just when the server is
//! slow.

use super::{Quantiles, ns};
use crate::client::Client;
use crate::failure::Failure;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::unix::AsyncFd;
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// How long to wait after the end for late responses; a missing response counts with its age.
const PATIENCE: Duration = Duration::from_millis(500);

pub struct Outcome {
    pub latency: Quantiles,
    pub answered_per_s: f64,
    pub ids: Vec<i64>,
}

/// Requests that are due and have no client yet.
#[derive(Default)]
struct Due {
    times: Mutex<VecDeque<Instant>>,
    one_more: Notify,
}

impl Due {
    fn push(&self, time: Instant) {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).push_back(time);
        self.one_more.notify_one();
    }

    async fn next(&self) -> Instant {
        loop {
            let next = self.times.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            if let Some(next) = next {
                return next;
            }
            self.one_more.notified().await;
        }
    }
}

/// Requests single IDs at this rate, each through a client that is free.
pub async fn run(clients: Vec<Client>, per_s: u32, time: Duration) -> Result<Outcome, Failure> {
    let due = Arc::new(Due::default());
    let answered = Arc::new(Mutex::new((Vec::new(), Vec::new())));
    let mut tasks = JoinSet::new();
    for client in clients {
        tasks.spawn(one(client, Arc::clone(&due), Arc::clone(&answered)));
    }
    let begun = Instant::now();
    let requests = pace(&due, begun, per_s, time).await?;
    let end = Instant::now();
    let count = || answered.lock().unwrap_or_else(PoisonError::into_inner).1.len();
    let in_time = count();
    while count() < requests.len() && end.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // A client's task ends only with an error.
    while let Some(ended) = tasks.try_join_next() {
        ended??;
    }
    tasks.shutdown().await;
    let now = Instant::now();
    let (ids, mut latencies) = std::mem::take(&mut *answered.lock().unwrap_or_else(PoisonError::into_inner));
    // The clients take requests in order, so the requests without a response are nearly the last
    // ones.
    latencies.extend(requests.iter().skip(latencies.len()).map(|due| ns(now - *due)));
    Ok(Outcome { latency: Quantiles::of(latencies), answered_per_s: in_time as f64 / (end - begun).as_secs_f64(), ids })
}

async fn one(mut client: Client, due: Arc<Due>, answered: Arc<Mutex<(Vec<i64>, Vec<u64>)>>) -> Result<(), Failure> {
    let mut id = Vec::with_capacity(1);
    loop {
        let time = due.next().await;
        client.generate(1, &mut id).await?;
        let latency = ns(time.elapsed());
        let (ids, latencies) = &mut *answered.lock().unwrap_or_else(PoisonError::into_inner);
        ids.append(&mut id);
        latencies.push(latency);
    }
}

/// Adds each request when it is due, and returns all due times.
async fn pace(due: &Due, begun: Instant, per_s: u32, time: Duration) -> Result<Vec<Instant>, Failure> {
    let each = Duration::from_secs(1) / per_s;
    #[expect(deprecated, reason = "sound with an OwnedFd; what takes its place is unsafe code")]
    let timer = AsyncFd::new(timer(each)?)?;
    let mut requests = Vec::new();
    let mut next = begun + each;
    while next <= begun + time {
        let mut rung = timer.readable().await?;
        // The number of ticks of the timer does not matter: the time decides.
        let _ = rung.try_io(|timer| Ok(rustix::io::read(timer.get_ref(), &mut [0_u8; 8])?));
        let now = Instant::now();
        while next <= now && next <= begun + time {
            due.push(next);
            requests.push(next);
            next += each;
        }
    }
    Ok(requests)
}

fn timer(each: Duration) -> Result<OwnedFd, Failure> {
    let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
    let each = Timespec::try_from(each)?;
    timerfd_settime(&timer, TimerfdTimerFlags::empty(), &Itimerspec { it_interval: each, it_value: each })?;
    Ok(timer)
}
