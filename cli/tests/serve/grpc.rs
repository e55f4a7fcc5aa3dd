//! A plain gRPC client: it sends valid and invalid frames, and messages of the service's types.

use crate::instance::PATIENCE;
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

/// The error of a failed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The gRPC status code.
    pub code: i32,
    pub message: String,
    /// The name of the error's kind.
    pub kind: String,
}

pub const OK: i32 = 0;
pub const UNKNOWN: i32 = 2;
pub const INVALID_ARGUMENT: i32 = 3;
pub const DEADLINE_EXCEEDED: i32 = 4;
pub const NOT_FOUND: i32 = 5;
pub const PERMISSION_DENIED: i32 = 7;
pub const RESOURCE_EXHAUSTED: i32 = 8;
pub const UNIMPLEMENTED: i32 = 12;
pub const INTERNAL: i32 = 13;
pub const UNAUTHENTICATED: i32 = 16;

/// The number of bytes to read of an endless stream.
const ENOUGH: usize = 4 << 20;

/// A client with one connection.
pub struct Grpc {
    runtime: Runtime,
    sender: SendRequest<Full<Bytes>>,
    address: SocketAddr,
    token: Option<String>,
}

impl Grpc {
    pub fn to(address: SocketAddr) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("threads");
        let sender = runtime.block_on(connect(address));
        Grpc { runtime, sender, address, token: None }
    }

    /// Returns a client with a token.
    pub fn with_token(address: SocketAddr, token: &str) -> Self {
        Grpc { token: Some(token.into()), ..Self::to(address) }
    }

    /// Calls with these bytes as the body, and returns the bytes of the messages.
    pub fn raw(&mut self, path: &str, body: impl Into<Bytes>) -> Result<Vec<Bytes>, Refusal> {
        let path = format!("http://localhost{path}");
        let mut request = http::Request::post(path).header("content-type", "application/grpc").header("te", "trailers");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Full::new(body.into())).expect("a request");
        let Grpc { runtime, sender, address, .. } = self;
        runtime.block_on(async {
            // An invalid request may close the connection.
            if sender.ready().await.is_err() {
                *sender = connect(*address).await;
                sender.ready().await.expect("it listens");
            }
            let response = sender.send_request(request).await.map_err(broken)?;
            let (head, mut body) = response.into_parts();
            let (mut bytes, mut trailers) = (BytesMut::new(), HeaderMap::new());
            while let Some(frame) = tokio::time::timeout(PATIENCE, body.frame()).await.expect("it goes on") {
                match frame.map_err(broken)?.into_data() {
                    Ok(data) => bytes.extend_from_slice(&data),
                    Err(frame) => trailers = frame.into_trailers().expect("trailers"),
                }
                if bytes.len() > ENOUGH {
                    // The stream has no end.
                    trailers.insert("grpc-status", HeaderValue::from_static("0"));
                    break;
                }
            }
            let of = |name: &str| {
                let value = head.headers.get(name).or_else(|| trailers.get(name));
                value.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            };
            let code = of("grpc-status").map(|code| code.parse().expect("a number"));
            let code = code.unwrap_or_else(|| panic!("no status: {head:?} {trailers:?}"));
            let mut bytes = bytes.freeze();
            let mut messages = Vec::new();
            while bytes.len() >= 5 {
                let length = 5 + u32::from_be_bytes(bytes[1..5].try_into().expect("four")) as usize;
                if bytes.len() < length {
                    break;
                }
                messages.push(bytes.split_to(length).slice(5..));
            }
            if code == OK {
                return Ok(messages);
            }
            let message = of("grpc-message").unwrap_or_default();
            Err(Refusal { code, message, kind: of("saiban-error").unwrap_or_default() })
        })
    }

    /// Calls a method, and returns all responses.
    pub fn stream<A: Message + Default>(&mut self, path: &str, asked: &impl Message) -> Result<Vec<A>, Refusal> {
        let messages = self.raw(path, frame(&asked.encode_to_vec()))?;
        Ok(messages.into_iter().map(|message| A::decode(message).expect("a message")).collect())
    }

    /// Calls a method with one response.
    pub fn call<A: Message + Default>(&mut self, path: &str, asked: &impl Message) -> Result<A, Refusal> {
        let mut messages = self.stream(path, asked)?;
        assert_eq!(messages.len(), 1, "{path}");
        Ok(messages.remove(0))
    }
}

/// Returns a message in its frame.
pub fn frame(message: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0];
    bytes.extend_from_slice(&(message.len() as u32).to_be_bytes());
    bytes.extend_from_slice(message);
    bytes
}

/// Returns the error of a broken connection without a status.
fn broken(error: hyper::Error) -> Refusal {
    Refusal { code: -1, message: format!("{error:?}"), kind: String::new() }
}

async fn connect(address: SocketAddr) -> SendRequest<Full<Bytes>> {
    let stream = TcpStream::connect(address).await.expect("it listens");
    stream.set_nodelay(true).expect("a socket");
    let (sender, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream)).await.expect("HTTP/2");
    tokio::spawn(connection);
    sender
}
