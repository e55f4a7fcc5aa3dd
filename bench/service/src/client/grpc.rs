//! Clients of saiban and ferroid over gRPC. They use HTTP/2 directly, as the other clients use
//! their sockets. tonic's client takes more CPU time than either server, so a benchmark would
//! measure the client.

use crate::failure::Failure;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use futures_util::future::try_join_all;
use h2::RecvStream;
use h2::client::{Builder, SendRequest};
use http::{HeaderMap, Method, Request, Uri, Version};
use prost::Message;
use std::net::SocketAddr;
use tokio::net::TcpStream;

/// The flow-control windows of a stream and of a connection, as in hyper's and tonic's clients.
const STREAM_WINDOW: u32 = 2 << 20;
const CONNECTION_WINDOW: u32 = 5 << 20;

/// The length of a message's prefix: a compression flag and the message's length.
const PREFIX: usize = 5;

/// A connection and the one method that is called on it.
#[derive(Clone)]
struct Caller {
    sender: SendRequest<Bytes>,
    uri: Uri,
}

impl Caller {
    async fn connect(address: SocketAddr, path: &str) -> Result<Self, Failure> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        let mut builder = Builder::new();
        builder.initial_window_size(STREAM_WINDOW).initial_connection_window_size(CONNECTION_WINDOW);
        let (sender, connection) = builder.handshake(socket).await?;
        // The task ends with the last caller; the calls report its errors.
        tokio::spawn(connection);
        Ok(Caller { sender, uri: format!("http://{address}{path}").parse()? })
    }

    /// Makes a call, and passes on each message of the response.
    async fn call<T: Message + Default>(
        &self,
        asked: &impl Message,
        mut take: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(self.uri.clone())
            .version(Version::HTTP_2)
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .body(())?;
        let mut message = BytesMut::with_capacity(PREFIX + asked.encoded_len());
        message.put_u8(0);
        message.put_u32(asked.encoded_len().try_into()?);
        asked.encode(&mut message)?;
        let mut sender = self.sender.clone().ready().await?;
        let (answer, mut body) = sender.send_request(request, false)?;
        body.send_data(message.freeze(), true)?;
        let (head, mut body) = answer.await?.into_parts();
        let mut unread = BytesMut::new();
        while let Some(data) = body.data().await {
            let data = data?;
            body.flow_control().release_capacity(data.len())?;
            unread.extend_from_slice(&data);
            while let Some(message) = first(&mut unread)? {
                take(T::decode(message)?)?;
            }
        }
        if !unread.is_empty() {
            return Err(format!("{} bytes after the last message", unread.len()).into());
        }
        check_status(&head.headers, &mut body).await
    }
}

/// Returns the first message, once it is complete.
fn first(unread: &mut BytesMut) -> Result<Option<BytesMut>, Failure> {
    let Some((&[is_compressed, length @ ..], _)) = unread.split_first_chunk::<PREFIX>() else { return Ok(None) };
    if is_compressed != 0 {
        return Err("a compressed message, which was not asked for".into());
    }
    let length = u32::from_be_bytes(length) as usize;
    if unread.len() < PREFIX + length {
        return Ok(None);
    }
    unread.advance(PREFIX);
    Ok(Some(unread.split_to(length)))
}

/// A failed call reports its status after the messages, or in the head if there are none.
async fn check_status(head: &HeaderMap, body: &mut RecvStream) -> Result<(), Failure> {
    let behind = body.trailers().await?.unwrap_or_default();
    let told = |name| behind.get(name).or_else(|| head.get(name));
    match told("grpc-status") {
        Some(status) if status == "0" => Ok(()),
        status => Err(format!("status {status:?}: {:?}", told("grpc-message")).into()),
    }
}

/// The messages of service/proto that this client uses. The generated code would need tonic.
#[derive(Clone, PartialEq, Message)]
struct GenerateRequest {
    #[prost(string, tag = "1")]
    scheme: String,
    #[prost(uint32, tag = "2")]
    count: u32,
}

#[derive(Clone, PartialEq, Message)]
struct StreamRequest {
    #[prost(string, tag = "1")]
    scheme: String,
    #[prost(uint64, tag = "2")]
    count: u64,
    #[prost(uint32, tag = "3")]
    batch: u32,
}

#[derive(Clone, PartialEq, Message)]
struct GenerateResponse {
    #[prost(sfixed64, repeated, tag = "1")]
    ids: Vec<i64>,
}

pub struct Saiban {
    generate: Caller,
    stream: Caller,
}

impl Saiban {
    pub async fn connect(address: SocketAddr) -> Result<Self, Failure> {
        let generate = Caller::connect(address, "/saiban_id.v1.IdsService/Generate").await?;
        let uri = format!("http://{address}/saiban_id.v1.IdsService/Stream").parse()?;
        let stream = Caller { uri, ..generate.clone() };
        Ok(Saiban { generate, stream })
    }

    pub async fn generate(&mut self, count: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        generate(&self.generate, count, ids).await
    }

    /// Makes this many concurrent calls for one ID each.
    pub async fn pipeline(&mut self, calls: usize, ids: &mut Vec<i64>) -> Result<(), Failure> {
        let call = |_| async {
            let mut id = Vec::with_capacity(1);
            generate(&self.generate, 1, &mut id).await?;
            Ok::<_, Failure>(id)
        };
        ids.extend(try_join_all((0..calls).map(call)).await?.into_iter().flatten());
        Ok(())
    }

    pub async fn stream(&mut self, count: u64, batch: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        let before = ids.len();
        let request = StreamRequest { scheme: "orders".into(), count, batch };
        let take = |answer: GenerateResponse| {
            ids.extend_from_slice(&answer.ids);
            Ok(())
        };
        self.stream.call(&request, take).await?;
        whole(before, count, ids)
    }
}

async fn generate(caller: &Caller, count: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
    let before = ids.len();
    let request = GenerateRequest { scheme: "orders".into(), count };
    let take = |answer: GenerateResponse| {
        ids.extend_from_slice(&answer.ids);
        Ok(())
    };
    caller.call(&request, take).await?;
    whole(before, count.into(), ids)
}

/// ferroid's own crate of messages needs protoc; this client uses only two messages.
#[derive(Clone, PartialEq, Message)]
struct StreamIdsRequest {
    #[prost(uint64, tag = "1")]
    count: u64,
}

#[derive(Clone, PartialEq, Message)]
struct IdChunk {
    #[prost(bytes = "bytes", tag = "1")]
    packed_ids: Bytes,
}

pub struct Ferroid(Caller);

impl Ferroid {
    pub async fn connect(address: SocketAddr) -> Result<Self, Failure> {
        Ok(Ferroid(Caller::connect(address, "/ferroid.IdGenerator/StreamIds").await?))
    }

    pub async fn generate(&mut self, count: u64, ids: &mut Vec<i64>) -> Result<(), Failure> {
        let before = ids.len();
        let take = |chunk: IdChunk| {
            ids.extend(chunk.packed_ids.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)));
            Ok(())
        };
        self.0.call(&StreamIdsRequest { count }, take).await?;
        whole(before, count, ids)
    }
}

fn whole(before: usize, count: u64, ids: &[i64]) -> Result<(), Failure> {
    let made = (ids.len() - before) as u64;
    if made == count { Ok(()) } else { Err(format!("{made} of {count} IDs").into()) }
}
