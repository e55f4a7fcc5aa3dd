//! What the harness says, through the standard input: `f` for a fork; its end is ours.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::read;
use std::io::{self, stdin};

pub(crate) enum Told {
    Nothing,
    Fork,
    End,
}

/// What was said since the last look. Children have the same input, of which only the end is for them.
pub(crate) fn look(may_read: bool) -> io::Result<Told> {
    let input = stdin();
    let wanted = if may_read { PollFlags::IN } else { PollFlags::empty() };
    let mut asked = [PollFd::new(&input, wanted)];
    poll(&mut asked, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))?;
    let found = asked[0].revents();
    if may_read && found.contains(PollFlags::IN) {
        let mut word = [0];
        // Not through the buffer of `stdin`, which would hide from the next look what it took more.
        return Ok(if read(&input, &mut word)? == 1 && word[0] == b'f' { Told::Fork } else { Told::End });
    }
    Ok(if found.contains(PollFlags::HUP) { Told::End } else { Told::Nothing })
}
