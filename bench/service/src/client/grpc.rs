//! saiban and ferroid over gRPC: tonic's client for both, as it is by default.

use crate::failure::Failure;
use bytes::Bytes;
use futures_util::future::try_join_all;
use proto::ids_client::IdsClient;
use proto::{GenerateRequest, StreamRequest};
use std::net::SocketAddr;
use tonic::Request;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::{Channel, Endpoint};
use tonic_prost::ProstCodec;

/// The service's own generated code.
#[allow(clippy::all, clippy::pedantic, dead_code)]
mod proto {
    include!("../../../../service/src/grpc/proto/saiban.v1.rs");
}

async fn channel(address: SocketAddr) -> Result<Channel, Failure> {
    Ok(Endpoint::from_shared(format!("http://{address}"))?.connect().await?)
}

pub struct Saiban {
    client: IdsClient<Channel>,
}

impl Saiban {
    pub async fn connect(address: SocketAddr) -> Result<Self, Failure> {
        Ok(Saiban { client: IdsClient::new(channel(address).await?) })
    }

    pub async fn generate(&mut self, count: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        let answer = self.client.generate(GenerateRequest { scheme: "orders".into(), count }).await?.into_inner();
        if answer.ids.len() != count as usize {
            return Err(format!("{} of {count} IDs", answer.ids.len()).into());
        }
        ids.extend_from_slice(&answer.ids);
        Ok(())
    }

    /// So many calls at once, for one ID each.
    pub async fn pipeline(&mut self, calls: usize, ids: &mut Vec<i64>) -> Result<(), Failure> {
        let call = |mut client: IdsClient<Channel>| async move {
            client.generate(GenerateRequest { scheme: "orders".into(), count: 1 }).await
        };
        for answer in try_join_all((0..calls).map(|_| call(self.client.clone()))).await? {
            ids.push(*answer.into_inner().ids.first().ok_or("no ID")?);
        }
        Ok(())
    }

    pub async fn stream(&mut self, count: u64, batch: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        let before = ids.len();
        let request = StreamRequest { scheme: "orders".into(), count, batch };
        let mut answers = self.client.stream(request).await?.into_inner();
        while let Some(answer) = answers.message().await? {
            ids.extend_from_slice(&answer.ids);
        }
        whole(before, count, ids)
    }
}

/// Its crate of messages compiles them by protoc, and they are two.
#[derive(Clone, PartialEq, prost::Message)]
struct StreamIdsRequest {
    #[prost(uint64, tag = "1")]
    count: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
struct IdChunk {
    #[prost(bytes = "bytes", tag = "1")]
    packed_ids: Bytes,
}

pub struct Ferroid {
    client: Grpc<Channel>,
}

impl Ferroid {
    pub async fn connect(address: SocketAddr) -> Result<Self, Failure> {
        Ok(Ferroid { client: Grpc::new(channel(address).await?) })
    }

    pub async fn generate(&mut self, count: u64, ids: &mut Vec<i64>) -> Result<(), Failure> {
        let before = ids.len();
        self.client.ready().await?;
        let codec = ProstCodec::<StreamIdsRequest, IdChunk>::default();
        let path = PathAndQuery::from_static("/ferroid.IdGenerator/StreamIds");
        let request = Request::new(StreamIdsRequest { count });
        let mut chunks = self.client.server_streaming(request, path, codec).await?.into_inner();
        while let Some(chunk) = chunks.message().await? {
            ids.extend(chunk.packed_ids.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)));
        }
        whole(before, count, ids)
    }
}

fn whole(before: usize, count: u64, ids: &[i64]) -> Result<(), Failure> {
    let made = (ids.len() - before) as u64;
    if made == count { Ok(()) } else { Err(format!("{made} of {count} IDs").into()) }
}
