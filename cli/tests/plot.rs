//! `saiban plot`: a picture of a stream, equal for equal IDs.

use assert_cmd::Command;

fn plot(arguments: &[&str], input: impl Into<Vec<u8>>) -> std::process::Output {
    let mut command = Command::cargo_bin("saiban").expect("the command is built");
    command.arg("plot").args(arguments).write_stdin(input).output().expect("the command runs")
}

fn plot_stdout(arguments: &[&str], input: impl Into<Vec<u8>>) -> String {
    let output = plot(arguments, input);
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    String::from_utf8(output.stdout).expect("SVG is UTF-8")
}

/// Returns uniform numbers in scattered order.
fn scattered(count: u64) -> Vec<u8> {
    (1..=count).flat_map(|index| index.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7).to_le_bytes()).collect()
}

#[test]
fn the_picture_shows_how_many_ids_and_how_uniform_they_are() {
    let svg = plot_stdout(&["--raw", "--title", "Ours & <theirs>"], scattered(100_000));
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    for words in ["100,000 IDs, counted in 256 cells", "χ² = ", "255 degrees of freedom", "Ours &amp; &lt;theirs&gt;"]
    {
        assert!(svg.contains(words), "{words}");
    }
}

#[test]
fn one_repeated_number_is_far_from_uniform() {
    // 1000 IDs are all in one of 32 cells: 31 times 1000.
    assert!(plot_stdout(&[], "5\n".repeat(1_000)).contains("χ² = 31,000 with 31 degrees of freedom"));
    assert!(plot_stdout(&[], "5\n").contains("too few for χ²"));
}

#[test]
fn the_picture_of_a_long_stream_is_small_and_self_contained() {
    let svg = plot_stdout(&["--raw"], scattered(1_000_000));
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
    assert!(svg.contains("prefers-color-scheme:dark"));
    for foreign in ["<script", "href", "url(", "@import", "@font-face"] {
        assert!(!svg.contains(foreign), "{foreign}");
    }
}

#[test]
fn the_picture_goes_to_a_file_and_is_the_same_every_time() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("picture.svg");
    assert_eq!(plot_stdout(&["--raw", "-o", path.to_str().expect("UTF-8")], scattered(5_000)), "");
    assert_eq!(std::fs::read_to_string(path).expect("the file is there"), plot_stdout(&["--raw"], scattered(5_000)));
}

#[test]
fn input_that_cannot_be_drawn_is_exit_code_2() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("picture.svg");
    for (input, words) in [("", "nothing to draw"), ("1\nx\n", "line 2")] {
        let output = plot(&["-o", path.to_str().expect("UTF-8")], input);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{output:?}");
        // An invalid stream does not overwrite an old picture.
        assert!(!path.exists());
    }
}
