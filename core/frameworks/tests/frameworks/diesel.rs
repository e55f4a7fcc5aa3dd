//! Diesel, with a table of orders in an SQLite database.

use crate::{ID, through_javascript};
use diesel::prelude::*;
use diesel::sql_query;
use diesel_derive_newtype::DieselNewType;
use serde::{Deserialize, Serialize};

diesel::table! {
    orders (id) {
        id -> BigInt,
        parent -> Nullable<BigInt>,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, DieselNewType)]
struct OrderId(#[serde(with = "saiban::serde::base62")] i64);

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Insertable, Queryable, Selectable)]
#[diesel(table_name = orders)]
struct Order {
    id: OrderId,
    parent: Option<OrderId>,
}

#[test]
fn an_id_goes_from_the_database_to_javascript_and_back() {
    let mut database = SqliteConnection::establish(":memory:").expect("SQLite");
    let table = "CREATE TABLE orders (id BIGINT PRIMARY KEY, parent BIGINT REFERENCES orders)";
    sql_query(table).execute(&mut database).expect("a table");
    let order = Order { id: OrderId(ID), parent: None };
    let child = Order { id: OrderId(-ID), parent: Some(order.id) };
    diesel::insert_into(orders::table).values([&order, &child]).execute(&mut database).expect("two rows");

    let read = orders::table.select(Order::as_select()).find(order.id).first(&mut database).expect("a row");
    let json = serde_json::to_string(&read).expect("JSON");
    assert_eq!(json, r#"{"id":"2Wyi3Ucx9Hs","parent":null}"#);
    let returned: Order = serde_json::from_str(&through_javascript(&json)).expect("an order");
    assert_eq!(returned, order);
    let children = orders::table.select(Order::as_select()).filter(orders::parent.eq(returned.id));
    assert_eq!(children.load(&mut database).expect("rows"), [child]);
}
