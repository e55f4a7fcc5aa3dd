//! The OpenAPI document, `openapi.json`.

use crate::config::Limits;
use crate::ops::MAX_INSPECTED;

/// The OpenAPI document of the HTTP API, with the default limits.
pub const OPENAPI: &str = include_str!("../../openapi.json");

/// Returns the OpenAPI document with the limits of this instance.
pub(crate) fn openapi(limits: &Limits) -> String {
    let batch = limits.max_batch;
    let inspected = batch.min(MAX_INSPECTED);
    OPENAPI
        .replace("\"maximum\": 10000,", &format!("\"maximum\": {batch},"))
        .replace("\"maxItems\": 10000\n", &format!("\"maxItems\": {batch}\n"))
        .replace("\"maxItems\": 256\n", &format!("\"maxItems\": {inspected}\n"))
}
