//! Pooled randomness: no byte is returned twice, by any thread or forked process.

use saiban::Entropy;
use saiban::entropy::PooledEntropy;
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Mutex;
use std::thread;

/// The bytes of one draw.
type Draw = [u8; 16];

fn draw() -> Draw {
    let mut bytes = [0; 16];
    PooledEntropy.fill(&mut bytes).expect("randomness");
    bytes
}

/// Returns whether no eight bytes occur twice, which is certain in practice for true randomness of
/// these sizes.
fn repeats_nothing(bytes: &[u8]) -> bool {
    let mut seen = HashSet::new();
    bytes.windows(8).all(|window| seen.insert(window))
}

#[test]
fn no_byte_is_handed_out_twice() {
    let mut all = Vec::new();
    for turn in 0..3_000_usize {
        // The lengths cover requests that a pool serves, that refill it, and that exceed it.
        let mut bytes = vec![0; [16, 1, 8, 10, 127, 3, 128, 129, 600, 0][turn % 10]];
        PooledEntropy.fill(&mut bytes).expect("randomness");
        all.extend(bytes);
        all.extend(PooledEntropy.next_u64().expect("randomness").to_le_bytes());
    }
    assert!(repeats_nothing(&all));
    // All values are about equally frequent: a wiped or unfilled byte would be 0.
    let mut counts = [0_u32; 256];
    all.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let mean = all.len() as f64 / 256.0;
    let chi_squared: f64 = counts.iter().map(|count| (f64::from(*count) - mean).powi(2) / mean).sum();
    // 255 degrees of freedom: one run in a billion exceeds this bound.
    assert!(chi_squared < 255.0 + 6.0 * 510.0_f64.sqrt() + 24.0, "{chi_squared}");
}

#[test]
fn threads_draw_different_bytes() {
    let all = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let own: Vec<Draw> = (0..5_000).map(|_| draw()).collect();
                all.lock().expect("the list").extend(own);
            });
        }
    });
    let all = all.into_inner().expect("the list");
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 40_000);
}

/// Draws when its thread ends, and keeps the bytes.
struct AtTheEnd;

static AT_THE_END: Mutex<Vec<Draw>> = Mutex::new(Vec::new());

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        let draws = [draw(), draw()];
        AT_THE_END.lock().expect("the list").extend(draws);
    }
}

thread_local! {
    static BEFORE: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) };
    static AFTER: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) };
}

#[test]
fn a_thread_draws_to_its_very_end() {
    // In any order of destruction, one of the two values is dropped before the pool and one after
    // it.
    let ending = || {
        BEFORE.with(|place| *place.borrow_mut() = Some(AtTheEnd));
        let draws = draw();
        AFTER.with(|place| *place.borrow_mut() = Some(AtTheEnd));
        draws
    };
    let mut all: Vec<Draw> = (0..50).map(|_| thread::spawn(ending).join().expect("no panic")).collect();
    all.extend(AT_THE_END.lock().expect("the list").drain(..));
    assert_eq!(all.len(), 250);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 250);
}

#[cfg(unix)]
#[allow(unsafe_code, reason = "fork has no safe form")]
mod forked {
    use super::{Draw, draw, thread};
    use std::collections::HashSet;
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::FromRawFd;

    /// A forked child, and the pipe through which it sends its random bytes.
    struct Child(libc::pid_t, File);

    /// Forks a child that writes the result of `body` into its pipe.
    fn in_child(body: impl FnOnce() -> Vec<u8>) -> Child {
        let mut ends = [0; 2];
        // SAFETY: there is room for both ends of the pipe.
        assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
        // SAFETY: the pipe is new, and nothing else uses its ends.
        let [from, mut to] = ends.map(|end| unsafe { File::from_raw_fd(end) });
        // SAFETY: the child runs only `body`, which takes no lock that another thread may have
        // held, and leaves by `_exit`.
        let child = unsafe { libc::fork() };
        assert!(child >= 0, "fork");
        if child == 0 {
            let code = i32::from(to.write_all(&body()).is_err());
            // SAFETY: ends the child at once, without running exit handlers.
            unsafe { libc::_exit(code) };
        }
        Child(child, from)
    }

    fn thousand() -> Vec<u8> {
        (0..1_000).flat_map(|_| draw()).collect()
    }

    fn read(Child(child, mut from): Child) -> Vec<Draw> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).expect("what the child wrote");
        let mut status = 0;
        // SAFETY: waits for a child of ours, with a place for its status.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "the child failed: {status}");
        bytes.chunks_exact(16).map(|draw| draw.try_into().expect("16 bytes")).collect()
    }

    fn assert_all_differ(all: &[Draw], count: usize) {
        assert_eq!(all.len(), count);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), count, "a draw came twice");
    }

    #[test]
    fn children_draw_nothing_that_their_parent_or_each_other_draws() {
        // The parent draws first, so that its children copy a pool.
        let mut all = vec![draw()];
        let children: Vec<_> = (0..4).map(|_| in_child(thousand)).collect();
        all.extend((0..1_000).map(|_| draw()));
        all.extend(children.into_iter().flat_map(read));
        assert_all_differ(&all, 5_001);
    }

    #[test]
    fn grandchildren_differ_too() {
        let first = draw();
        let child = in_child(|| {
            let mut draws = draw().to_vec();
            let grandchild = in_child(thousand);
            draws.extend(thousand());
            draws.extend(read(grandchild).concat());
            draws
        });
        let mut all = vec![first];
        all.extend(read(child));
        all.extend((0..1_000).map(|_| draw()));
        assert_all_differ(&all, 3_002);
    }

    #[test]
    fn children_of_a_thread_differ_while_others_draw() {
        let mut all = Vec::new();
        thread::scope(|scope| {
            let drawing = scope.spawn(|| (0..20_000).map(|_| draw()).collect::<Vec<_>>());
            for _ in 0..50 {
                all.push(draw());
                all.extend(read(in_child(|| draw().to_vec())));
            }
            all.extend(drawing.join().expect("no panic"));
        });
        assert_all_differ(&all, 20_100);
    }
}
