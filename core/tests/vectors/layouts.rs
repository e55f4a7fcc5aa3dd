//! The operations of layouts as text and JSON.

use super::{small, text};
use saiban::{Error, Layout};
use serde_json::{Map, Value, json};

pub fn answer(op: &str, given: &Value) -> Result<Value, Error> {
    let number = |name: &str| text(&given[name]).parse::<f64>().expect("a number");
    match op {
        "layout" => Ok(answers(&Layout::from_text(text(&given["text"]))?)),
        "from_json" => {
            let layout = Layout::from_json(text(&given["json"]))?;
            Ok(json!({ "text": layout.to_string() }))
        }
        "with_rollback_bits" => {
            let layout = Layout::from_text(text(&given["text"]))?.with_rollback_bits(small(&given["bits"]))?;
            Ok(json!({ "text": layout.to_string() }))
        }
        "collision_odds" => {
            let odds =
                Layout::from_text(text(&given["text"]))?.collision_odds(number("ids_per_second"), number("seconds"))?;
            Ok(json!({ "odds": float(odds) }))
        }
        op => panic!("an operation {op}"),
    }
}

/// Returns the shortest decimal text that decodes to this number.
fn float(number: f64) -> String {
    let plain = number.to_string();
    if plain.len() <= 20 { plain } else { format!("{number:e}") }
}

fn answers(layout: &Layout) -> Value {
    assert_eq!(Layout::from_text(&layout.to_string()), Ok(*layout));
    assert_eq!(Layout::from_json(&layout.to_json()), Ok(*layout));
    let (capacity, rate) = (layout.capacity(), layout.ids_per_second());
    let places = layout.places().map(|place| {
        let mut object = Map::new();
        object.insert("kind".into(), place.field.kind.name().into());
        if !place.field.name.is_empty() {
            object.insert("name".into(), place.field.name.as_str().into());
        }
        object.insert("bits".into(), place.field.bits.into());
        object.insert("shift".into(), place.shift.into());
        object.insert("max".into(), place.max.to_string().into());
        Value::Object(object)
    });
    let mut out = json!({
        "text": layout.to_string(),
        "json": layout.to_json(),
        "size_bits": layout.size_bits(),
        "epoch_ms": layout.epoch_ms().to_string(),
        "tick_us": layout.tick_us().to_string(),
        "first_ms": layout.first_ms().to_string(),
        "last_ms": layout.last_ms().to_string(),
        "lifetime_ms": layout.lifetime_ms().to_string(),
        "ids_per_tick": capacity.ids_per_tick.to_string(),
        "nodes": capacity.nodes.to_string(),
        "bits": capacity.bits,
        "ids": capacity.ids.to_string(),
        "per_node": float(rate.per_node),
        "in_all": float(rate.in_all),
        "is_unique": layout.is_unique(),
        "is_time_ordered": layout.is_time_ordered(),
        "places": places.collect::<Vec<_>>(),
    });
    if let Some(name) = layout.name() {
        out["name"] = json!(name);
    }
    out
}
