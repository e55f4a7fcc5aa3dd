//! Counters: each number is issued once, in equal steps, up to the last.

use proptest::prelude::*;
use saiban::counter::Block;
use saiban::{Counter, Error, ErrorKind, Stride};
use std::collections::BTreeSet;
use std::sync::Barrier;
use std::thread;

#[test]
fn five_counters_of_one_step_share_no_number() {
    let counters: Vec<Counter> = (1..=5).map(|start| Counter::new(Stride::new(start, 5).expect("a stride"))).collect();
    let mut seen = BTreeSet::new();
    for counter in &counters {
        for expected in counter.stride().numbers().take(1_000) {
            assert_eq!(counter.generate(), Ok(expected));
            assert!(seen.insert(expected));
        }
    }
    assert_eq!(seen, (1..=5_000).collect());
}

#[test]
fn threads_get_each_number_once() {
    let counter = Counter::new(Stride::new(3, 7).expect("a stride"));
    let taken: Vec<Vec<i64>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4_usize)
            .map(|thread| {
                let counter = &counter;
                scope.spawn(move || {
                    let mut numbers = vec![0; 10_000];
                    if thread % 2 == 0 {
                        numbers.iter_mut().for_each(|number| *number = counter.generate().expect("a number"));
                    } else {
                        for some in numbers.chunks_mut(77) {
                            assert_eq!(counter.fill(some), Ok(some.len()));
                        }
                    }
                    numbers
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    for numbers in &taken {
        assert!(numbers.is_sorted(), "a thread's numbers only grow");
    }
    let all: BTreeSet<i64> = taken.into_iter().flatten().collect();
    assert_eq!(all, (0..40_000).map(|index| 3 + 7 * index).collect());
}

#[test]
fn threads_take_each_number_of_a_block_once() {
    // Races happen at the end of a block, so there are many blocks; the barrier makes the threads
    // run at the same time.
    const BLOCKS: usize = 3_000;
    let blocks: Vec<Block> = (0..BLOCKS).map(|_| Block::new(3, 7, 500)).collect();
    let begin = Barrier::new(4);
    let taken: Vec<Vec<(usize, i64)>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4_usize)
            .map(|thread| {
                let (blocks, begin) = (&blocks, &begin);
                scope.spawn(move || {
                    let mut taken = Vec::new();
                    for (at, block) in blocks.iter().enumerate() {
                        begin.wait();
                        while let Some(number) = block.take() {
                            taken.push((at, number));
                            let mut some = [0; 3];
                            let filled = if thread % 2 == 0 { block.fill(&mut some) } else { 0 };
                            taken.extend(some[..filled].iter().map(|number| (at, *number)));
                        }
                    }
                    taken
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    let mut all: Vec<(usize, i64)> = taken.into_iter().flatten().collect();
    all.sort_unstable();
    let each = (0..BLOCKS).flat_map(|at| (0..500).map(move |index| (at, 3 + 7 * index)));
    assert!(all.into_iter().eq(each), "each number of each block once");
    assert!(blocks.iter().all(|block| (block.left(), block.take()) == (0, None)));
}

#[test]
fn the_last_number_is_the_last() {
    let counter = Counter::new(Stride::new(i64::MAX - 4, 2).expect("a stride"));
    let mut numbers = [0; 5];
    assert_eq!(counter.fill(&mut numbers[..1]), Ok(1));
    assert_eq!(counter.fill(&mut numbers[1..]), Ok(2));
    assert_eq!(numbers, [i64::MAX - 4, i64::MAX - 2, i64::MAX, 0, 0]);
    for _ in 0..3 {
        assert_eq!(counter.generate(), Err(Error::CounterExhausted { step: 2 }));
        assert_eq!(counter.fill(&mut numbers).map_err(|error| error.kind()), Err(ErrorKind::CounterExhausted));
        assert_eq!(counter.fill(&mut []), Ok(0));
    }
}

#[test]
fn a_start_below_0_and_a_step_below_1_are_refused_with_the_number() {
    for start in [-1, i64::MIN] {
        let error = Stride::new(start, 1).expect_err("no start");
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(
            error.to_string().contains(&format!("cannot start at {start}: give a number of 0 to 9223372036854775807"))
        );
    }
    for step in [0, -5, i64::MIN] {
        let error = Stride::new(1, step).expect_err("no step");
        assert!(
            error.to_string().contains(&format!("cannot step by {step}: give a number of 1 to 9223372036854775807"))
        );
    }
}

proptest! {
    #[test]
    fn number_and_index_are_each_others_inverse(start in 0..=i64::MAX, step in 1..=i64::MAX, index in any::<u64>()) {
        let stride = Stride::new(start, step).expect("a stride");
        let exact = i128::from(start) + i128::from(step) * i128::from(index);
        let expected = i64::try_from(exact).ok();
        prop_assert_eq!(stride.number(index), expected);
        prop_assert_eq!(expected.is_some(), index < stride.count());
        if let Some(number) = expected {
            prop_assert_eq!(stride.index(number), Some(index));
        }
    }

    #[test]
    fn a_block_has_the_numbers_up_to_the_last_that_there_is(first in any::<i64>(), step in 1..=i64::MAX, count in 0..20_u64) {
        let block = Block::new(first, step, count);
        let expected: Vec<i64> = (0..count)
            .filter_map(|index| i64::try_from(i128::from(first) + i128::from(step) * i128::from(index)).ok())
            .collect();
        let mut taken: Vec<i64> = std::iter::from_fn(|| block.take()).take(5).collect();
        prop_assert_eq!(block.left(), expected.len().saturating_sub(5) as u64);
        let mut rest = [0; 32];
        let filled = block.fill(&mut rest);
        taken.extend_from_slice(&rest[..filled]);
        prop_assert_eq!(taken, expected);
        prop_assert_eq!((block.take(), block.fill(&mut rest), block.left()), (None, 0, 0));
    }
}
