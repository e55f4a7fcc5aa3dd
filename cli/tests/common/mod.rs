//! Runs the command as people and scripts do.

use assert_cmd::Command;

pub fn saiban(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("saiban").expect("the command is built");
    command.env_remove("SAIBAN_SECRET").args(arguments);
    command
}

pub fn stdout(arguments: &[&str]) -> String {
    let output = saiban(arguments).assert().success().get_output().clone();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// Checks bad input: exit code 2, one line on stderr with these words, nothing on stdout.
pub fn refused(arguments: &[&str], words: &[&str]) -> String {
    let output = saiban(arguments).assert().code(2).get_output().clone();
    let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(words.iter().all(|word| message.contains(word)), "{message:?} lacks one of {words:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    message
}
