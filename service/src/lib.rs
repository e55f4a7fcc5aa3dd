//! IDs and node leases over the network: what `saiban serve` runs.
//!
//! One port, two protocols. HTTP with JSON and gRPC are thin: what can be asked stands once, in `ops`, over the schemes of `scheme` and a store of
//! leases. `server` has connections and their limits, `auth` who may do what.

#![forbid(unsafe_code)]

mod auth;
mod caller;
mod config;
pub mod grpc;
mod http;
mod log;
mod metrics;
mod observe;
mod ops;
pub mod page;
mod places;
mod problem;
mod run;
mod scheme;
mod server;
mod service;
mod settings;

pub use self::http::OPENAPI;
pub use auth::Scope;
pub use config::{
    Config, ConfigError, LeasesConfig, Limits, LogConfig, LogFormat, LogLevel, SchemeConfig, TlsConfig, TokenConfig,
};
pub use problem::{Code, Problem};
pub use run::{Loaded, RunError, run};
pub use scheme::ComposeParts;
pub use service::Service;
