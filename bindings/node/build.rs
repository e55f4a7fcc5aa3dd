//! Links the library as a Node add-on.

fn main() {
    napi_build::setup();
}
