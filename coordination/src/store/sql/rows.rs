//! Reads and writes the two tables of leases, and validates their rows.

use super::failure::Failure;
use super::session::{Cell, Row, Session};
use crate::lease::protocol::Changes;
use crate::lease::{Namespace, Slot};
use crate::store::values::MAX_VALUE;

/// The version of the tables that this program supports.
pub(super) const VERSION: i64 = 1;

const NAMESPACE: &str = "name, version, fingerprint, nodes, max_ttl_us, incarnation, quarantine_until_us";
const SLOT: &str = "nodes_start, nodes_end, fence, token, start_us, end_us, high_water_us, holder";

/// Returns the namespace of this name. `lock` is empty, or locks the row until the transaction
/// ends.
pub(super) async fn namespace(session: &mut dyn Session, name: &str, lock: &str) -> Result<Option<Namespace>, Failure> {
    let sql = format!("SELECT {NAMESPACE} FROM saiban_namespaces WHERE name = ?{lock}");
    let rows = session.rows(&sql, &[name.into()]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    // A database may compare different texts as equal: "a" and "a ".
    if row.first() != Some(&Cell::Text(name.into())) {
        return Ok(None);
    }
    let place = format!("the row of the namespace {name:?} in saiban_namespaces");
    let version = number(row, 1, "version", &place)?;
    if version > VERSION {
        return Err(Failure::Newer { place, version });
    }
    let namespace = Namespace {
        fingerprint: text(row, 2, "fingerprint", &place)?,
        nodes: number(row, 3, "nodes", &place)?,
        max_ttl_us: number(row, 4, "max_ttl_us", &place)?,
        incarnation: number(row, 5, "incarnation", &place)?,
        quarantine_until_us: number(row, 6, "quarantine_until_us", &place)?,
    };
    let Namespace { nodes, max_ttl_us, quarantine_until_us, .. } = namespace;
    if version < 1
        || nodes < 1
        || !(1..=MAX_VALUE).contains(&max_ttl_us)
        || !(0..=MAX_VALUE).contains(&quarantine_until_us)
    {
        let what = format!(
            "version {version}, nodes {nodes}, max_ttl_us {max_ttl_us}, quarantine_until_us {quarantine_until_us}"
        );
        return Err(Failure::Corrupt { place, what });
    }
    Ok(Some(namespace))
}

/// Writes a new namespace and its first slots.
pub(super) async fn insert(
    session: &mut dyn Session,
    name: &str,
    namespace: &Namespace,
    slots: &[Slot],
) -> Result<(), Failure> {
    let sql = format!("INSERT INTO saiban_namespaces ({NAMESPACE}) VALUES (?, ?, ?, ?, ?, ?, ?)");
    let Namespace { fingerprint, nodes, max_ttl_us, incarnation, quarantine_until_us } = namespace;
    let numbers = [*nodes, *max_ttl_us, *incarnation, *quarantine_until_us].map(Into::into);
    let values: Vec<_> =
        [name.into(), VERSION.into(), fingerprint.as_str().into()].into_iter().chain(numbers).collect();
    session.run(&sql, &values).await?;
    for slot in slots {
        insert_slot(session, name, slot).await?;
    }
    Ok(())
}

/// The slots to read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Which {
    /// All slots.
    All,
    /// The slot that contains this node.
    With(i64),
    /// The slots that have no holder at this time.
    Free { now_us: i64 },
    /// One slot with invalid values, if there is any. Such a slot could look held, so `Free` would
    /// not return it.
    Flawed,
    /// The best of the slots that are wide enough by themselves, for a lease from `now_us` to
    /// `end_us`.
    Best { nodes: i64, now_us: i64, end_us: i64 },
}

/// Returns slots in the order of their nodes. `lock` is empty, or locks the rows until the
/// transaction ends.
///
/// # Errors
/// `Failure::Corrupt` for invalid rows, and for slots that overlap.
pub(super) async fn slots(
    session: &mut dyn Session,
    (name, namespace): (&str, &Namespace),
    which: Which,
    lock: &str,
) -> Result<Vec<Slot>, Failure> {
    let select = format!("SELECT {SLOT} FROM saiban_slots WHERE namespace = ?");
    let name_value = name.into();
    let rows = match which {
        Which::All => session.rows(&format!("{select} ORDER BY nodes_start{lock}"), &[name_value]).await?,
        Which::With(node) => {
            let sql = format!("{select} AND nodes_start <= ? AND nodes_end > ?{lock}");
            session.rows(&sql, &[name_value, node.into(), node.into()]).await?
        }
        Which::Free { now_us } => {
            let sql = format!("{select} AND end_us <= ? ORDER BY nodes_start{lock}");
            session.rows(&sql, &[name_value, now_us.into()]).await?
        }
        Which::Flawed => {
            let sql = format!(
                "{select} AND (fence BETWEEN 0 AND ? AND high_water_us BETWEEN 0 AND ? AND start_us BETWEEN 0 AND \
                 high_water_us AND end_us BETWEEN 0 AND high_water_us) IS NOT TRUE LIMIT 1{lock}"
            );
            session.rows(&sql, &[name_value, MAX_VALUE.into(), MAX_VALUE.into()]).await?
        }
        Which::Best { nodes, now_us, end_us } => {
            let sql = format!(
                "{select} AND end_us <= ? AND high_water_us < ? AND nodes_end - nodes_start >= ? ORDER BY CASE WHEN \
                 high_water_us > ? THEN 1 ELSE 0 END, nodes_end - nodes_start, high_water_us, nodes_start LIMIT \
                 1{lock}"
            );
            let numbers = [now_us, end_us, nodes, now_us].map(Into::into);
            session.rows(&sql, &[&[name_value], &numbers[..]].concat()).await?
        }
    };
    let slots = rows.iter().map(|row| slot(row, name, namespace)).collect::<Result<Vec<_>, _>>()?;
    let overlap = slots.windows(2).find(|pair| pair[1].nodes.start < pair[0].nodes.end);
    match overlap {
        Some(pair) => Err(gap(name, namespace, pair[1].nodes.start)),
        None => Ok(slots),
    }
}

/// Checks that the slots before and after a slot are adjacent to it.
///
/// # Errors
/// `Failure::Corrupt`.
pub(super) async fn check_neighbours(
    session: &mut dyn Session,
    (name, namespace): (&str, &Namespace),
    slot: &Slot,
) -> Result<(), Failure> {
    let sql = "SELECT coalesce((SELECT nodes_end FROM saiban_slots WHERE namespace = ? AND nodes_start < ? \
               ORDER BY nodes_start DESC LIMIT 1), 0), \
               coalesce((SELECT nodes_start FROM saiban_slots WHERE namespace = ? AND nodes_start > ? \
               ORDER BY nodes_start LIMIT 1), ?)";
    let start = slot.nodes.start.into();
    let rows = session.rows(sql, &[name.into(), start, name.into(), start, namespace.nodes.into()]).await?;
    let edges = [Cell::Number(slot.nodes.start), Cell::Number(slot.nodes.end)];
    if rows.first().map(Vec::as_slice) == Some(&edges) { Ok(()) } else { Err(gap(name, namespace, slot.nodes.start)) }
}

/// Checks in the database that the slots cover all nodes, without gap or overlap.
///
/// # Errors
/// `Failure::Corrupt`.
pub(super) async fn check_division(
    session: &mut dyn Session,
    name: &str,
    namespace: &Namespace,
) -> Result<(), Failure> {
    // The databases differ in the default argument of lag and lead, so this uses coalesce.
    let sql = "SELECT count(*), min(CASE WHEN nodes_end <= nodes_start OR before_start <> nodes_start OR after_end \
               <> nodes_end THEN nodes_start END) FROM (SELECT nodes_start, nodes_end, coalesce(lag(nodes_end) OVER \
               (ORDER BY nodes_start), 0) AS before_start, coalesce(lead(nodes_start) OVER (ORDER BY nodes_start), \
               ?) AS after_end FROM saiban_slots WHERE namespace = ?) AS divided";
    let rows = session.rows(sql, &[namespace.nodes.into(), name.into()]).await?;
    match rows.first().map(Vec::as_slice) {
        Some([Cell::Number(1..), Cell::Other]) => Ok(()),
        Some([Cell::Number(1..), Cell::Number(start)]) => Err(gap(name, namespace, *start)),
        _ => Err(corrupt(&format!("the namespace {name:?} in saiban_slots"), "it has no rows that can be read".into())),
    }
}

/// Checks that these slots cover all nodes, without gap or overlap.
///
/// # Errors
/// `Failure::Corrupt`.
pub(super) fn check_all(slots: &[Slot], name: &str, namespace: &Namespace) -> Result<(), Failure> {
    let mut next = 0;
    for slot in slots {
        if slot.nodes.start != next {
            return Err(gap(name, namespace, slot.nodes.start));
        }
        next = slot.nodes.end;
    }
    if next == namespace.nodes { Ok(()) } else { Err(gap(name, namespace, next)) }
}

/// Writes changes over the slots that were read.
///
/// # Errors
/// `Failure::Again` if a slot is no longer as it was read.
pub(super) async fn write(
    session: &mut dyn Session,
    name: &str,
    read: &[Slot],
    Changes { removed, put, quarantine_until_us }: &Changes,
) -> Result<(), Failure> {
    let before = |start: i64| read.iter().find(|slot| slot.nodes.start == start);
    for &start in removed {
        let old = before(start).ok_or(Failure::Again)?;
        let sql = "DELETE FROM saiban_slots WHERE namespace = ? AND nodes_start = ? AND fence = ? AND end_us = ?";
        one(session.run(sql, &[name.into(), start.into(), old.fence.into(), old.end_us.into()]).await?)?;
    }
    for slot in put {
        let Some(old) = before(slot.nodes.start) else {
            insert_slot(session, name, slot).await?;
            continue;
        };
        let sql = "UPDATE saiban_slots SET nodes_end = ?, fence = ?, token = ?, start_us = ?, end_us = ?, \
                   high_water_us = ?, holder = ? WHERE namespace = ? AND nodes_start = ? AND fence = ? AND end_us = \
                   ?";
        let Slot { nodes, fence, token, start_us, end_us, high_water_us, holder } = slot;
        let numbers = [nodes.end, *fence, *token, *start_us, *end_us, *high_water_us].map(Into::into);
        let key = [nodes.start, old.fence, old.end_us].map(Into::into);
        let texts = [holder.as_str().into(), name.into()];
        one(session.run(sql, &[&numbers[..], &texts, &key].concat()).await?)?;
    }
    if let Some(until_us) = quarantine_until_us {
        let sql = "UPDATE saiban_namespaces SET quarantine_until_us = ? WHERE name = ?";
        one(session.run(sql, &[(*until_us).into(), name.into()]).await?)?;
    }
    Ok(())
}

async fn insert_slot(session: &mut dyn Session, name: &str, slot: &Slot) -> Result<(), Failure> {
    let sql = format!("INSERT INTO saiban_slots (namespace, {SLOT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    let Slot { nodes, fence, token, start_us, end_us, high_water_us, holder } = slot;
    let numbers = [nodes.start, nodes.end, *fence, *token, *start_us, *end_us, *high_water_us].map(Into::into);
    session.run(&sql, &[&[name.into()], &numbers[..], &[holder.as_str().into()]].concat()).await?;
    Ok(())
}

pub(super) fn one(rows: u64) -> Result<(), Failure> {
    if rows == 1 { Ok(()) } else { Err(Failure::Again) }
}

fn slot(row: &Row, name: &str, namespace: &Namespace) -> Result<Slot, Failure> {
    let start = number(row, 0, "nodes_start", &format!("a row of the namespace {name:?} in saiban_slots"))?;
    let place = format!("the row of nodes_start {start} of the namespace {name:?} in saiban_slots");
    let column = |index, column| number(row, index, column, &place);
    let slot = Slot {
        nodes: start..column(1, "nodes_end")?,
        fence: column(2, "fence")?,
        token: column(3, "token")?,
        start_us: column(4, "start_us")?,
        end_us: column(5, "end_us")?,
        high_water_us: column(6, "high_water_us")?,
        holder: text(row, 7, "holder", &place)?,
    };
    let Slot { nodes, fence, start_us, end_us, high_water_us, .. } = &slot;
    let is_ours = 0 <= nodes.start && nodes.start < nodes.end && nodes.end <= namespace.nodes;
    let is_ours =
        is_ours && [fence, start_us, end_us, high_water_us].iter().all(|number| (0..=MAX_VALUE).contains(*number));
    // The holder may use every time before the slot's end, so the next lease must begin at or after
    // it.
    if is_ours && start_us <= high_water_us && end_us <= high_water_us {
        return Ok(slot);
    }
    let what = format!(
        "nodes_end {}, fence {fence}, start_us {start_us}, end_us {end_us}, high_water_us {high_water_us}, of {} nodes",
        nodes.end, namespace.nodes
    );
    Err(corrupt(&place, what))
}

pub(super) fn number(row: &Row, index: usize, column: &str, place: &str) -> Result<i64, Failure> {
    match row.get(index) {
        Some(Cell::Number(number)) => Ok(*number),
        Some(Cell::Text(text)) => {
            let shown: String = text.chars().take(40).collect();
            Err(corrupt(place, format!("{column} is the text {shown:?}, not a whole number")))
        }
        Some(Cell::Other) | None => Err(corrupt(place, format!("{column} is not a whole number of 64 bits (BIGINT)"))),
    }
}

pub(super) fn text(row: &Row, index: usize, column: &str, place: &str) -> Result<String, Failure> {
    match row.get(index) {
        Some(Cell::Text(text)) => Ok(text.clone()),
        _ => Err(corrupt(place, format!("{column} is no text"))),
    }
}

fn gap(name: &str, namespace: &Namespace, start: i64) -> Failure {
    let what = format!(
        "the rows do not cover {} nodes exactly once: check nodes_start {start} and its neighbours",
        namespace.nodes
    );
    corrupt(&format!("the namespace {name:?} in saiban_slots"), what)
}

pub(super) fn corrupt(place: &str, what: String) -> Failure {
    Failure::Corrupt { place: place.into(), what }
}
