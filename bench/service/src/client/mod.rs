//! One client for each protocol. Each has its own connection, requests this many IDs, and returns
//! their numbers.

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

/// The ways to ask them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// HTTP/1.1, with JSON responses.
    Json,
    /// HTTP/1.1, with binary responses.
    Binary,
    Grpc,
    /// Ferroid's only call: a stream of as many as are wanted.
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

    /// Asks for this many IDs in one request and puts them behind the others. (Of Redis: INCR gives
    /// one; the script, which gives 4096 at most, is called as often as it takes.)
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

    /// Takes this many IDs from one stream, in batches of this many where the client chooses.
    pub async fn stream(&mut self, count: u64, batch: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        match self {
            Client::Saiban(client) => client.stream(count, batch, ids).await,
            Client::Ferroid(client) => client.generate(count, ids).await,
            Client::Http(_) | Client::Redis(_) => Err("there are streams over gRPC only".into()),
        }
    }
}
