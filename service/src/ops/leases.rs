//! Leases of other programs.

use crate::auth::{Access, Scope};
use crate::metrics::Operation;
use crate::problem::{Code, Problem};
use crate::service::Service;
use saiban::{Clock, ErrorKind, SystemClock};
use saiban_coordination::Error;
use saiban_coordination::lease::protocol::{Grant, Release, Renew, check_request};
use saiban_coordination::lease::{Namespace, Terms};
use saiban_coordination::store::wire::{self, AcquireBody, IdsOf};
use saiban_coordination::store::{Listing, Store};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;

/// The difference between the clocks of service and store that the checks of lease times tolerate,
/// in microseconds.
const MAX_SKEW_US: i64 = 60_000_000;

impl Service {
    /// Grants nodes to another program.
    pub(crate) async fn lease_acquire(
        &self,
        access: &Access,
        namespace: &str,
        body: AcquireBody,
    ) -> Result<Grant, Problem> {
        self.check_leases(access, Scope::Lease, namespace)?;
        let (ids, request) = body.into_request()?;
        self.check_times(access, namespace, request.ttl_us, request.seen.as_ref().map(|seen| seen.end_us)).await?;
        let fingerprint = match ids {
            IdsOf::Fingerprint(fingerprint) => fingerprint,
            IdsOf::Scheme(name) => {
                // Checks the request first, so that an invalid one gets the same error in any
                // namespace. For requests with a fingerprint, the store does this.
                check_request(request.nodes, request.ttl_us)?;
                self.fingerprint(access, &name, namespace)?
            }
        };
        let (holder, nodes) = (request.holder.clone(), request.nodes);
        let granted =
            self.ask(namespace, move |store, name| async move { store.acquire(&name, &fingerprint, &request).await });
        let grant = granted.await?;
        self.observed.leased_from(namespace);
        let (first, end) = (grant.key.nodes.start, grant.key.nodes.end);
        if let Some(left_out) = self.logged.done(Operation::LeaseAcquire) {
            tracing::info!(namespace, by = access.name(), holder, nodes, first, end, left_out, "granted a lease");
        }
        Ok(grant)
    }

    /// Extends a lease.
    pub(crate) async fn lease_renew(&self, access: &Access, namespace: &str, request: Renew) -> Result<Grant, Problem> {
        self.check_leases(access, Scope::Lease, namespace)?;
        self.check_times(access, namespace, request.ttl_us, Some(request.seen.end_us)).await?;
        self.ask(namespace, move |store, name| async move { store.renew(&name, &request).await }).await
    }

    /// Releases the nodes of a lease.
    pub(crate) async fn lease_release(
        &self,
        access: &Access,
        namespace: &str,
        request: Release,
    ) -> Result<(), Problem> {
        self.check_leases(access, Scope::Lease, namespace)?;
        self.check_times(access, namespace, 0, Some(request.high_water_us)).await?;
        let (first, end) = (request.key.nodes.start, request.key.nodes.end);
        self.ask(namespace, move |store, name| async move { store.release(&name, &request).await }).await?;
        if let Some(left_out) = self.logged.done(Operation::LeaseRelease) {
            tracing::info!(namespace, by = access.name(), first, end, left_out, "took nodes back");
        }
        Ok(())
    }

    /// Lists the slots of a namespace. The flag is whether the caller may see the tokens of the
    /// leases, with which anyone can renew or release them.
    pub(crate) async fn lease_list(&self, access: &Access, namespace: &str) -> Result<(Listing, bool), Problem> {
        self.check_leases(access, Scope::Lease, namespace)?;
        let listing = self.ask(namespace, |store, name| async move { store.list(&name).await }).await?;
        Ok((listing, access.has(Scope::Admin)))
    }

    /// Lists the slots of a namespace for the service itself. It does not wait for requests of
    /// other programs.
    pub(crate) async fn listing(&self, namespace: &str) -> Result<Listing, Problem> {
        let (store, name) = (Arc::clone(&self.own_store), namespace.to_owned());
        let listed = answered(namespace, tokio::spawn(async move { store.list(&name).await })).await;
        let ahead_us = listed.as_ref().ok().map(|listing| {
            let now_us = SystemClock.now_ns().map_or(0, |ns| i64::try_from(ns / 1_000).unwrap_or(i64::MAX));
            now_us.saturating_sub(listing.now_us)
        });
        // "No such namespace" is a response too, so the store is up.
        let is_down = matches!(&listed, Err(problem) if problem.code() == Code::Kind(ErrorKind::StoreUnavailable));
        self.metrics.report_store(!is_down, ahead_us);
        listed
    }

    /// Creates a namespace.
    pub(crate) async fn lease_create(&self, access: &Access, terms: Terms) -> Result<Namespace, Problem> {
        let may_create = self.settings().config.leases.create.unwrap_or(self.store_url.kind() == "sqlite");
        let name = terms.name().to_owned();
        // If it were created for other IDs, the scheme would get no nodes at its next start.
        let is_own = self.schemes.values().any(|scheme| scheme.namespace() == Some(name.as_str()));
        let scope = if may_create && !is_own { Scope::Lease } else { Scope::Admin };
        self.check_leases(access, scope, &name)?;
        let made = self.ask(&name, move |store, _| async move { store.create(&terms).await }).await?;
        tracing::info!(namespace = name, by = access.name(), fingerprint = made.fingerprint, "made a namespace");
        Ok(made)
    }

    /// Quarantines a namespace: the store grants nothing until every lease that it may have lost
    /// has ended. Returns that time, in Unix microseconds.
    pub(crate) async fn lease_quarantine(&self, access: &Access, namespace: &str) -> Result<i64, Problem> {
        self.check_leases(access, Scope::Admin, namespace)?;
        let until_us = self.ask(namespace, |store, name| async move { store.quarantine(&name).await }).await?;
        tracing::warn!(namespace, by = access.name(), until_us, "in quarantine");
        Ok(until_us)
    }

    fn check_leases(&self, access: &Access, scope: Scope, namespace: &str) -> Result<(), Problem> {
        access.check_namespace(scope, namespace)?;
        if !self.settings().config.leases.enabled {
            let what = "this service leases no nodes to others (leases.enabled is false): use one that does, or the \
                        store itself";
            return Err(Problem::new(Code::PermissionDenied, what));
        }
        Ok(wire::check_name(namespace)?)
    }

    /// Refuses times after those of any lease of other programs, unless the caller is an admin.
    ///
    /// A holder may claim a lease that the store has lost, or report until when it used its nodes.
    /// A claim far in the future would block these nodes for that time. Up to `leases.max_ttl_s`, a
    /// claim does no more than any holder may do.
    async fn check_times(
        &self,
        access: &Access,
        namespace: &str,
        ttl_us: i64,
        end_us: Option<i64>,
    ) -> Result<(), Problem> {
        if access.has(Scope::Admin) {
            return Ok(());
        }
        let max_ttl_s = self.settings().config.leases.max_ttl_s;
        let max_ttl_us = max_ttl_s * 1_000_000;
        if ttl_us > max_ttl_us {
            let what = format!("ttl_us is {ttl_us}: ask for at most {max_ttl_us}, {max_ttl_s} s (leases.max_ttl_s)");
            return Err(Problem::input(what));
        }
        let is_late = |now_us: i64| {
            let latest_us = now_us.saturating_add(max_ttl_us).saturating_add(MAX_SKEW_US);
            end_us.filter(|end_us| *end_us > latest_us)
        };
        // The times of leases are by the store's clock, and this clock may be wrong. The store's
        // clock decides, but it is asked only if this clock suggests a refusal, which is rare.
        if is_late(i64::try_from(SystemClock.now_ns()? / 1_000).unwrap_or(i64::MAX)).is_none() {
            return Ok(());
        }
        let listing = self.ask(namespace, |store, name| async move { store.list(&name).await }).await?;
        match is_late(listing.now_us) {
            None => Ok(()),
            Some(end_us) => Err(Problem::input(format!(
                "{end_us} µs is later than any lease of this service ends, {max_ttl_s} s from now at most \
                 (leases.max_ttl_s): say what was granted"
            ))),
        }
    }

    /// Returns the fingerprint of the scheme `name`. Its nodes are leased in its own namespace
    /// only, because another namespace does not know which of them are in use.
    fn fingerprint(&self, access: &Access, name: &str, namespace: &str) -> Result<String, Problem> {
        access.check_known(name)?;
        let scheme = self.schemes.get(name).filter(|scheme| scheme.is_leased());
        if let Some(own) = scheme.and_then(|scheme| scheme.namespace()).filter(|own| *own != namespace) {
            let what = format!(
                "the nodes of {name:?} are leased from the namespace {own:?}, and of {namespace:?} some could be the \
                 same: use that namespace, or give a fingerprint in place of the scheme, for IDs of another column"
            );
            return Err(Problem::new(Code::Kind(ErrorKind::NamespaceMismatch), what));
        }
        scheme.map(|scheme| scheme.fingerprint().to_owned()).ok_or_else(|| {
            let what = format!(
                "no scheme with nodes is named {name:?} here: name one that is configured, or give a fingerprint"
            );
            Problem::new(Code::UnknownScheme, what)
        })
    }

    /// Calls the store. The call continues if the client disconnects.
    async fn ask<T, F>(&self, namespace: &str, ask: impl FnOnce(Arc<dyn Store>, String) -> F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let turn = self.turn().await?;
        let asked = ask(Arc::clone(&self.store), namespace.to_owned());
        // The permit is held until the store responds, even if the client does not wait so long.
        let asked = tokio::spawn(async move {
            let _turn = turn;
            asked.await
        });
        answered(namespace, asked).await
    }

    /// Waits for a permit to call the store. At most a quarter of `limits.max_in_flight` requests
    /// may wait, so that the others can generate IDs, for which no store is needed.
    ///
    /// # Errors
    /// `OVERLOADED`: too many requests wait.
    async fn turn(&self) -> Result<Option<OwnedSemaphorePermit>, Problem> {
        let _waiting = Waiting::new(&self.lease_waiting);
        let most = self.limits().max_in_flight.div_ceil(4);
        if self.lease_waiting.load(Ordering::Relaxed) > most {
            self.metrics.overloaded.inc();
            let what =
                format!("{most} lease requests already wait for the store: try again in a second, or another instance");
            return Err(Problem::new(Code::Overloaded, what));
        }
        // The semaphore is never closed.
        Ok(Arc::clone(&self.lease_calls).acquire_owned().await.ok())
    }
}

/// Waits for the response of the store.
async fn answered<T>(namespace: &str, asked: JoinHandle<Result<T, Error>>) -> Result<T, Problem> {
    match asked.await {
        Ok(answer) => Ok(answer?),
        Err(error) => {
            tracing::error!(namespace, "the request to the store failed: {error}");
            Err(Problem::new(Code::Kind(ErrorKind::Internal), "the request to the store failed: see the service's log"))
        }
    }
}

/// Counts a waiting request, until it is dropped.
struct Waiting<'s>(&'s AtomicUsize);

impl<'s> Waiting<'s> {
    fn new(waiting: &'s AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
