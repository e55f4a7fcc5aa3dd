//! Requests in flight. Each takes a place from its start until its response is sent.
//!
//! `server` begins a request here before it dispatches it.

use crate::places::Quota;
use crate::problem::Problem;
use crate::service::Service;
use std::sync::Arc;

impl Service {
    /// Begins a request, which takes a place.
    ///
    /// # Errors
    /// `OVERLOADED`: all places for this kind of request are taken.
    pub(crate) fn begin(self: &Arc<Self>, quota: Quota) -> Result<InFlight, Problem> {
        let limit = self.limits().max_in_flight;
        let has_place = self.places.take(quota, limit);
        let request = InFlight { service: Arc::clone(self), quota };
        if quota.is_counted() {
            self.metrics.in_flight.inc();
        }
        if has_place {
            return Ok(request);
        }
        self.metrics.overloaded.inc();
        Err(quota.overloaded(limit))
    }

    /// Returns the number of requests in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.places.in_flight()
    }
}

/// A request in flight. Dropping it frees its place.
pub(crate) struct InFlight {
    service: Arc<Service>,
    quota: Quota,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.service.places.leave(self.quota);
        if self.quota.is_counted() {
            self.service.metrics.in_flight.dec();
        }
    }
}
