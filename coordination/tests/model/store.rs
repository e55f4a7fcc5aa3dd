//! The store: the protocol's own decisions, on the model's records.

use crate::setup::{Rule, Setup};
use crate::world::{Body, Memory, TICK_US, World};
use saiban_coordination::lease::protocol::{self, Changes, Decision, Grant, Renew, View};
use saiban_coordination::lease::{Namespace, Slot};

/// Serves one request. The response is `None` for a refusal; the response to a release does not
/// matter.
pub fn serve(world: &mut World, setup: &Setup, body: &Body) -> Option<Grant> {
    let now_us = world.store_us();
    let memory = &mut world.store.memory;
    match body {
        Body::Acquire(request, random) => decide(memory, setup, now_us, |view| {
            if setup.randoms > 0 {
                return protocol::acquire_anywhere(view, &view.namespace.fingerprint, request, *random);
            }
            if setup.has(Rule::StartAfterHighWater) {
                return protocol::acquire(view, &view.namespace.fingerprint, request);
            }
            let dry = |slot: &Slot| Slot { high_water_us: 0, ..slot.clone() };
            let slots: Vec<Slot> = view.slots.iter().map(dry).collect();
            protocol::acquire(&View { slots: &slots, ..view.clone() }, &view.namespace.fingerprint, request)
        }),
        Body::Renew(request) => decide(memory, setup, now_us, |view| {
            if setup.has(Rule::CompareAndSwap) {
                return protocol::renew(view, request);
            }
            let slots: Vec<Slot> = view.slots.iter().map(|slot| as_its_own(slot, request, now_us)).collect();
            protocol::renew(&View { slots: &slots, ..view.clone() }, request)
        }),
        Body::Release(request) => {
            decide(memory, setup, now_us, |view| protocol::release(view, request));
            None
        }
        Body::Answer(_) => None,
    }
}

/// Restores the store to the copy; the operator starts a quarantine, if the rule is active.
pub fn rewind(world: &mut World, setup: &Setup) {
    let Some(copy) = world.copy.take() else { return };
    let now_us = world.store_us();
    world.store.memory = copy;
    world.store.is_rewound = true;
    if setup.has(Rule::Quarantine) {
        decide(&mut world.store.memory, setup, now_us, protocol::quarantine_by_hand);
    }
}

/// Deletes the store's data; the namespace is created again, for shorter leases.
pub fn create_again(world: &mut World, setup: &Setup) {
    let memory = &mut world.store.memory;
    *memory = Memory::new(setup.nodes, memory.incarnation + 1, memory.ttl - 1);
    world.store.is_rewound = true;
}

/// Returns the slot as this renewal would need it: a store without the comparison accepts any
/// renewal.
fn as_its_own(slot: &Slot, request: &Renew, now_us: i64) -> Slot {
    let key = &request.seen.key;
    if slot.nodes.start != key.nodes.start {
        return slot.clone();
    }
    let end_us = slot.end_us.max(now_us + 1).min(request.seen.end_us.max(now_us + 1));
    Slot { nodes: key.nodes.clone(), fence: key.fence, token: key.token, end_us, ..slot.clone() }
}

fn decide<T>(
    memory: &mut Memory,
    setup: &Setup,
    now_us: i64,
    decide: impl FnOnce(&View<'_>) -> Decision<T>,
) -> Option<T> {
    let namespace = Namespace {
        fingerprint: String::new(),
        nodes: setup.nodes,
        max_ttl_us: memory.ttl * TICK_US,
        incarnation: memory.incarnation,
        quarantine_until_us: memory.quarantine_until_us,
    };
    let view = View { name: "model", namespace: &namespace, slots: &memory.slots, now_us };
    let Decision { answer, mut changes } = decide(&view);
    if !setup.has(Rule::QuarantineOutlastsLeases) {
        changes.quarantine_until_us =
            changes.quarantine_until_us.map(|until_us| until_us.min(now_us + namespace.max_ttl_us));
    }
    write(memory, changes);
    answer.ok()
}

fn write(memory: &mut Memory, Changes { removed, put, quarantine_until_us }: Changes) {
    let gone =
        |slot: &Slot| removed.contains(&slot.nodes.start) || put.iter().any(|new| new.nodes.start == slot.nodes.start);
    memory.slots.retain(|slot| !gone(slot));
    memory.slots.extend(put);
    memory.slots.sort_by_key(|slot| slot.nodes.start);
    memory.quarantine_until_us = quarantine_until_us.unwrap_or(memory.quarantine_until_us);
}
