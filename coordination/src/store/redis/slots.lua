-- What is remembered of a namespace:
--   SPACE  a hash: version, fingerprint, nodes, max_ttl_us, incarnation, quarantine_until_us, server
--   SLOTS  a hash: a slot's first node -> one past its last, fence, token, start, end, high-water mark, of 19 digits each, and the
--          holder's text
--   INDEX  a sorted set whose members have one score and so are in the order of their bytes, two for each slot:
--          n:FIRST                        finds the slot that holds a node
--          f:WIDTH:HIGH WATER:FIRST       finds free nodes: those that were given back or never had
--          h:WIDTH:HIGH WATER:FIRST       the same, of leases that were granted and may be over
-- None has a time to live.

local SPACE, SLOTS, INDEX = KEYS[1], KEYS[2], KEYS[3]
local VERSION = "1"

-- Ends the script with an answer that is no grant. Nothing has been written before, but what the answer says.
local function refuse(...)
  error({ ... }, 0)
end

local function corrupt(key, what)
  refuse("corrupt", key, what)
end

local function expect_type(key, wanted)
  local found = redis.call("TYPE", key).ok
  if found ~= wanted then
    corrupt(key, "it is of the type " .. found .. ", and should be " .. wanted)
  end
end

-- The namespace, or nil where there is none.
local function read_space()
  if redis.call("EXISTS", SPACE) == 0 then
    return nil
  end
  expect_type(SPACE, "hash")
  local fields, space = redis.call("HGETALL", SPACE), {}
  for at = 1, #fields, 2 do
    space[fields[at]] = fields[at + 1]
  end
  if space.version ~= VERSION then
    refuse("version", SPACE, space.version or "none")
  end
  for _, name in ipairs({ "nodes", "max_ttl_us", "incarnation", "quarantine_until_us" }) do
    if not is_number(space[name] or "") then
      corrupt(SPACE, name .. " is " .. (space[name] or "not there"))
    end
  end
  for _, name in ipairs({ "max_ttl_us", "quarantine_until_us" }) do
    if less(MAX_IN_USE, space[name]) then
      corrupt(SPACE, name .. " is " .. space[name] .. ", which is more than " .. MAX_IN_USE)
    end
  end
  if space.nodes == ZERO or space.max_ttl_us == ZERO then
    corrupt(SPACE, "its nodes or its longest lease are 0")
  end
  if not space.fingerprint then
    corrupt(SPACE, "fingerprint is not there")
  end
  expect_type(SLOTS, "hash")
  expect_type(INDEX, "zset")
  local slots, members = redis.call("HLEN", SLOTS), redis.call("ZCARD", INDEX)
  if members ~= 2 * slots then
    corrupt(INDEX, "it has " .. members .. " members for " .. slots .. " slots")
  end
  return space
end

local function parse(space, first, text)
  local slot = { first = first, holder = string.sub(text, 121) }
  local at = 1
  for _, name in ipairs({ "past", "fence", "token", "start_us", "end_us", "high_water_us" }) do
    slot[name] = string.sub(text, at, at + 18)
    if not is_number(slot[name]) or string.sub(text, at + 19, at + 19) ~= " " then
      corrupt(SLOTS, "the slot of node " .. first .. " has no number for " .. name)
    end
    at = at + 20
  end
  if not less(first, slot.past) or less(space.nodes, slot.past) then
    corrupt(SLOTS, "the slot of node " .. first .. " goes to " .. slot.past)
  end
  for _, name in ipairs({ "fence", "start_us", "end_us", "high_water_us" }) do
    if less(MAX_IN_USE, slot[name]) then
      corrupt(SLOTS, "the slot of node " .. first .. " has for " .. name .. " more than " .. MAX_IN_USE)
    end
  end
  if less(slot.high_water_us, slot.start_us) then
    corrupt(SLOTS, "the slot of node " .. first .. " began at " .. slot.start_us .. ", its high-water mark is " .. slot.high_water_us)
  end
  if slot.end_us ~= ZERO and slot.end_us ~= slot.high_water_us then
    corrupt(SLOTS, "the slot of node " .. first .. " ends at " .. slot.end_us .. ", its high-water mark is " .. slot.high_water_us)
  end
  return slot
end

local function read(space, first)
  local text = redis.call("HGET", SLOTS, first)
  if not text then
    corrupt(SLOTS, "it has no slot of node " .. first)
  end
  return parse(space, first, text)
end

local function text_of_slot(slot)
  local numbers = { slot.past, slot.fence, slot.token, slot.start_us, slot.end_us, slot.high_water_us }
  return table.concat(numbers, " ") .. " " .. slot.holder
end

local function member_of(slot)
  local kind = slot.end_us == ZERO and "f" or "h"
  return table.concat({ kind, subtract(slot.past, slot.first), slot.high_water_us, slot.first }, ":")
end

local function remove(slot)
  redis.call("HDEL", SLOTS, slot.first)
  redis.call("ZREM", INDEX, "n:" .. slot.first, member_of(slot))
end

local function put(slot)
  redis.call("HSET", SLOTS, slot.first, text_of_slot(slot))
  redis.call("ZADD", INDEX, 0, "n:" .. slot.first, 0, member_of(slot))
end

-- The slot that holds this node, or nil for a node that the namespace does not have.
local function slot_of(space, node)
  if node == "-" or not less(node, space.nodes) then
    return nil
  end
  local found = redis.call("ZREVRANGEBYLEX", INDEX, "[n:" .. node, "[n:", "LIMIT", 0, 1)[1]
  local slot = found and read(space, string.sub(found, 3))
  if not slot or not less(node, slot.past) then
    corrupt(SLOTS, "no slot holds the node " .. node)
  end
  return slot
end

-- The slot of just this grant, or nil.
local function slot_with_key(space, key)
  local slot = slot_of(space, key.first)
  if slot and slot.first == key.first and slot.past == key.past and slot.fence == key.fence and slot.token == key.token then
    return slot
  end
  return nil
end
