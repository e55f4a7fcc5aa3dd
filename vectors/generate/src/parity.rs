//! parity
pub fn print(_s: u64, _n: u32) -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
