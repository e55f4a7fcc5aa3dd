//! IDs in serde's formats: as text in JSON, where numbers lose digits, and as numbers in a binary
//! format.

#![cfg(feature = "serde")]

use saiban::{Encoding, ObjectId, Ulid};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// More than 2^53, which JavaScript rounds.
const ID: i64 = 2_125_041_057_055_170_560;

/// Defines a type whose IDs are in this encoding, and its tests.
macro_rules! in_each_encoding {
    ($( $module:ident $encoding:ident $with:literal $with_option:literal; )+) => { $( mod $module {
        use super::*;

        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        struct Order {
            #[serde(with = $with)]
            id: i64,
            #[serde(with = $with_option, default)]
            parent: Option<i64>,
        }

        const IDS: [i64; 6] = [0, 7, ID, i64::MAX, i64::MIN, -1];

        #[test]
        fn ids_are_text_in_json() {
            for id in IDS {
                let text = Encoding::$encoding.encode(id);
                let orders = [Order { id, parent: None }, Order { id, parent: Some(id) }];
                let json = json!([
                    { "id": text.as_str(), "parent": null },
                    { "id": text.as_str(), "parent": text.as_str() },
                ]);
                assert_eq!(serde_json::to_value(&orders).expect("JSON"), json);
                assert_eq!(serde_json::from_value::<[Order; 2]>(json).expect("IDs"), orders);
            }
        }

        #[test]
        fn ids_are_numbers_in_binary_formats() {
            for id in IDS {
                let order = Order { id, parent: Some(id) };
                let bytes = postcard::to_allocvec(&order).expect("bytes");
                assert_eq!(bytes, postcard::to_allocvec(&(id, Some(id))).expect("bytes"));
                assert_eq!(postcard::from_bytes::<Order>(&bytes).expect("IDs"), order);
            }
        }

        #[test]
        fn a_number_in_json_is_refused_because_it_may_have_lost_digits() {
            let text = Encoding::$encoding.encode(ID);
            for json in [json!({ "id": ID }), json!({ "id": text.as_str(), "parent": ID })] {
                let error = serde_json::from_value::<Order>(json).expect_err("a number").to_string();
                assert!(error.contains("expected the text of an ID"), "{error}");
            }
        }

        #[test]
        fn what_is_not_an_id_is_refused_with_the_reason() {
            for text in ["", "!", "99999999999999999999999999"] {
                let reason = Encoding::$encoding.decode(text).expect_err("no ID").to_string();
                let error = serde_json::from_value::<Order>(json!({ "id": text })).expect_err("no ID");
                assert_eq!(error.to_string(), reason);
            }
        }

        #[test]
        fn an_optional_id_may_be_absent() {
            let id = Encoding::$encoding.encode(ID);
            let order: Order = serde_json::from_value(json!({ "id": id.as_str() })).expect("an ID");
            assert_eq!(order, Order { id: ID, parent: None });
        }
    } )+ };
}

in_each_encoding! {
    decimal DECIMAL "saiban::serde::decimal" "saiban::serde::decimal::option";
    hex HEX "saiban::serde::hex" "saiban::serde::hex::option";
    crockford CROCKFORD "saiban::serde::crockford" "saiban::serde::crockford::option";
    base32hex BASE32HEX "saiban::serde::base32hex" "saiban::serde::base32hex::option";
    base36 BASE36 "saiban::serde::base36" "saiban::serde::base36::option";
    base58 BASE58 "saiban::serde::base58" "saiban::serde::base58::option";
    base62 BASE62 "saiban::serde::base62" "saiban::serde::base62::option";
    base64url BASE64URL "saiban::serde::base64url" "saiban::serde::base64url::option";
}

#[test]
fn ulids_and_object_ids_are_their_text() {
    let (ulid, id) = ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "507f191e810c19729de860ea");
    let pair: (Ulid, ObjectId) = serde_json::from_value(json!([ulid, id])).expect("two IDs");
    assert_eq!((pair.0.to_string(), pair.1.to_string()), (ulid.to_owned(), id.to_owned()));
    assert_eq!(serde_json::to_value(pair).expect("JSON"), json!([ulid, id]));
    assert!(serde_json::from_value::<Ulid>(json!("01ARZ3NDEKTSV4RRFFQ69G5FAU!")).is_err());
    assert!(serde_json::from_value::<ObjectId>(json!(7)).is_err());
}
