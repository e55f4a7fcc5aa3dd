//! Counts equal neighbours in a sorted stream.

use super::Record;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The result of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<I = i64> {
    /// The number of IDs.
    pub ids: u64,
    /// The number of distinct IDs.
    pub distinct: u64,
    /// The number of distinct IDs that occur more than once.
    pub repeated: u64,
    /// The IDs that occur most often, as many as requested. Of equally frequent ones the smaller
    /// comes first.
    pub most: Vec<Repeat<I>>,
}

/// An ID that occurs more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat<I = i64> {
    /// The ID.
    pub id: I,
    /// How often the ID occurs, at least twice.
    pub times: u64,
}

impl<I> Report<I> {
    /// Returns the report with `of` applied to its IDs.
    pub fn map<J>(self, of: impl Fn(I) -> J) -> Report<J> {
        let Report { ids, distinct, repeated, most } = self;
        let most = most.into_iter().map(|Repeat { id, times }| Repeat { id: of(id), times }).collect();
        Report { ids, distinct, repeated, most }
    }
}

pub(super) struct Tally<I> {
    report: Report<I>,
    show: usize,
    /// The last ID. `times` counts how often it has occurred so far.
    last: I,
    times: u64,
    /// The most repeated IDs. The least frequent is on top, where another ID can replace it.
    most: BinaryHeap<Reverse<(u64, Reverse<I>)>>,
}

impl<I: Record> Tally<I> {
    pub(super) fn new(show: usize) -> Self {
        let report = Report { ids: 0, distinct: 0, repeated: 0, most: Vec::new() };
        Tally { report, show, last: I::default(), times: 0, most: BinaryHeap::new() }
    }

    /// Counts the next ID, which must not be smaller than the last one.
    #[inline]
    pub(super) fn add(&mut self, id: I) {
        if id != self.last || self.times == 0 {
            self.close();
            self.last = id;
        }
        self.times += 1;
    }

    pub(super) fn finish(mut self) -> Report<I> {
        self.close();
        let most = self.most.into_sorted_vec();
        self.report.most = most.into_iter().map(|Reverse((times, Reverse(id)))| Repeat { id, times }).collect();
        self.report
    }

    fn close(&mut self) {
        self.report.ids += self.times;
        self.report.distinct += u64::from(self.times > 0);
        if self.times > 1 {
            self.report.repeated += 1;
            self.most.push(Reverse((self.times, Reverse(self.last))));
            if self.most.len() > self.show {
                self.most.pop();
            }
        }
        self.times = 0;
    }
}
