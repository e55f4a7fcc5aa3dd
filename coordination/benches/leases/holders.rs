//! Measures a thousand holders in one process, which share their connections to one store.

use super::timed::{ms, share};
use async_trait::async_trait;
use saiban_coordination::lease::protocol::{Acquire, Grant, Release, Renew};
use saiban_coordination::lease::{Namespace, Terms};
use saiban_coordination::store::{Listing, Store, StoreUrl, open};
use saiban_coordination::{Error, Lease, LeaseOptions};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const HOLDERS: usize = 1_000;
/// The number of threads that acquire leases at once in the beginning.
const AT_ONCE: usize = 20;
const TTL_S: i64 = 60;

/// A store that records how long renewals take, from the request to the response.
struct Watched {
    store: Arc<dyn Store>,
    renewals: Mutex<Vec<Duration>>,
    failed: AtomicUsize,
}

#[async_trait]
impl Store for Watched {
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error> {
        self.store.create(terms).await
    }

    async fn acquire(&self, name: &str, fingerprint: &str, request: &Acquire) -> Result<Grant, Error> {
        self.store.acquire(name, fingerprint, request).await
    }

    async fn renew(&self, name: &str, request: &Renew) -> Result<Grant, Error> {
        let begun = Instant::now();
        let answer = self.store.renew(name, request).await;
        if answer.is_err() {
            self.failed.fetch_add(1, Ordering::SeqCst);
        }
        self.renewals.lock().unwrap_or_else(PoisonError::into_inner).push(begun.elapsed());
        answer
    }

    async fn release(&self, name: &str, request: &Release) -> Result<(), Error> {
        self.store.release(name, request).await
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        self.store.list(name).await
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        self.store.quarantine(name).await
    }
}

/// Measures a row of the table: all holders acquire a lease, and then renew it for `minute`.
pub fn row(kind: &str, url: &str, minute: Duration) -> Result<String, Error> {
    let options = LeaseOptions {
        namespace: "crowd".into(),
        ttl_s: TTL_S,
        create: Some(true),
        holder: Some("one of many".into()),
        wait_s: 60,
        layout: Some(saiban::Layout::from_text("timestamp:41@ms,epoch=2024-01-01 node:12 sequence:10")?),
        ..LeaseOptions::default()
    };
    let store = Arc::new(Watched {
        store: open(&StoreUrl::new(url)?)?,
        renewals: Mutex::default(),
        failed: AtomicUsize::new(0),
    });
    let begun = Instant::now();
    let leases: Vec<Lease> = thread::scope(|scope| {
        let some = || (0..HOLDERS / AT_ONCE).map(|_| Lease::with_store(store.clone(), &options)).collect();
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(some)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread")).collect::<Result<Vec<Vec<_>>, _>>()
    })?
    .concat();
    let acquired = begun.elapsed();
    store.renewals.lock().unwrap_or_else(PoisonError::into_inner).clear();
    store.failed.store(0, Ordering::SeqCst);
    let port = url.rsplit_once(':').and_then(|(_, rest)| rest.split('/').next()?.parse::<u16>().ok());
    let (begun, cpu) = (Instant::now(), cpu());
    let mut connections = 0;
    while begun.elapsed() < minute {
        connections = connections.max(port.map_or(0, established));
        thread::sleep(Duration::from_millis(100));
    }
    let (cpu, elapsed) = (self::cpu() - cpu, begun.elapsed());
    let mut renewals = std::mem::take(&mut *store.renewals.lock().unwrap_or_else(PoisonError::into_inner));
    renewals.sort_unstable();
    let failed = store.failed.load(Ordering::SeqCst);
    let lost = leases.iter().filter(|lease| !lease.status().is_ok_and(|status| status.grants == 1)).count();
    let per_renewal = cpu.checked_div(u32::try_from(renewals.len()).unwrap_or(0)).unwrap_or_default();
    thread::scope(|scope| {
        for some in leases.chunks(HOLDERS / AT_ONCE) {
            scope.spawn(move || some.iter().for_each(|lease| drop(lease.release())));
        }
    });
    let lost = if lost == 0 { String::new() } else { format!(" ({lost} leases lost)") };
    Ok(format!(
        "| {kind} | {:.1} s | {} | {}, {failed} failed{lost} | {} | {} | {} | {:.1} % | {} | {:.4} % | {:.5} % |",
        acquired.as_secs_f64(),
        if port.is_some() { connections.to_string() } else { "a file".into() },
        renewals.len(),
        ms(share(&renewals, 50)),
        ms(share(&renewals, 99)),
        ms(share(&renewals, 100)),
        cpu.as_secs_f64() / elapsed.as_secs_f64() * 100.0,
        ms(per_renewal),
        of_a_core(per_renewal, 10),
        of_a_core(per_renewal, 600),
    ))
}

/// Returns the percentage of a core that one keeper's renewals use. It renews after 90 % of a third
/// of the ttl on average.
fn of_a_core(renewal: Duration, ttl_s: i32) -> f64 {
    renewal.as_secs_f64() / (f64::from(ttl_s) / 3.0 * 0.9) * 100.0
}

/// Returns the number of connections of this machine to this port.
fn established(port: u16) -> usize {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    let to = format!(":{port:04X}");
    let leads = |line: &&str| {
        let mut fields = line.split_whitespace().skip(2);
        fields.next().is_some_and(|remote| remote.ends_with(&to)) && fields.next() == Some("01")
    };
    table.lines().filter(leads).count()
}

/// Returns the CPU time of this process without its child processes.
pub fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    // User time and system time, in hundredths of a second.
    let ticks: u64 = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}
