//! The rows of the tables.

use crate::client::{Service, Way};

/// A row: the server and the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: &'static str,
    pub service: Service,
    pub way: Way,
    pub is_pipelined: bool,
}

const fn row(name: &'static str, service: Service, way: Way, is_pipelined: bool) -> Row {
    Row { name, service, way, is_pipelined }
}

pub const HTTP: Row = row("saiban, HTTP/1.1", Service::Saiban, Way::Json, false);
pub const BINARY: Row = row("saiban, HTTP/1.1, bytes", Service::Saiban, Way::Binary, false);
pub const GRPC: Row = row("saiban, gRPC", Service::Saiban, Way::Grpc, false);
pub const FERROID: Row = row("ferroid, as it is", Service::Ferroid, Way::Ferroid, false);
pub const FERROID_OF_MANY: Row = row("ferroid, 16 workers", Service::FerroidOfMany, Way::Ferroid, false);
pub const INCR: Row = row("Redis, INCR", Service::Redis, Way::Incr, false);
pub const SCRIPT: Row = row("Redis, script", Service::Redis, Way::Script, false);
pub const HTTP_PIPELINED: Row = row("saiban, HTTP/1.1, 16 at once", Service::Saiban, Way::Json, true);
pub const GRPC_PIPELINED: Row = row("saiban, gRPC, 16 at once", Service::Saiban, Way::Grpc, true);
pub const INCR_PIPELINED: Row = row("Redis, INCR, 16 at once", Service::Redis, Way::Incr, true);
pub const SCRIPT_PIPELINED: Row = row("Redis, script, 16 at once", Service::Redis, Way::Script, true);

pub const SINGLES: [Row; 10] = [
    HTTP,
    GRPC,
    FERROID,
    FERROID_OF_MANY,
    INCR,
    SCRIPT,
    HTTP_PIPELINED,
    GRPC_PIPELINED,
    INCR_PIPELINED,
    SCRIPT_PIPELINED,
];
pub const AWAKE: [Row; 6] = [HTTP, GRPC, FERROID, FERROID_OF_MANY, INCR, SCRIPT];
pub const PACED: [Row; 6] = [HTTP, GRPC, FERROID, FERROID_OF_MANY, INCR, SCRIPT];
pub const BATCHED: [Row; 6] = [HTTP, BINARY, GRPC, FERROID, FERROID_OF_MANY, SCRIPT];
pub const STREAMED: [Row; 3] = [GRPC, FERROID, FERROID_OF_MANY];
