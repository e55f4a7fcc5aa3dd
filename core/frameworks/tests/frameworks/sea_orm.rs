//! SeaORM, with a table of orders in an SQLite database.

use crate::through_javascript;
use saiban::{Generator, SnowflakeGenerator};
use sea_orm::entity::prelude::*;
use sea_orm::{ActiveValue::Set, Database, Schema};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

static IDS: LazyLock<SnowflakeGenerator> = LazyLock::new(|| SnowflakeGenerator::new(7).expect("a generator"));

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, DeriveValueType)]
pub struct OrderId(#[serde(with = "saiban::serde::decimal")] i64);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, DeriveEntityModel)]
#[sea_orm(table_name = "orders")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: OrderId,
    pub parent: Option<OrderId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {
    /// Returns a model with a new ID.
    fn new() -> Self {
        let id = OrderId(IDS.generate().expect("an ID"));
        Self { id: Set(id), ..ActiveModelTrait::default() }
    }
}

#[tokio::test]
async fn an_id_goes_from_the_database_to_javascript_and_back() {
    let database = Database::connect("sqlite::memory:").await.expect("SQLite");
    let table = Schema::new(database.get_database_backend()).create_table_from_entity(Entity);
    database.execute(&table).await.expect("a table");
    let order = ActiveModel::new().insert(&database).await.expect("a new row");
    let child = ActiveModel { parent: Set(Some(order.id)), ..ActiveModel::new() };
    let child = child.insert(&database).await.expect("a new row");
    assert!(order.id.0 > 1 << 53 && child.id != order.id);

    let read = Entity::find_by_id(order.id).one(&database).await.expect("a query").expect("a row");
    let json = serde_json::to_string(&read).expect("JSON");
    assert_eq!(json, format!(r#"{{"id":"{}","parent":null}}"#, order.id.0));
    let returned: Model = serde_json::from_str(&through_javascript(&json)).expect("an order");
    assert_eq!(returned, order);
    let children = Entity::find().filter(Column::Parent.eq(returned.id)).all(&database).await;
    assert_eq!(children.expect("a query"), [child]);
}
