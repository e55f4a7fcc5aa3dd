//! The guarantees of every store of counters: `promises!(subject)` makes a test of each guarantee,
//! for the store that the function `subject` returns. Each test has its own counters, so they can
//! run concurrently on one server.

#[path = "../answered/mod.rs"]
mod answered;

use answered::answered;
use saiban::{ErrorKind, Stride};
use saiban_coordination::Error;
use saiban_coordination::counter::protocol::{LastSeen, Take, Taken};
use saiban_coordination::counter::{CounterRecord, CounterTerms};
use saiban_coordination::store::{Numbers, Store};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A store, and a function that opens it again, as another process would.
pub struct Subject {
    pub store: Arc<dyn Store>,
    pub another: Box<dyn Fn() -> Arc<dyn Store>>,
}

pub fn terms(name: &str, start: i64, step: i64) -> CounterTerms {
    CounterTerms::new(name, Stride::new(start, step).expect("a stride")).expect("terms")
}

fn numbers(store: &Arc<dyn Store>) -> &dyn Numbers {
    store.numbers().expect("a store of counters")
}

impl Subject {
    async fn create(&self, terms: &CounterTerms, next: i64) -> Result<CounterRecord, Error> {
        numbers(&self.store).create_counter(terms, next).await
    }

    async fn made(&self, name: &str, start: i64, step: i64) -> CounterTerms {
        let terms = terms(name, start, step);
        self.create(&terms, start).await.expect("a new counter");
        terms
    }

    async fn take(&self, terms: &CounterTerms, count: u64, seen: Option<LastSeen>) -> Result<Taken, Error> {
        numbers(&self.store).take(terms, &Take { count, day: None, seen }).await
    }

    async fn of_day(&self, terms: &CounterTerms, day: i32, count: u64, seen: Option<LastSeen>) -> Result<Taken, Error> {
        numbers(&self.store).take(terms, &Take { count, day: Some(day), seen }).await
    }
}

fn seen(taken: &Taken) -> Option<LastSeen> {
    Some(LastSeen { incarnation: taken.incarnation, next: taken.next })
}

fn kind<T: std::fmt::Debug>(answer: Result<T, Error>) -> ErrorKind {
    answer.expect_err("a refusal").kind()
}

/// Makes a test of each guarantee, for the store that this function returns.
macro_rules! promises {
    ($subject:path) => {
        counting::promises! { $subject:
            an_unknown_counter_is_refused_and_not_made,
            a_counter_is_made_once_and_keeps_its_next_number,
            a_counter_created_by_many_at_the_same_time_is_created_once,
            numbers_are_handed_out_in_steps_and_once,
            another_start_or_step_is_refused,
            numbers_reported_as_seen_are_not_handed_out_again,
            the_last_numbers_are_handed_out_and_none_after_them,
            days_are_counted_separately,
            concurrent_callers_get_different_numbers,
            a_counter_is_raised_and_never_lowered,
            counters_are_listed_by_name,
        }
    };
    ($subject:path: $($name:ident),+ $(,)?) => {
        $(
            #[tokio::test]
            async fn $name() {
                counting::$name(&$subject().await).await;
            }
        )+
    };
}
pub(crate) use promises;

pub async fn an_unknown_counter_is_refused_and_not_made(subject: &Subject) {
    let terms = terms("unknown", 1, 1);
    for _ in 0..2 {
        assert_eq!(kind(subject.take(&terms, 1, None).await), ErrorKind::CounterUnknown);
        assert_eq!(kind(subject.of_day(&terms, 20_000, 1, None).await), ErrorKind::CounterUnknown);
    }
}

pub async fn a_counter_is_made_once_and_keeps_its_next_number(subject: &Subject) {
    let terms = terms("once", 3, 7);
    let made = subject.create(&terms, 24).await.expect("a counter");
    assert_eq!((made.next, made.fingerprint.as_str()), (24, "from 3 by 7"));
    let taken = subject.take(&terms, 2, None).await.expect("numbers");
    assert_eq!((taken.first, taken.count, taken.next, taken.incarnation), (24, 2, 38, made.incarnation));
    let again = subject.create(&terms, 3).await.expect("it is there");
    assert_eq!((again.incarnation, again.next), (made.incarnation, 38));
    for next in [4, 2, -4, i64::MAX] {
        let error = subject.create(&terms, next).await.expect_err("not one of its numbers");
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains(&next.to_string()), "{error}");
    }
}

pub async fn a_counter_created_by_many_at_the_same_time_is_created_once(subject: &Subject) {
    let terms = terms("made-at-once", 1, 1);
    let makers = (0..8).map(|_| {
        let (store, terms) = ((subject.another)(), terms.clone());
        tokio::spawn(async move { numbers(&store).create_counter(&terms, 1).await.expect("made, or there") })
    });
    let mut incarnations = BTreeSet::new();
    for maker in makers.collect::<Vec<_>>() {
        incarnations.insert(maker.await.expect("it ends").incarnation);
    }
    assert_eq!(incarnations.len(), 1);
}

pub async fn numbers_are_handed_out_in_steps_and_once(subject: &Subject) {
    let terms = subject.made("steps", 2, 5).await;
    let mut before = None;
    let mut next = 2;
    for count in [1, 1, 3, 1_000_000, 1] {
        let taken = subject.take(&terms, count, before).await.expect("numbers");
        assert_eq!((taken.first, taken.count), (next, count));
        next += 5 * i64::try_from(count).expect("a small number");
        assert_eq!(taken.next, next);
        before = if count == 3 { None } else { seen(&taken) };
    }
}

pub async fn another_start_or_step_is_refused(subject: &Subject) {
    let made = subject.made("of-five", 1, 5).await;
    let taken = subject.take(&made, 1, None).await.expect("a number");
    let daily = CounterTerms::daily("of-five", 1, "UTC").expect("terms");
    for other in [terms("of-five", 2, 5), terms("of-five", 1, 4), daily] {
        for known in [None, seen(&taken)] {
            let error = subject.take(&other, 1, known).await.expect_err("another counter");
            assert_eq!(error.kind(), ErrorKind::CounterMismatch);
            assert!(
                error.to_string().contains("from 1 by 5") && error.to_string().contains(other.fingerprint()),
                "{error}"
            );
        }
        assert_eq!(kind(subject.create(&other, other.stride().start()).await), ErrorKind::CounterMismatch);
    }
    assert_eq!(subject.take(&made, 1, seen(&taken)).await.expect("a number").first, 6);
}

pub async fn numbers_reported_as_seen_are_not_handed_out_again(subject: &Subject) {
    let terms = subject.made("behind", 1, 1).await;
    let taken = subject.take(&terms, 10, None).await.expect("numbers");
    let ahead = Some(LastSeen { next: taken.next + 1, ..seen(&taken).expect("seen") });
    let error = subject.take(&terms, 1, ahead).await.expect_err("it knows less");
    assert_eq!(error.kind(), ErrorKind::CounterBehind);
    assert!(
        error.to_string().contains("11 was handed out") && error.to_string().contains("next number is 11"),
        "{error}"
    );
    let other = Some(LastSeen { incarnation: taken.incarnation ^ 1, next: 1 });
    assert_eq!(kind(subject.take(&terms, 1, other).await), ErrorKind::CounterBehind);
    assert_eq!(subject.take(&terms, 1, seen(&taken)).await.expect("a number").first, 11, "nothing was lost");
}

pub async fn the_last_numbers_are_handed_out_and_none_after_them(subject: &Subject) {
    let terms = terms("last", 5, 2);
    subject.create(&terms, i64::MAX - 6).await.expect("a counter");
    let first = subject.take(&terms, 1, None).await.expect("a number");
    assert_eq!(first.first, i64::MAX - 6);
    let rest = subject.take(&terms, 1_000_000, seen(&first)).await.expect("what there is");
    assert_eq!((rest.first, rest.count, rest.next), (i64::MAX - 4, 2, i64::MAX));
    for known in [None, seen(&rest)] {
        assert_eq!(kind(subject.take(&terms, 1, known).await), ErrorKind::CounterExhausted);
    }
}

pub async fn days_are_counted_separately(subject: &Subject) {
    let terms = CounterTerms::daily("days", 0, "Europe/Berlin").expect("terms");
    let made = subject.create(&terms, 0).await.expect("a counter");
    let mut known = None;
    for (day, count, first) in [(20_778, 3, 0), (20_779, 1, 0), (20_778, 1, 3), (-1, 2, 0), (20_779, 5, 1)] {
        let taken = subject.of_day(&terms, day, count, None).await.expect("numbers");
        assert_eq!((taken.first, taken.count, taken.incarnation), (first, count, made.incarnation), "day {day}");
        known = seen(&taken);
    }
    assert_eq!(subject.of_day(&terms, 20_779, 1, known).await.expect("a number").first, 6);
    assert_eq!(
        kind(subject.of_day(&terms, 20_780, 1, known).await),
        ErrorKind::CounterBehind,
        "that day knows nothing of it"
    );
    assert_eq!(subject.of_day(&terms, 20_780, 1, None).await.expect("a number").first, 0);
}

pub async fn concurrent_callers_get_different_numbers(subject: &Subject) {
    let terms = subject.made("many", 4, 9).await;
    let takers = (0..8).map(|_| {
        let (store, terms) = ((subject.another)(), terms.clone());
        tokio::spawn(async move {
            answered(|| numbers(&store).create_counter(&terms, 4)).await.expect("a connection");
            let mut all = Vec::new();
            let mut known = None;
            for count in 1..=20 {
                let request = Take { count, day: None, seen: known };
                let taken = numbers(&store).take(&terms, &request).await.expect("numbers");
                known = seen(&taken);
                all.extend(
                    (0..taken.count).map(|index| taken.first + 9 * i64::try_from(index).expect("a small number")),
                );
            }
            all
        })
    });
    let mut all = Vec::new();
    for taker in takers.collect::<Vec<_>>() {
        let numbers = taker.await.expect("it ends");
        assert!(numbers.is_sorted(), "one taker's numbers grow");
        all.extend(numbers);
    }
    all.sort_unstable();
    assert_eq!(all, (0..8 * 210).map(|index| 4 + 9 * index).collect::<Vec<i64>>(), "each once, and none left out");
}

pub async fn a_counter_is_raised_and_never_lowered(subject: &Subject) {
    let store = numbers(&subject.store);
    let terms = subject.made("raised", 2, 5).await;
    let taken = subject.take(&terms, 3, None).await.expect("numbers");
    for (to, next) in [(7, 17), (102, 102), (12, 102)] {
        assert_eq!(store.raise("raised", None, to).await.expect("raised").next, next);
    }
    assert_eq!(subject.take(&terms, 1, seen(&taken)).await.expect("a number").first, 102);
    for (day, to) in [(None, 103), (None, 1), (None, -1), (Some(3), 2)] {
        assert_eq!(kind(store.raise("raised", day, to).await), ErrorKind::InvalidArgument, "{day:?} {to}");
    }
    assert_eq!(kind(store.raise("not-there", None, 1).await), ErrorKind::CounterUnknown);
    let daily = CounterTerms::daily("raised-days", 1, "UTC").expect("terms");
    subject.create(&daily, 1).await.expect("a counter");
    assert_eq!(kind(store.raise("raised-days", None, 9).await), ErrorKind::InvalidArgument);
    assert_eq!(store.raise("raised-days", Some(7), 9).await.expect("raised").next, 9);
    for (day, first) in [(7, 9), (8, 1)] {
        assert_eq!(subject.of_day(&daily, day, 1, None).await.expect("a number").first, first, "day {day}");
    }
}

pub async fn counters_are_listed_by_name(subject: &Subject) {
    let (b, a) = (subject.made("list-b", 2, 3).await, subject.made("list-a", 1, 3).await);
    let taken = subject.take(&b, 4, None).await.expect("numbers");
    let listed = numbers(&subject.store).counters().await.expect("a list");
    let ours: Vec<_> = listed.iter().filter(|(name, _)| name.starts_with("list-")).collect();
    let [(first, of_a), (second, of_b)] = ours[..] else { panic!("{ours:?}") };
    assert_eq!((first.as_str(), second.as_str()), ("list-a", "list-b"));
    assert_eq!((of_a.next, of_a.fingerprint.as_str()), (1, a.fingerprint()));
    assert_eq!((of_b.next, of_b.incarnation), (14, taken.incarnation));
}
