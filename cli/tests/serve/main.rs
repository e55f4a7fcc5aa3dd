//! `saiban serve` against its contract: permissions, the responses of both protocols, and invalid
//! requests.

#![cfg(feature = "serve")]

mod agree;
mod auth;
mod configuration;
mod document;
mod fuzz;
mod fuzz_grpc;
mod grpc;
mod host;
mod http;
mod instance;
mod leases;
mod limits;
mod reload;
mod secrets;
mod tls;
mod trust;

/// Schemes of every kind; `{folder}` is replaced by the folder of their files.
const SCHEMES: &str = r#"
[schemes.snowflake]
scheme = "snowflake"
[schemes.randflake]
scheme = "randflake"
secret_file = "{folder}/secret"
nodes = 64
[schemes.ulid-flake]
scheme = "ulid-flake"
[schemes.tsid]
scheme = "tsid"
[schemes.flake]
scheme = "flake"
layout = "unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12"
[schemes.wide]
scheme = "flake"
layout = "timestamp:48 node:16 sequence:16 random:48"
[schemes.free]
scheme = "flake"
layout = "timestamp:48 random:80"
[schemes.ulid]
scheme = "ulid"
[schemes.uuid-v1]
scheme = "uuid-v1"
[schemes.uuid-v4]
scheme = "uuid-v4"
[schemes.uuid-v7]
scheme = "uuid-v7"
[schemes.objectid]
scheme = "objectid"
[schemes.tick-id]
scheme = "tick-id"
[schemes.xid]
scheme = "xid"
[schemes.customers]
scheme = "uuid-v7"
prefix = "customer"
"#;

const NAMES: [&str; 15] = [
    "snowflake",
    "randflake",
    "ulid-flake",
    "tsid",
    "flake",
    "wide",
    "free",
    "ulid",
    "uuid-v1",
    "uuid-v4",
    "uuid-v7",
    "objectid",
    "tick-id",
    "xid",
    "customers",
];

/// Paths of gRPC methods.
const STREAM: &str = "/saiban_id.v1.IdsService/Stream";
const LIST: &str = "/saiban_id.v1.LeasesService/List";
const SCHEMES_CALL: &str = "/saiban_id.v1.IdsService/ListSchemes";

/// The secret of the Randflake scheme.
const SECRET: &str = "dffd6021bb2bd5b0af676290809ec3a5";

/// Starts an instance with schemes of every kind, after this configuration.
fn every_scheme(before: &str) -> (instance::Instance, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("secret"), SECRET).expect("a file");
    let schemes = SCHEMES.replace("{folder}", &folder.path().display().to_string());
    let instance = instance::Instance::start_in(folder.path(), "instance", &format!("{before}\n{schemes}"));
    instance.wait_until_ready();
    (instance, folder)
}
