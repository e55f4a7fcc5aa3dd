//! A client that requests IDs continuously, from any instance that replies.

use saiban::Generator;
use saiban_coordination::{RemoteGenerator, RemoteOptions};
use saiban_service::grpc::proto::{GenerateRequest, GenerateResponse, StreamRequest, StreamResponse};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tonic::Streaming;

use crate::caller::{self, Channel, HANGS, Http, LIMIT};

/// The number of IDs per request, and the pause between requests.
const BATCH: usize = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// The protocol of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Json,
    Bytes,
    Unary,
    Stream,
    /// saiban's own client, which has all instances in its URL and switches between them by itself.
    Remote,
}

/// The instance of a client that chooses for itself.
const ANYWHERE: usize = usize::MAX;

/// The state of the client, for messages.
struct Shared {
    /// The instance in use.
    at: AtomicUsize,
    since: Mutex<Gap>,
}

struct Gap {
    last: Instant,
    longest: Duration,
}

/// A running client.
pub struct Worker {
    pub name: String,
    pub scheme: &'static str,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    work: JoinHandle<Vec<i64>>,
}

impl Worker {
    /// Starts with the instance at index `first`, and uses the next one after a failure.
    pub fn start(kind: Kind, scheme: &'static str, instances: &[SocketAddr], first: usize) -> Self {
        let gap = Gap { last: Instant::now(), longest: Duration::ZERO };
        let shared = Arc::new(Shared { at: AtomicUsize::new(first), since: Mutex::new(gap) });
        let stop = Arc::new(AtomicBool::new(false));
        let task = Task { kind, scheme, shared: Arc::clone(&shared), stop: Arc::clone(&stop), ids: Vec::new() };
        let work = match kind {
            Kind::Remote => {
                let hosts: Vec<_> = instances.iter().map(SocketAddr::to_string).collect();
                shared.at.store(ANYWHERE, Ordering::SeqCst);
                tokio::task::spawn_blocking(move || task.remote(&format!("saiban://{}", hosts.join(","))))
            }
            _ => tokio::spawn(task.work(instances.to_vec())),
        };
        Worker { name: format!("{kind:?} of {scheme}"), scheme, shared, stop, work }
    }

    /// Returns the index of the instance in use.
    pub fn at(&self) -> usize {
        self.shared.at.load(Ordering::SeqCst)
    }

    /// Returns the longest time without IDs since the last call, including the current one.
    pub fn longest_gap(&self) -> Duration {
        let mut gap = self.shared.since.lock().expect("a gap");
        let longest = gap.longest.max(gap.last.elapsed());
        gap.longest = Duration::ZERO;
        longest
    }

    /// Returns whether the client has received IDs after this time.
    pub fn has_since(&self, when: Instant) -> bool {
        self.shared.since.lock().expect("a gap").last > when
    }

    /// Stops the client, and returns all of its IDs.
    pub async fn stop(mut self) -> Vec<i64> {
        self.stop.store(true, Ordering::SeqCst);
        let ended = tokio::time::timeout(HANGS, &mut self.work).await;
        ended.unwrap_or_else(|_| panic!("{} hangs", self.name)).expect("it ends in good order")
    }
}

/// Stops the client when the test fails. Otherwise the runtime would wait forever for the thread of
/// [`Kind::Remote`], and the failure would never be shown.
impl Drop for Worker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
    }
}

struct Task {
    kind: Kind,
    scheme: &'static str,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    ids: Vec<i64>,
}

impl Task {
    async fn work(mut self, instances: Vec<SocketAddr>) -> Vec<i64> {
        while !self.stop.load(Ordering::SeqCst) {
            let address = instances[self.shared.at.load(Ordering::SeqCst)];
            let _ = match self.kind {
                Kind::Json | Kind::Bytes => self.over_http(address).await,
                Kind::Unary => self.unary(address).await,
                Kind::Stream | Kind::Remote => self.stream(address).await,
            };
            if self.stop.load(Ordering::SeqCst) {
                break;
            }
            let _ =
                self.shared.at.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |at| Some((at + 1) % instances.len()));
            tokio::time::sleep(PAUSE).await;
        }
        self.ids
    }

    /// Requests IDs over HTTP until the instance does not reply.
    async fn over_http(&mut self, address: SocketAddr) -> Result<(), String> {
        let mut connection = within(Http::connect(address)).await?;
        let path = format!("/v1/schemes/{}/ids?count={BATCH}", self.scheme);
        let accept = if self.kind == Kind::Json { "application/json" } else { "application/octet-stream" };
        while !self.stop.load(Ordering::SeqCst) {
            let answer = within(connection.ask("POST", &path, accept, "")).await?;
            if answer.status != 200 {
                return Err(answer.text());
            }
            let ids: Vec<i64> = if self.kind == Kind::Json {
                let ids = answer.json()["ids"].as_array().expect("IDs").clone();
                ids.iter().map(|id| id.as_str().expect("a text").parse().expect("a number")).collect()
            } else {
                answer.body.chunks(8).map(|id| i64::from_le_bytes(id.try_into().expect("8 bytes"))).collect()
            };
            self.got(&ids);
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    async fn unary(&mut self, address: SocketAddr) -> Result<(), String> {
        let mut client = within(caller::ids(address)).await?;
        while !self.stop.load(Ordering::SeqCst) {
            let asked = GenerateRequest { scheme: self.scheme.into(), count: BATCH as u32 };
            let asked = async { client.generate(asked).await.map_err(|status| status.to_string()) };
            let GenerateResponse { ids, .. } = within(asked).await?.into_inner();
            self.got(&ids);
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    async fn stream(&mut self, address: SocketAddr) -> Result<(), String> {
        let mut client = within(caller::ids(address)).await?;
        let mut stream = within(open(&mut client, self.scheme, BATCH as u32)).await?;
        while !self.stop.load(Ordering::SeqCst) {
            let next = async { stream.message().await.map_err(|status| status.to_string()) };
            let Some(StreamResponse { ids, .. }) = within(next).await? else { return Ok(()) };
            self.got(&ids);
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Takes prefetched blocks, with a client that hides failures as long as it can.
    fn remote(mut self, url: &str) -> Vec<i64> {
        let options = RemoteOptions { block: 500, ..RemoteOptions::default() };
        let ids = RemoteGenerator::<i64>::open(url, self.scheme, &options).expect("a generator");
        let mut batch = [0; BATCH];
        while !self.stop.load(Ordering::SeqCst) {
            if let Ok(count) = ids.fill(&mut batch) {
                self.got(&batch[..count]);
            }
            std::thread::sleep(PAUSE);
        }
        self.ids
    }

    fn got(&mut self, ids: &[i64]) {
        assert!(ids.len() == BATCH || self.kind == Kind::Remote, "all or none");
        self.ids.extend(ids);
        let mut gap = self.shared.since.lock().expect("a gap");
        gap.longest = gap.longest.max(gap.last.elapsed());
        gap.last = Instant::now();
    }
}

/// Opens an endless stream of batches.
pub async fn open(
    client: &mut saiban_service::grpc::proto::ids_service_client::IdsServiceClient<Channel>,
    scheme: &str,
    batch: u32,
) -> Result<Streaming<StreamResponse>, String> {
    let asked = StreamRequest { scheme: scheme.into(), count: 0, batch };
    client.stream(asked).await.map(tonic::Response::into_inner).map_err(|status| status.to_string())
}

async fn within<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    tokio::time::timeout(LIMIT, work).await.unwrap_or_else(|_| Err("no answer within the limit".into()))
}
