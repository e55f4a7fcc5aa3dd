//! Compiles `calls.c`, which calls the library as a C program does, with the committed header.

fn main() {
    for path in
        ["calls.c", "calls.h", "world.h", "id_calls.h", "wide_calls.h", "lease_calls.h", "../../include/saiban.h"]
    {
        println!("cargo:rerun-if-changed={path}");
    }
    cc::Build::new()
        .file("calls.c")
        .include("../../include")
        .std("c11")
        .warnings(true)
        .extra_warnings(true)
        .warnings_into_errors(true)
        .compile("calls");
}
