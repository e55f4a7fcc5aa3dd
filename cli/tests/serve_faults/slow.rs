//! Clients that request more than they read.

use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::caller::{self, get};
use crate::door::{Proxy, Way};
use crate::instance::{Instance, until};
use crate::worker::open;

// HTTP/2 connections get a ping after each third of `idle_timeout_s`, and have `header_timeout_s`
// to reply.
const CONFIG: &str =
    "[limits]\nwrite_timeout_s = 3\nidle_timeout_s = 6\nheader_timeout_s = 3\n[schemes.wide]\nscheme = \"uuid-v7\"\n";

async fn metric(instance: &Instance, name: &str) -> f64 {
    instance.metric(name).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_makes_ids_only_as_they_are_read_and_is_closed_when_none_are() {
    const STREAMS: usize = 20;
    let instance = Instance::start(CONFIG);
    instance.ready().await;
    let mut streams = Vec::new();
    for _ in 0..STREAMS {
        // Each stream has its own connection with its own window, and the client reads no further.
        let mut ids = caller::ids(instance.address()).await.expect("a connection");
        let mut stream = open(&mut ids, "wide", 10_000).await.expect("a stream");
        stream.message().await.expect("a batch");
        // On a busy machine, the service closes the first streams before the last one is open.
        let in_flight = metric(&instance, "saiban_requests_in_flight").await;
        assert!(in_flight >= 2.0, "{in_flight}: this stream, and the request for the metric");
        streams.push((ids, stream));
    }
    // The service makes as many IDs as the windows hold, and then no more.
    let mut made = 0.0;
    until("an end of what is made", async || {
        let before = made;
        tokio::time::sleep(Duration::from_millis(500)).await;
        made = metric(&instance, "saiban_ids_total{scheme=\"wide\"}").await;
        made == before
    })
    .await;
    let memory = instance.memory_mib("VmHWM");
    println!("{STREAMS} streams that nobody reads: {made} IDs were made, {memory} MiB at most");
    assert!(memory <= 128, "{memory} MiB");
    // The streams are closed eventually, and free their places.
    until("their end", async || metric(&instance, "saiban_connections").await <= 1.0).await;
    assert_eq!(metric(&instance, "saiban_requests_in_flight").await, 1.0, "the one that asks");
    for (_, mut stream) in streams {
        // The client can read what had arrived before; then the stream ends with an error.
        while stream.message().await.is_ok_and(|batch| batch.expect("it goes on").wide_ids.len() == 160_000) {}
    }
    let mut ids = caller::ids(instance.address()).await.expect("a connection");
    let mut read = open(&mut ids, "wide", 10).await.expect("a stream");
    for _ in 0..10 {
        // The stream is slower than the limit in total, but never between two reads.
        tokio::time::sleep(Duration::from_secs(1)).await;
        read.message().await.expect("a batch").expect("it goes on");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_is_not_read_is_closed() {
    let instance = Instance::start(CONFIG);
    instance.ready().await;
    let proxy = Proxy::before(instance.address()).await;
    // The gRPC stream is blocked, which neither end detects.
    let mut ids = caller::ids(proxy.address()).await.expect("a connection");
    let mut stream = open(&mut ids, "wide", 10_000).await.expect("a stream");
    stream.message().await.expect("a batch");
    // This HTTP/1.1 client sends requests and reads nothing.
    let asking = tokio::spawn(ask_and_do_not_read(instance.address()));
    until("both", async || metric(&instance, "saiban_connections").await >= 3.0).await;
    proxy.set(Way::Blocked);
    let reading = tokio::spawn(async move { while let Ok(Some(_)) = stream.message().await {} });
    until("their end", async || metric(&instance, "saiban_connections").await <= 1.0).await;
    assert_eq!(metric(&instance, "saiban_requests_in_flight").await, 1.0, "the one that asks");
    asking.await.expect("it was closed");
    reading.abort();
    assert_eq!(get(instance.address(), "/readyz").await.expect("an answer").status, 200);
}

/// Sends requests without reading, until the service closes the connection.
async fn ask_and_do_not_read(address: SocketAddr) {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let request = b"POST /v1/schemes/wide/ids?count=10000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    for _ in 0..100 {
        if stream.write_all(request).await.is_err() {
            return;
        }
    }
    // Responses from before the end can still be read.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let mut bytes = vec![0; 64 << 10];
    while let Ok(1..) = stream.read(&mut bytes).await {}
}
