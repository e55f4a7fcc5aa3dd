//! A client with one connection at a time, HTTP/1.1 or gRPC, without retries.

use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use saiban_service::grpc::proto::ids_service_client::IdsServiceClient;
use std::net::SocketAddr;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Bytes, Service};

use crate::instance::until;

/// How long a client waits for a response before it uses another instance.
pub const LIMIT: Duration = Duration::from_secs(2);

/// How long a test waits for one response. This limit only ends a hanging test: a commit on a busy
/// disk takes seconds.
pub const HANGS: Duration = Duration::from_secs(60);

/// A complete HTTP response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    /// Returns the code of the error.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// Starts a request that is in flight, and waits for its body.
pub async fn slow(address: SocketAddr) -> TcpStream {
    const HEAD: &[u8] =
        b"POST /v1/inspect HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\
                          Expect: 100-continue\r\n\r\n";
    const GO_ON: &[u8] = b"HTTP/1.1 100 ";
    let mut begun = None;
    // A request that gets 100 Continue has a place. The place of the previous request may not be
    // free yet.
    until("a place", async || {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(HEAD).await.expect("a head");
        let mut answer = [0; GO_ON.len()];
        stream.read_exact(&mut answer).await.expect("an answer");
        begun = Some(stream).filter(|_| answer == GO_ON);
        begun.is_some()
    })
    .await;
    begun.expect("a stream")
}

/// An HTTP/1.1 connection.
pub struct Http {
    address: SocketAddr,
    connection: http1::SendRequest<String>,
}

impl Http {
    pub async fn connect(address: SocketAddr) -> Result<Self, String> {
        let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        let (connection, driver) = http1::handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
        tokio::spawn(driver);
        Ok(Http { address, connection })
    }

    /// Sends one request; `accept` is the requested media type.
    pub async fn ask(&mut self, method: &str, path: &str, accept: &str, body: &str) -> Result<Answer, String> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", self.address.to_string())
            .header("accept", accept)
            .header("content-type", "application/json")
            .body(body.to_owned())
            .expect("a request");
        self.connection.ready().await.map_err(|error| error.to_string())?;
        let response = self.connection.send_request(request).await.map_err(|error| error.to_string())?;
        let (head, body) = response.into_parts();
        let body = body.collect().await.map_err(|error| error.to_string())?.to_bytes();
        Ok(Answer { status: head.status.as_u16(), headers: head.headers, body })
    }
}

/// Sends one request on a new connection.
pub async fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> Result<Answer, String> {
    let asked = async { Http::connect(address).await?.ask(method, path, "application/json", body).await };
    tokio::time::timeout(HANGS, asked).await.unwrap_or_else(|_| Err("no answer: it hangs".into()))
}

pub async fn get(address: SocketAddr, path: &str) -> Result<Answer, String> {
    ask(address, "GET", path, "").await
}

/// An HTTP/2 connection, as gRPC clients use it.
#[derive(Clone)]
pub struct Channel(http2::SendRequest<Body>);

impl Channel {
    pub async fn connect(address: SocketAddr) -> Result<Self, String> {
        let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        let handshake = http2::handshake(TokioExecutor::new(), TokioIo::new(stream));
        let (connection, driver) = handshake.await.map_err(|error| error.to_string())?;
        tokio::spawn(driver);
        Ok(Channel(connection))
    }
}

impl Service<Request<Body>> for Channel {
    type Response = Response<Incoming>;
    type Error = hyper::Error;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(self.0.send_request(request))
    }
}

/// Returns a gRPC client for IDs.
pub async fn ids(address: SocketAddr) -> Result<IdsServiceClient<Channel>, String> {
    let origin = format!("http://{address}").parse().expect("a URL");
    Ok(IdsServiceClient::with_origin(Channel::connect(address).await?, origin))
}
