//! A generator whose IDs a service makes, as its owner has it.

use super::desk::{Desk, InHand};
use super::form::{Form, Reader, Width};
use super::options::{Limits, RemoteOptions};
use super::service::{Service, late, would_wait};
use crate::Error;
use crate::store::StoreUrl;
use arc_swap::{ArcSwap, Guard};
use saiban::generator::MOST_AT_ONCE;
use saiban::{
    Attempt, Encoding, Error as CoreError, ErrorKind, Generator, IdValue, Layout, Leniency, Parts, Scheme, Stats, Text,
};
use std::fmt;
use std::mem;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

/// When to look again whether IDs have come.
const SOON: Duration = Duration::from_millis(1);

/// How a remote generator is doing in this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteStatus {
    /// How many IDs are in hand: they would never be used if the process ended now.
    pub in_hand: u64,
    /// How many IDs were dropped, because nobody wanted them before they were too old.
    pub dropped: u64,
    /// How often the service was asked for IDs.
    pub calls: u64,
    /// What went wrong when it was asked last, if anything did.
    pub why: Option<Error>,
}

/// What it is opened with, in each process anew.
struct Opening {
    url: StoreUrl,
    name: String,
    form: Form,
    limits: Limits,
}

impl Opening {
    fn desk<I: Width>(&self) -> Result<Arc<Desk<I>>, Error> {
        Ok(Desk::new(Service::new(&self.url, &self.name)?, self.form.clone(), self.limits))
    }
}

/// IDs that a service makes (`saiban serve`), taken in blocks in advance, the next when half of one is used: an ID that is in hand costs no
/// round trip. IDs of up to 64 bits are `RemoteGenerator<i64>`, wider ones `RemoteGenerator<u128>`; [`AnyRemote`](super::AnyRemote) is
/// whichever the service has.
///
/// What is not used within `max_age_ms` is dropped, so that no ID tells a time long past. A process that ends leaves what it had in hand unused. A
/// copy of the process made by fork has none of its parent's IDs: its first is of a block of its own. A machine that is copied while it runs (a snapshot
/// that runs twice) is not noticed: both copies hand out what was in hand, so start the program after that, not before.
///
/// Where the service's scheme becomes another while this is open, it answers `NamespaceMismatch`, and hands out none of those IDs.
///
/// Its [`Generator`] answers errors of the core, which have no room for what a service says; [`RemoteGenerator::explain`] tells that. `stats` are those
/// of this process's IDs, with `rollbacks` 0: the clock is the service's.
///
/// ```no_run
/// use saiban::Generator;
/// use saiban_coordination::{RemoteGenerator, RemoteOptions};
/// let ids = RemoteGenerator::<i64>::open("saiban://127.0.0.1:7609", "snowflake", &RemoteOptions::default())?;
/// let id = ids.generate().map_err(|error| ids.explain(error))?;
/// println!("{id} {:?}", ids.inspect(id)?.timestamp_ms);
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
pub struct RemoteGenerator<I: IdValue = i64> {
    opening: Opening,
    reader: Reader<I>,
    desk: ArcSwap<Desk<I>>,
    /// How long `generate` and `fill` wait, where that is not `wait_s`.
    usual_wait: Option<Duration>,
}

#[allow(private_bounds, reason = "i64 and u128 are all that there are")]
impl<I: Width> RemoteGenerator<I> {
    /// IDs of the scheme that the service at this URL has under this name: `saiban://[:TOKEN@]host[:7609][,host…]`, or `saibans://` for TLS
    /// with `ca=`, `cert=` and `key=` (files); `token_file=` has the token of either. Asks the service what they are, and waits for that.
    ///
    /// # Errors
    /// `InvalidArgument` for a URL or options that cannot be, and IDs of the other width; what the service says: `UnknownName` for a scheme that it
    /// does not have; `StoreUnavailable` when it could not be asked within `wait_s`, or does not let this program; `StoreUnsupported` for a scheme that
    /// this saiban does not know.
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
        let reader = I::reader(&form)?;
        let opening = Opening { url, name: name.to_owned(), form, limits };
        let desk = ArcSwap::new(opening.desk()?);
        Ok(RemoteGenerator { opening, reader, desk, usual_wait: None })
    }

    /// The same, whose `generate` and `fill` wait no longer than this for each block, and answer `WouldWait` then: for who must not be blocked,
    /// and has [`RemoteGenerator::take_many`] or `try_generate_within` for all else.
    #[must_use]
    pub fn usual_wait(mut self, wait: Duration) -> Self {
        self.usual_wait = Some(wait.min(self.opening.limits.wait));
        self
    }

    /// How long to wait for the service when no ID is in hand.
    #[must_use]
    pub fn longest_wait(&self) -> Duration {
        self.opening.limits.wait
    }

    /// This many IDs, all or none, waited for up to `wait_s` for each block.
    ///
    /// # Errors
    /// What the service says, or `StoreUnavailable`; `InvalidArgument` for more than 10 million.
    pub fn take_many(&self, count: usize) -> Result<Vec<I>, Error> {
        if count > MOST_AT_ONCE {
            let message = format!("so many IDs cannot be made at once: ask for 0 to {MOST_AT_ONCE} a call");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let mut ids = vec![I::default(); count];
        let mut filled = 0;
        while filled < count {
            filled += self.desk()?.fill(&mut ids[filled..], self.opening.limits.wait)?;
        }
        Ok(ids)
    }

    /// The name that the service has the scheme under.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.opening.name
    }

    /// The layout of its IDs, where the scheme may have others.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        self.opening.form.layout()
    }

    /// How it is doing in this process.
    ///
    /// # Errors
    /// `InvalidArgument` in a copy made by fork, for files of the URL that cannot be read any more.
    pub fn status(&self) -> Result<RemoteStatus, Error> {
        let InHand { left, dropped, calls, why } = self.desk()?.in_hand();
        Ok(RemoteStatus { in_hand: left as u64, dropped, calls, why })
    }

    /// What an error of its `Generator` means: what the service said, or why it could not be asked. It waits for nobody.
    pub fn explain(&self, error: CoreError) -> Error {
        let CoreError::OfMaker { kind } = error else { return error.into() };
        match self.desk() {
            Err(why) if why.kind() == kind => why,
            Ok(desk) => desk.why().filter(|why| why.kind() == kind).unwrap_or_else(|| match kind {
                ErrorKind::StoreUnavailable => late(self.opening.limits.wait),
                ErrorKind::WouldWait => would_wait(self.wait()),
                _ => error.into(),
            }),
            Err(_) => error.into(),
        }
    }

    fn wait(&self) -> Duration {
        self.usual_wait.unwrap_or(self.opening.limits.wait)
    }

    /// The desk of this process; a new one where this is a copy.
    #[inline]
    fn desk(&self) -> Result<Guard<Arc<Desk<I>>>, Error> {
        let desk = self.desk.load();
        if desk.is_copy() { self.follow(desk) } else { Ok(desk) }
    }

    #[cold]
    fn follow(&self, parents: Guard<Arc<Desk<I>>>) -> Result<Guard<Arc<Desk<I>>>, Error> {
        // Dropped it would change counts that only the parent's threads see; kept it is memory.
        let parents = mem::ManuallyDrop::new(Guard::into_inner(parents));
        let before = self.desk.compare_and_swap(&*parents, self.opening.desk()?);
        if before.is_copy() {
            mem::forget(Guard::into_inner(before));
        }
        Ok(self.desk.load())
    }

    fn ask<T>(&self, ask: impl FnOnce(&Arc<Desk<I>>) -> Result<T, Error>) -> Result<T, CoreError> {
        let answer = self.desk().and_then(|desk| ask(&desk));
        answer.map_err(|error| CoreError::OfMaker { kind: error.kind() })
    }
}

#[allow(private_bounds, reason = "i64 and u128 are all that there are")]
impl<I: Width> Generator<I> for RemoteGenerator<I> {
    fn scheme(&self) -> Scheme {
        self.reader.ids.scheme()
    }

    fn bits(&self) -> u32 {
        self.reader.ids.bits()
    }

    fn encoding(&self) -> Encoding {
        self.reader.ids.encoding()
    }

    /// An ID that is in hand. Where there is none it waits for nobody, and has more fetched.
    fn try_generate(&self) -> Result<Attempt<I>, CoreError> {
        let id = self.ask(Desk::take_or_order)?;
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
        self.ask(|desk| desk.take(self.wait()))
    }

    fn fill(&self, ids: &mut [I]) -> Result<usize, CoreError> {
        self.ask(|desk| desk.fill(ids, self.wait()))
    }

    fn stats(&self) -> Result<Stats, CoreError> {
        let mut stats = self.reader.stats()?;
        (stats.issued, stats.waits) = self.ask(|desk| Ok(desk.counts()))?;
        stats.rollbacks = 0;
        Ok(stats)
    }

    /// What any ID of the scheme and layout tells; of a Randflake nothing, for whose secret the service alone has.
    fn inspect(&self, id: I) -> Result<Parts, CoreError> {
        if self.scheme() == Scheme::Randflake {
            let what =
                "IDs of a Randflake tell nothing to who has no secret: ask the service (POST /v1/schemes/…/inspect)";
            return Err(CoreError::InvalidArgument { what });
        }
        self.reader.ids.inspect(id)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<I>, CoreError> {
        self.reader.ids.range(start_ms, end_ms)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<I, CoreError> {
        self.reader.ids.from_text_as(text, leniency)
    }

    fn to_text_as(&self, id: I, encoding: Option<Encoding>) -> Result<Text, CoreError> {
        self.reader.ids.to_text_as(id, encoding)
    }

    fn generate_text(&self, encoding: Option<Encoding>) -> Result<Text, CoreError> {
        self.to_text_as(self.generate()?, encoding)
    }
}

impl<I: IdValue> Drop for RemoteGenerator<I> {
    fn drop(&mut self) {
        let desk = self.desk.load();
        if desk.is_copy() {
            // Its connections are the parent's.
            mem::forget(Guard::into_inner(desk));
        }
    }
}

impl<I: IdValue> fmt::Debug for RemoteGenerator<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Opening { url, name, form, .. } = &self.opening;
        f.debug_struct("RemoteGenerator")
            .field("url", url)
            .field("name", name)
            .field("form", form)
            .finish_non_exhaustive()
    }
}
