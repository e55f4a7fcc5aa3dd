//! Measures every request, and logs failures. `http`, `grpc` and `server` report each request here.

use crate::auth::Reason;
use crate::caller::Caller;
use crate::metrics::{Operation, Protocol};
use crate::problem::{Code, Problem};
use crate::service::Service;
use http::StatusCode;
use std::future::Future;
use std::time::Instant;

/// The maximum length of a path in logs, in characters. Clients choose paths.
const MAX_PATH: usize = 100;

impl Service {
    /// Runs `work`, and counts its result.
    pub(crate) async fn measure<T>(
        &self,
        operation: Operation,
        protocol: Protocol,
        work: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        let began = Instant::now();
        let done = work.await;
        self.answered(operation, protocol, done.as_ref().err(), began);
        done
    }

    /// Counts a denied request, and logs it unless too many were logged. Every client can cause
    /// these lines.
    pub(crate) fn denied(&self, reason: Reason, caller: &Caller, path: &str) {
        self.metrics.denied(reason);
        if let Some(left_out) = self.logged.denied(reason) {
            let path: String = path.chars().take(MAX_PATH).collect();
            let forwarded = caller.forwarded.map(tracing::field::display);
            tracing::info!(reason = reason.name(), peer = %caller.peer, forwarded, path, left_out, "denied");
        }
    }

    /// Counts a request by its result, and logs failures of the service or of its dependencies.
    pub(crate) fn answered(&self, operation: Operation, protocol: Protocol, problem: Option<&Problem>, began: Instant) {
        let code = problem.map(|problem| problem.code().name());
        self.metrics.answered(operation, protocol, code, began.elapsed());
        let Some(problem) = problem else { return };
        let status = problem.code().status();
        let is_own = status == StatusCode::INTERNAL_SERVER_ERROR;
        let is_graver = is_own || status == StatusCode::SERVICE_UNAVAILABLE && problem.code() != Code::Overloaded;
        let due = is_graver.then(|| self.logged.failed(operation, is_own)).flatten();
        let (operation, code, message) = (operation.name(), problem.code().name(), problem.message());
        match due {
            Some(left_out) if is_own => tracing::error!(operation, code, left_out, "{message}"),
            Some(left_out) => tracing::warn!(operation, code, left_out, "{message}"),
            // Mistakes of clients are theirs to fix, and their lines could fill a disk.
            None => tracing::debug!(operation, code, "{message}"),
        }
    }
}
