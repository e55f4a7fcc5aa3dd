//! Reads the harness's commands from stdin: `f` requests a fork, and the end of the input ends the
//! worker.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::read;
use std::io::{self, stdin};

pub(crate) enum Order {
    Nothing,
    Fork,
    End,
}

/// Returns the next command without waiting. Children have the parent's stdin, but react only to
/// its end.
pub(crate) fn next_order(may_read: bool) -> io::Result<Order> {
    let input = stdin();
    let wanted = if may_read { PollFlags::IN } else { PollFlags::empty() };
    let mut asked = [PollFd::new(&input, wanted)];
    poll(&mut asked, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))?;
    let found = asked[0].revents();
    if may_read && found.contains(PollFlags::IN) {
        let mut word = [0];
        // Do not read through the buffer of `stdin`: it could take more bytes, which the next
        // `poll` would not find.
        return Ok(if read(&input, &mut word)? == 1 && word[0] == b'f' { Order::Fork } else { Order::End });
    }
    Ok(if found.contains(PollFlags::HUP) { Order::End } else { Order::Nothing })
}
