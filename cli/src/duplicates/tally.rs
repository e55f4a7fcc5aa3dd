//! Counting equal neighbours in a sorted stream.

use super::Record;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<I = i64> {
    /// How many IDs there were.
    pub ids: u64,
    /// How many different ones.
    pub distinct: u64,
    /// How many of the different ones came more than once.
    pub repeated: u64,
    /// Those that came most often, as many as were asked for; the smaller of equals first.
    pub most: Vec<Repeat<I>>,
}

/// An ID that came more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat<I = i64> {
    /// The ID.
    pub id: I,
    /// How often it came, at least twice.
    pub times: u64,
}

impl<I> Report<I> {
    /// The same with what this makes of the IDs.
    pub fn map<J>(self, of: impl Fn(I) -> J) -> Report<J> {
        let Report { ids, distinct, repeated, most } = self;
        let most = most.into_iter().map(|Repeat { id, times }| Repeat { id: of(id), times }).collect();
        Report { ids, distinct, repeated, most }
    }
}

pub(super) struct Tally<I> {
    report: Report<I>,
    show: usize,
    /// The ID that came last, and how often so far.
    last: I,
    times: u64,
    /// The most repeated ones; the least of them on top, where it makes room for another.
    most: BinaryHeap<Reverse<(u64, Reverse<I>)>>,
}

impl<I: Record> Tally<I> {
    pub(super) fn new(show: usize) -> Self {
        let report = Report { ids: 0, distinct: 0, repeated: 0, most: Vec::new() };
        Tally { report, show, last: I::default(), times: 0, most: BinaryHeap::new() }
    }

    /// Counts the next ID, which is not smaller than the last.
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
