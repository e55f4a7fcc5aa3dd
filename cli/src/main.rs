//! The binary `saiban`.

fn main() -> std::process::ExitCode {
    saiban_cli::run_program(std::env::args_os().skip(1)).into()
}
