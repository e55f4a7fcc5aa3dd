//! The call `Stream`: batches of IDs, one after another, as fast as the client reads them.

use super::access;
use super::proto::{StreamRequest, StreamResponse};
use crate::auth::{Access, Scope};
use crate::metrics::{Operation, Protocol};
use crate::problem::Problem;
use crate::service::Service;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;
use tokio_stream::Stream;
use tonic::{Request, Status};

/// The default size of a batch, in IDs.
const BATCH: usize = 4_096;

/// A stream of batches. Each batch is generated when HTTP/2 polls for it, which it does only as
/// fast as the client reads.
pub(super) type Batches = Pin<Box<dyn Stream<Item = Result<StreamResponse, Status>> + Send>>;

pub(super) fn begin(service: &Arc<Service>, request: &Request<StreamRequest>) -> Result<Batches, Problem> {
    let access = access(request).map_err(|_| Problem::input("no caller"))?;
    let StreamRequest { scheme, count, batch } = request.get_ref().clone();
    service.scheme(&access, Scope::Generate, &scheme)?.ids()?;
    let batch = if batch == 0 { BATCH.min(service.limits().max_batch) } else { batch as usize };
    service.check_count(batch)?;
    let left = if count == 0 { u64::MAX } else { count };
    let service = Arc::clone(service);
    let making = Making { service, access, scheme, batch, left, began: Instant::now(), failure: None };
    Ok(Box::pin(futures_util::stream::unfold(making, Making::next)))
}

/// The state of an open stream.
struct Making {
    service: Arc<Service>,
    access: Arc<Access>,
    scheme: String,
    batch: usize,
    left: u64,
    began: Instant,
    failure: Option<Problem>,
}

impl Making {
    async fn next(mut self) -> Option<(Result<StreamResponse, Status>, Self)> {
        if self.left == 0 || self.failure.is_some() {
            return None;
        }
        let count = self.left.min(self.batch as u64) as usize;
        let made = match self.make(count).await {
            Ok(batch) => {
                self.left -= count as u64;
                Ok(batch)
            }
            Err(problem) => {
                self.failure = Some(problem.clone());
                Err(problem.into())
            }
        };
        Some((made, self))
    }

    async fn make(&self, count: usize) -> Result<StreamResponse, Problem> {
        // A stream must not outlast the token that started it.
        self.access.check_end()?;
        let scheme = self.service.scheme(&self.access, Scope::Generate, &self.scheme)?;
        Ok(self.service.make(scheme, count).await?.into())
    }
}

impl Drop for Making {
    /// Counts the stream as a request. A client that stops reading early counts as success.
    fn drop(&mut self) {
        self.service.answered(Operation::Stream, Protocol::Grpc, self.failure.as_ref(), self.began);
    }
}
