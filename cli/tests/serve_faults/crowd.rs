//! Ten thousand idle connections, and more active ones than allowed: the service serves the rest,
//! in bounded memory.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::future::Future;
use std::io::Read;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::caller::{self, Http};
use crate::instance::{Instance, until};
use crate::worker::open;

/// Silent connections, connections after one response, gRPC connections, and connections with an
/// incomplete head.
const SILENT: usize = 5_000;
const ANSWERED: usize = 5_000;
const GRPC: usize = 1_000;
const HALF: usize = 1_000;
const IDLE: usize = SILENT + ANSWERED + GRPC;

/// The limit of connections, and the number of connections beyond it.
const MAX: usize = 12_200;
const FLOOD: usize = 500;

/// The limit of requests in flight.
const MAX_IN_FLIGHT: usize = 32;

const MAX_MIB: u64 = 256;

/// Raises the limit of file descriptors for all connections; the service raises its own.
fn raise_limit() {
    const WANTED: u64 = 16_000;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| current >= WANTED) {
        return;
    }
    let maximum = maximum.map(|maximum| maximum.max(WANTED));
    setrlimit(Resource::Nofile, Rlimit { current: Some(WANTED), maximum })
        .expect("16,000 open files are needed: raise the hard limit (ulimit -Hn)");
}

/// Connects from one of several addresses of this machine, so that its ports suffice.
async fn connect(to: SocketAddr, number: usize) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    let from = SocketAddr::from(([127, 0, 0, 2 + (number % 8) as u8], 0));
    socket.bind(from).expect("an address");
    socket.connect(to).await.expect("a connection")
}

/// Runs the work this many times, at most 128 at once.
async fn all<T: Send + 'static, F>(count: usize, work: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    let mut done = Vec::with_capacity(count);
    let mut tasks = JoinSet::new();
    for number in 0..count {
        if tasks.len() == 128 {
            done.push(tasks.join_next().await.expect("a task").expect("it ends in good order"));
        }
        tasks.spawn(work(number));
    }
    done.extend(tasks.join_all().await);
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_idle_connections_and_a_flood_leave_room_for_the_rest() {
    raise_limit();
    let instance = Instance::start(&format!(
        "[limits]\nmax_connections = {MAX}\nmax_in_flight = {MAX_IN_FLIGHT}\nheader_timeout_s = 5\n\
         body_timeout_s = 600\nrequest_timeout_s = 600\n"
    ));
    instance.ready().await;
    let address = instance.address();
    let at_first = instance.memory_mib("VmRSS");
    // This connection is served throughout the test.
    let mut served = Http::connect(address).await.expect("a connection");

    let silent = all(SILENT, move |number| connect(address, number)).await;
    println!("{SILENT} silent connections: {at_first} MiB before, {} MiB now", instance.memory_mib("VmRSS"));
    let mut answered = all(ANSWERED, move |number| async move {
        let mut stream = connect(address, number).await;
        ask_for_an_id(&mut stream).await;
        stream
    })
    .await;
    println!("and {ANSWERED} that were answered: {} MiB", instance.memory_mib("VmRSS"));
    let grpc = all(GRPC, move |_| async move {
        let mut ids = caller::ids(address).await.expect("a connection");
        let asked = saiban_service::grpc::proto::GenerateRequest { scheme: "uuid-v7".into(), count: 1 };
        ids.generate(asked).await.expect("an ID");
        ids
    })
    .await;
    until("all connections", async || gauge(&mut served, "saiban_connections").await >= IDLE as f64).await;
    println!("and {GRPC} of gRPC: {} MiB", instance.memory_mib("VmRSS"));

    let mut half = all(HALF, move |number| async move {
        let mut stream = connect(address, number).await;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: 127.0").await.expect("half a head");
        stream
    })
    .await;
    until("those", async || gauge(&mut served, "saiban_connections").await >= (IDLE + HALF) as f64).await;
    println!("and {HALF} that stop in a head: {} MiB", instance.memory_mib("VmRSS"));
    // Connections with an incomplete head are closed; those idle between requests, or before the
    // first, are not.
    for stream in &mut half {
        let mut received = Vec::new();
        let _ = stream.read_to_end(&mut received).await;
    }
    until("their end", async || gauge(&mut served, "saiban_connections").await < (IDLE + HALF) as f64 / 1.05).await;
    for stream in answered.iter_mut().step_by(100) {
        ask_for_an_id(stream).await;
    }

    flood_of_connections(address, &mut served).await;
    flood_of_requests(&instance, &mut served).await;

    let most = instance.memory_mib("VmHWM");
    println!("at most {most} MiB");
    assert!(most <= MAX_MIB, "{most} MiB of {MAX_MIB}");
    drop((silent, answered, grpc, half));
    until("the end of all connections", async || gauge(&mut served, "saiban_connections").await <= 1.0).await;
    println!("and {} MiB when they have gone", instance.memory_mib("VmRSS"));
    assert_eq!(caller::get(address, "/healthz").await.expect("an answer").status, 200);
    assert_eq!(gauge(&mut served, "saiban_requests_in_flight").await, 1.0, "the one that asks");
}

/// Sends a request and reads its response, on a connection that stays open.
async fn ask_for_an_id(stream: &mut TcpStream) {
    let request = b"POST /v1/schemes/uuid-v7/ids HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    stream.write_all(request).await.expect("a request");
    let mut answer = vec![0; 1_024];
    let count = stream.read(&mut answer).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer[..count]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer:?}");
}

async fn gauge(http: &mut Http, name: &str) -> f64 {
    let text = http.ask("GET", "/metrics", "*/*", "").await.expect("metrics").text();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("no {name} in {text}")).parse().expect("a number")
}

/// Opens more connections than allowed: the excess gets an error at once, and open connections
/// continue.
async fn flood_of_connections(address: SocketAddr, served: &mut Http) {
    let open = gauge(served, "saiban_connections").await as usize;
    let before = gauge(served, "saiban_connections_refused_total").await;
    let flood = all(MAX - open + FLOOD, move |number| connect(address, number)).await;
    let flood: Vec<_> = flood.into_iter().map(|stream| stream.into_std().expect("a socket")).collect();
    // An accepted connection gets nothing before its first request.
    let has_answer = |stream: &std::net::TcpStream| stream.peek(&mut [0]).is_ok();
    until("all refusals", async || flood.iter().filter(|stream| has_answer(stream)).count() >= FLOOD).await;
    let (refused, kept): (Vec<_>, Vec<_>) = flood.into_iter().partition(has_answer);
    for mut stream in refused.iter() {
        let mut received = String::new();
        stream
            .set_nonblocking(false)
            .and_then(|()| stream.read_to_string(&mut received))
            .expect("an answer, and an end");
        assert!(received.starts_with("HTTP/1.1 503 ") && received.contains("limits.max_connections"), "{received:?}");
    }
    let refused = refused.len();
    assert_eq!(refused, FLOOD, "those over the limit, and no others");
    assert_eq!(gauge(served, "saiban_connections_refused_total").await - before, FLOOD as f64);
    for stream in kept.into_iter().step_by(10) {
        ask_for_an_id(&mut TcpStream::from_std(stream).expect("a socket")).await;
    }
}

/// Sends more requests than may be in flight: the excess is refused at once, and the service
/// continues as others end.
async fn flood_of_requests(instance: &Instance, served: &mut Http) {
    let address = instance.address();
    until("room for others", async || gauge(served, "saiban_connections").await < (MAX - 100) as f64).await;
    let mut ids = caller::ids(address).await.expect("a connection");
    // A stream is a request as long as it continues. Streams on one connection would wait for each
    // other to be read.
    let mut streams = Vec::new();
    for _ in 0..MAX_IN_FLIGHT / 2 {
        let mut ids = caller::ids(address).await.expect("a connection");
        let mut stream = open(&mut ids, "uuid-v7", 10).await.expect("a stream");
        stream.message().await.expect("a batch");
        streams.push(stream);
    }
    let over = open(&mut ids, "uuid-v7", 10).await.expect_err("too many streams");
    assert!(over.contains("streams are already open"), "{over}");
    // Streams leave half of the places to requests; these requests wait for their bodies.
    let mut slow = Vec::new();
    for _ in streams.len()..MAX_IN_FLIGHT {
        slow.push(caller::slow(address).await);
    }
    until("no room", async || gauge(served, "saiban_requests_in_flight").await > MAX_IN_FLIGHT as f64).await;
    let path = "/v1/schemes/uuid-v7/ids";
    let over = served.ask("POST", path, "application/json", "").await.expect("an answer");
    assert_eq!((over.status, over.code().as_str()), (503, "OVERLOADED"), "{}", over.text());
    assert_eq!(over.headers["retry-after"], "1");
    let over = open(&mut ids, "uuid-v7", 10).await.expect_err("too many");
    assert!(over.contains("limits.max_in_flight"), "{over}");
    let answer = served.ask("GET", "/healthz", "*/*", "").await.expect("an answer");
    assert_eq!(answer.status, 200, "how it is can be asked even then");
    drop((streams, slow));
    until("room", async || served.ask("POST", path, "application/json", "").await.expect("an answer").status == 200)
        .await;
    // All requests start at once, and some are refused. No request waits for long or gets another
    // response.
    let before = gauge(served, "saiban_overloaded_total").await;
    let mut tasks = JoinSet::new();
    for _ in 0..1_000 {
        let mut ids = ids.clone();
        tasks.spawn(async move {
            let asked = saiban_service::grpc::proto::GenerateRequest { scheme: "uuid-v7".into(), count: 10_000 };
            ids.generate(asked).await.map(|answer| answer.into_inner().wide_ids.len())
        });
    }
    let (mut answered, mut refused) = (0, 0);
    for answer in tasks.join_all().await {
        match answer {
            Ok(bytes) => {
                assert_eq!(bytes, 160_000, "all or none");
                answered += 1;
            }
            Err(status) => {
                assert_eq!(status.metadata().get("saiban-error").expect("a name"), "OVERLOADED", "{status}");
                refused += 1;
            }
        }
    }
    println!("of 1,000 requests at once on one connection {answered} were answered, {refused} refused");
    assert!(answered > 0);
    assert_eq!(gauge(served, "saiban_overloaded_total").await - before, f64::from(refused));
}
