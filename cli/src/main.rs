//! The binary `saiban`. It only calls the library `saiban_cli`.

fn main() -> std::process::ExitCode {
    saiban_cli::run_program(std::env::args_os().skip(1)).into()
}
