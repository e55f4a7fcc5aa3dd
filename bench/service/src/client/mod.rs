//! One client for each protocol. Each has its own connection, requests a number of IDs, and returns
//! them as numbers.

mod grpc;
mod http;
mod redis;
mod wire;

use crate::failure::Failure;
use std::net::SocketAddr;

pub use redis::load_script;

/// The servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    Saiban,
    Ferroid,
    FerroidOfMany,
    Redis,
}

/// The protocols and commands to request IDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// HTTP/1.1, with JSON responses.
    Json,
    /// HTTP/1.1, with binary responses.
    Binary,
    Grpc,
    /// ferroid's only call: a stream of as many IDs as requested.
    Ferroid,
    Incr,
    /// The script that `saiban lua` prints.
    Script,
}

pub enum Client {
    Http(http::Http),
    Saiban(grpc::Saiban),
    Ferroid(grpc::Ferroid),
    Redis(redis::Redis),
}

impl Client {
    /// Connects. `script` is the hash of the script.
    pub async fn connect(way: Way, address: SocketAddr, script: &str) -> Result<Self, Failure> {
        Ok(match way {
            Way::Json | Way::Binary => Client::Http(http::Http::connect(address, way == Way::Binary).await?),
            Way::Grpc => Client::Saiban(grpc::Saiban::connect(address).await?),
            Way::Ferroid => Client::Ferroid(grpc::Ferroid::connect(address).await?),
            Way::Incr => Client::Redis(redis::Redis::connect(address, None).await?),
            Way::Script => Client::Redis(redis::Redis::connect(address, Some(script)).await?),
        })
    }

    /// Requests this many IDs in one request and appends them to `ids`. Redis needs more requests:
    /// INCR makes one ID, and the script at most 4096.
    pub async fn generate(&mut self, count: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        match self {
            Client::Http(client) => client.generate(count, ids).await,
            Client::Saiban(client) => client.generate(count, ids).await,
            Client::Ferroid(client) => client.generate(count.into(), ids).await,
            Client::Redis(client) => client.generate(count, ids).await,
        }
    }

    /// Writes this many requests for single IDs on its connection, before it reads the first
    /// response.
    pub async fn pipeline(&mut self, requests: usize, ids: &mut Vec<i64>) -> Result<(), Failure> {
        match self {
            Client::Http(client) => client.pipeline(requests, ids).await,
            Client::Saiban(client) => client.pipeline(requests, ids).await,
            Client::Redis(client) => client.pipeline(requests, ids).await,
            Client::Ferroid(_) => Err("ferroid is asked for streams".into()),
        }
    }

    /// Requests this many IDs in one stream, in batches of this size if the client can choose it.
    pub async fn stream(&mut self, count: u64, batch: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        match self {
            Client::Saiban(client) => client.stream(count, batch, ids).await,
            Client::Ferroid(client) => client.generate(count, ids).await,
            Client::Http(_) | Client::Redis(_) => Err("there are streams over gRPC only".into()),
        }
    }
}
