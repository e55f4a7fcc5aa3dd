//! The README's command lines work as they stand there.

use std::process::Command;

#[test]
fn the_readmes_command_lines_run() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README is there");
    let lines: Vec<_> = readme.lines().filter_map(|line| line.strip_prefix("    $ ")).collect();
    assert!(lines.len() >= 4, "the README shows the command");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = std::path::PathBuf::from(env!("CARGO_BIN_EXE_saiban"));
    let path =
        format!("{}:{}", program.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    for line in lines {
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(&folder)
            .env("PATH", &path)
            .output()
            .expect("a shell starts");
        // What is not shown was written to a file.
        let shown = match line.rsplit_once("-o ") {
            Some((_, file)) if output.stdout.is_empty() => std::fs::read(folder.path().join(file)).expect("a file"),
            _ => output.stdout.clone(),
        };
        assert!(output.status.success() && !shown.is_empty(), "{line}: {output:?}");
    }
}
