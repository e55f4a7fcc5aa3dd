//! A generator whose IDs a service makes, with its status.

use super::form::{Form, Reader, Width};
use super::options::{Limits, RemoteOptions};
use super::service::{Service, late, would_wait};
use super::supply::Supply;
use crate::Error;
use crate::lease::Issuer;
use crate::pool::{Pool, PoolStatus, ProcessPool, Size};
use crate::store::StoreUrl;
use arc_swap::Guard;
use saiban::generator::MAX_AT_ONCE;
use saiban::scheme::GeneratorOption;
use saiban::{Attempt, ComposeParts, Error as CoreError, ErrorKind, Generator, Parts, Stats};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// When to check again whether IDs have arrived.
const SOON: Duration = Duration::from_millis(1);

/// The status of a remote generator in this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteStatus {
    /// How many IDs are prefetched: they would be lost if the process ended now.
    pub prefetched: u64,
    /// How many IDs were dropped, because they became too old before they were needed.
    pub dropped: u64,
    /// How many requests for IDs were sent to the service.
    pub calls: u64,
    /// The error of the last request, if it failed.
    pub why: Option<Error>,
}

/// The parameters of a generator, with which each process opens its pool.
struct Opening {
    url: StoreUrl,
    name: String,
    form: Form,
    limits: Limits,
}

impl Opening {
    fn pool<I: Width>(&self) -> Result<Arc<Pool<Supply<I>>>, Error> {
        let service = Service::new(&self.url, &self.name)?;
        let sizes = Size::Fixed(self.limits.block);
        Ok(Pool::new(Supply::new(service, self.form.clone(), self.limits), sizes, None))
    }
}

/// A generator whose IDs a service makes (`saiban serve`).
///
/// IDs are fetched in blocks, the next one when half of a block is used: a prefetched ID costs no
/// round trip. IDs of up to 64 bits need a `RemoteGenerator<i64>`, wider ones a
/// `RemoteGenerator<u128>`; [`AnyRemote`](super::AnyRemote) has the width that the service's IDs
/// have.
///
/// IDs that are not used within `max_age_ms` are dropped, so that no ID has a time long past. A
/// process that ends leaves its prefetched IDs unused.
///
/// A forked child uses none of its parent's IDs, and fetches a block of its own. A machine that is
/// copied while it runs (a snapshot that runs twice) is not noticed: both copies hand out the
/// prefetched IDs. Start the program after the copy is made.
///
/// If the service's scheme changes while the generator is open, the generator returns
/// `NamespaceMismatch`, and hands out none of the new scheme's IDs.
///
/// The errors of its [`Generator`] are the core's, which cannot hold a service's message;
/// [`RemoteGenerator::explain`] returns that message. `stats` are those of this process's IDs, with
/// `rollbacks` 0, because the clock is the service's.
///
/// ```no_run
/// use saiban::Generator;
/// use saiban_coordination::{RemoteGenerator, RemoteOptions};
/// let ids = RemoteGenerator::<i64>::open("saiban://127.0.0.1:7609", "snowflake", &RemoteOptions::default())?;
/// let id = ids.generate().map_err(|error| ids.explain(error))?;
/// println!("{id} {:?}", ids.inspect(id)?.timestamp_ms);
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
#[allow(private_bounds, reason = "i64 and u128 are all that there are")]
pub struct RemoteGenerator<I: Width = i64> {
    opening: Opening,
    reader: Reader<I>,
    pool: ProcessPool<Supply<I>>,
    /// How long `generate` and `fill` wait, if it is not `wait_s`.
    default_max_wait: Option<Duration>,
}

#[allow(private_bounds, reason = "i64 and u128 are all that there are")]
impl<I: Width> RemoteGenerator<I> {
    /// Opens a generator for the scheme that the service at this URL has under this name.
    ///
    /// The URL is `saiban://[:TOKEN@]host[:7609][,host…]`, or `saibans://` for TLS with `ca=`,
    /// `cert=` and `key=` (files). In both, `token_file=` names a file with the token. The call
    /// requests the form of the IDs from the service, and waits for the reply.
    ///
    /// # Errors
    /// - `InvalidArgument` for an invalid URL or option, and for IDs of the other width.
    /// - `UnknownName` if the service does not have the scheme.
    /// - `StoreUnavailable` if the service did not reply within `wait_s`, or refuses this program.
    /// - `StoreUnsupported` for a scheme that this saiban does not know.
    pub fn open(url: &str, scheme: &str, options: &RemoteOptions) -> Result<Self, Error> {
        let limits = options.check()?;
        let url = StoreUrl::new(url)?;
        let form = Service::new(&url, scheme)?.form(limits.wait)?;
        if form.is_wide() != (I::BYTES == u128::BYTES) {
            let message =
                format!("the IDs of {scheme:?} have {} bits: up to 64 are an i64, and more a u128", form.bits);
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        Self::of(url, scheme, form, limits)
    }

    pub(super) fn of(url: StoreUrl, name: &str, form: Form, limits: Limits) -> Result<Self, Error> {
        let reader = Reader::of(&form)?;
        let opening = Opening { url, name: name.to_owned(), form, limits };
        let pool = ProcessPool::new(opening.pool()?);
        Ok(RemoteGenerator { opening, reader, pool, default_max_wait: None })
    }

    /// Returns the generator as an [`Issuer`], which explains its errors.
    #[must_use]
    pub fn issuer(self: Arc<Self>) -> Issuer<I> {
        let explaining = Arc::clone(&self);
        Issuer::of_service(Box::new(self), move |error| explaining.explain(error))
    }

    /// Limits how long `generate` and `fill` wait for each block. After that they return
    /// `WouldWait`.
    ///
    /// This is for callers that must not block. They wait with [`RemoteGenerator::take_many`] or
    /// `try_generate_within` instead.
    #[must_use]
    pub fn default_max_wait(mut self, wait: Duration) -> Self {
        self.default_max_wait = Some(wait.min(self.opening.limits.wait));
        self
    }

    /// Returns how long to wait for the service when no ID is prefetched.
    #[must_use]
    pub fn longest_wait(&self) -> Duration {
        self.opening.limits.wait
    }

    /// Returns `count` IDs, all or none. Waits for each block for up to `wait_s`.
    ///
    /// # Errors
    /// The service's error, or `StoreUnavailable`; `InvalidArgument` for more than 10 million.
    pub fn take_many(&self, count: usize) -> Result<Vec<I>, Error> {
        if count > MAX_AT_ONCE {
            let message = format!("so many IDs cannot be made at once: ask for 0 to {MAX_AT_ONCE} a call");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let mut ids = vec![I::default(); count];
        let mut filled = 0;
        while filled < count {
            filled += self.pool()?.fill(&mut ids[filled..], self.opening.limits.wait)?;
        }
        Ok(ids)
    }

    /// Returns the name under which the service has the scheme.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.opening.name
    }

    /// Returns the status of the generator in this process.
    ///
    /// # Errors
    /// In a forked child `InvalidArgument`, if files of the URL cannot be read any more.
    pub fn status(&self) -> Result<RemoteStatus, Error> {
        let PoolStatus { left, dropped, calls, why, .. } = self.pool()?.status();
        Ok(RemoteStatus { prefetched: left, dropped, calls, why })
    }

    /// Returns the meaning of an error of its `Generator`: the service's message, or why there was
    /// no reply.
    ///
    /// Never waits.
    pub fn explain(&self, error: CoreError) -> Error {
        let CoreError::OfMaker { kind } = error else { return error.into() };
        match self.pool() {
            Err(why) if why.kind() == kind => why,
            Ok(pool) => pool.status().why.filter(|why| why.kind() == kind).unwrap_or_else(|| match kind {
                ErrorKind::StoreUnavailable => late(self.opening.limits.wait),
                ErrorKind::WouldWait => would_wait(self.wait()),
                _ => error.into(),
            }),
            Err(_) => error.into(),
        }
    }

    /// Checks that the IDs are not encrypted. Only the service reads and composes encrypted IDs.
    fn check_has_no_secret(&self) -> Result<(), CoreError> {
        if self.scheme().takes(GeneratorOption::Secret) {
            let what = "encrypted IDs need their secret, which only the service has: ask it (POST /v1/schemes/…/inspect or …/compose)";
            return Err(CoreError::InvalidArgument { what });
        }
        Ok(())
    }

    fn wait(&self) -> Duration {
        self.default_max_wait.unwrap_or(self.opening.limits.wait)
    }

    #[inline]
    fn pool(&self) -> Result<Guard<Arc<Pool<Supply<I>>>>, Error> {
        self.pool.get(|_| self.opening.pool())
    }

    fn ask<T>(&self, ask: impl FnOnce(&Arc<Pool<Supply<I>>>) -> Result<T, Error>) -> Result<T, CoreError> {
        let answer = self.pool().and_then(|pool| ask(&pool));
        answer.map_err(|error| CoreError::OfMaker { kind: error.kind() })
    }
}

#[allow(private_bounds, reason = "i64 and u128 are all that there are")]
impl<I: Width> Generator for RemoteGenerator<I> {
    type Id = I;

    saiban::forward_generator! {
        |this| this.reader.ids; scheme bits encoding prefix layout range from_text_as to_text_as write
        write_into
    }

    /// Returns a prefetched ID. Without one, starts a fetch and returns at once.
    fn try_generate(&self) -> Result<Attempt<I>, CoreError> {
        let id = self.ask(Pool::take_or_order)?;
        Ok(id.map_or(Attempt::Wait(SOON), Attempt::Ready))
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<I>, CoreError> {
        match self.try_generate()? {
            Attempt::Wait(_) if left.is_zero() => Err(CoreError::OfMaker { kind: ErrorKind::StoreUnavailable }),
            Attempt::Wait(wait) => Ok(Attempt::Wait(wait.min(left))),
            ready => Ok(ready),
        }
    }

    fn generate(&self) -> Result<I, CoreError> {
        self.ask(|pool| pool.take(self.wait()))
    }

    fn fill(&self, ids: &mut [I]) -> Result<usize, CoreError> {
        self.ask(|pool| pool.fill(ids, self.wait()))
    }

    fn stats(&self) -> Result<Stats, CoreError> {
        let mut stats = self.reader.stats()?;
        (stats.issued, stats.waits) = self.ask(|pool| Ok(pool.counts()))?;
        stats.rollbacks = 0;
        Ok(stats)
    }

    fn compose(&self, parts: &ComposeParts) -> Result<I, CoreError> {
        self.check_has_no_secret()?;
        self.reader.ids.compose(parts)
    }

    /// Returns the parts of any ID of the scheme and layout. Fails for a Randflake, whose secret
    /// only the service has.
    fn inspect(&self, id: I) -> Result<Parts, CoreError> {
        self.check_has_no_secret()?;
        self.reader.ids.inspect(id)
    }
}

#[allow(private_bounds, reason = "i64 and u128 are all that there are")]
impl<I: Width> fmt::Debug for RemoteGenerator<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Opening { url, name, form, .. } = &self.opening;
        f.debug_struct("RemoteGenerator")
            .field("url", url)
            .field("name", name)
            .field("form", form)
            .finish_non_exhaustive()
    }
}
