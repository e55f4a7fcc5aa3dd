//! A holder and its command end together, whichever ends first.

#![cfg(feature = "lease")]

mod user;

use user::{User, is_alive, signal, until};

#[test]
fn a_signal_that_would_end_a_holder_ends_its_command_too() {
    let user = User::new();
    for (name, code) in [("QUIT", 131), ("HUP", 129), ("USR1", 138), ("USR2", 140), ("ALRM", 142)] {
        let mut holder = user.holder(&[]);
        signal(holder.id(), name);
        assert_eq!(holder.wait().expect("an end").code(), Some(code), "{name}");
        assert!(!is_alive(*user.commands().last().expect("a command")), "{name}");
        assert_eq!(user.held().len(), 0, "{name}");
    }
    let mut holder = user.holder(&[]);
    holder.kill().expect("killed");
    holder.wait().expect("an end");
    let command = *user.commands().last().expect("a command");
    until("the end of its command", || !is_alive(command));
}

#[test]
fn signals_that_are_ignored_from_the_start_stay_ignored() {
    let user = User::new();
    let mut holder = user.holder_under(&["nohup"], &[]);
    signal(holder.id(), "HUP");
    signal(*user.commands().last().expect("a command"), "HUP");
    signal(holder.id(), "TERM");
    assert_eq!(holder.wait().expect("an end").code(), Some(143));
}

#[test]
fn a_holder_that_ignores_sigchld_exits_as_its_command_does() {
    let user = User::new();
    let arguments = ["lease", "acquire", "--", "sh", "-c", "exit 3"];
    let mut command = user.process_under(&["env", "--ignore-signal=CHLD"], &arguments);
    let output = command.output().expect("an end");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(3), ""));
    assert_eq!(user.held().len(), 0);
}
