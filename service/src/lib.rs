//! The server of `saiban serve`: IDs and node leases over HTTP and gRPC.
//!
//! One port serves both protocols. `http` and `grpc` only convert requests; `ops` implements them,
//! with the schemes of `scheme` and a store of leases. `server` handles connections and their
//! limits, and `auth` checks access.
//!
//! Programs load a [`Config`], and pass it to [`run()`].

#![forbid(unsafe_code)]

mod auth;
mod caller;
mod config;
pub mod grpc;
mod http;
mod in_flight;
mod log;
mod metrics;
mod observe;
mod observed;
mod ops;
pub mod page;
mod places;
mod problem;
mod reload;
mod run;
mod scheme;
mod server;
mod service;
mod settings;
mod signals;

pub use self::http::OPENAPI;
pub use auth::Scope;
pub use config::{
    Config, ConfigError, LeasesConfig, Limits, LogConfig, LogFormat, LogLevel, SchemeConfig, TlsConfig, TokenConfig,
};
pub use problem::{Code, Problem};
pub use run::{Loaded, RunError, run};
pub use service::Service;
