//! Cases of the cipher SPARX-64/128: the authors' test vector, every one-bit change of its
//! plaintext and of its key, and random ones.

use crate::document::{Case, Document};
use crate::rng::Rng;
use serde_json::json;

const PUBLISHED_KEY: u128 = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff;
const PUBLISHED_PLAINTEXT: u64 = 0x0123_4567_89ab_cdef;

fn case(key: u128, plaintext: u64) -> Case {
    Case::new("encrypt", json!({ "key": format!("{key:032x}"), "plaintext": format!("{plaintext:016x}") }))
}

pub fn document() -> Document {
    let mut document = Document::new(
        "sparx",
        &[
            "Dinu, Perrin, Udovenko, Velichkov, Großschädl, Biryukov: Design Strategies for ARX with Provable Bounds: SPARX and LAX (ASIACRYPT 2016)",
        ],
    );
    document.add(
        case(PUBLISHED_KEY, PUBLISHED_PLAINTEXT)
            .source("SPARX and LAX, appendix: test vector of SPARX-64/128")
            .flag("one-bit"),
    );
    for bit in 0..64 {
        document.add(case(PUBLISHED_KEY, PUBLISHED_PLAINTEXT ^ 1 << bit).flag("one-bit"));
    }
    for bit in 0..128 {
        document.add(case(PUBLISHED_KEY ^ 1 << bit, PUBLISHED_PLAINTEXT).flag("one-bit"));
    }
    for (key, plaintext) in [(0, 0), (u128::MAX, u64::MAX), (0, u64::MAX), (u128::MAX, 0)] {
        document.add(case(key, plaintext).flag("edge"));
    }
    let mut rng = Rng::new(0x7370_6172);
    for _ in 0..60 {
        let key = u128::from(rng.next()) << 64 | u128::from(rng.next());
        document.add(case(key, rng.next()).flag("random"));
    }
    document
}
