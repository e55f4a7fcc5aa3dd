-- The requests, decided as coordination/src/lease/protocol.rs says. ARGV: the time (empty: the server's; tests give their own), the
-- request, and what it needs, numbers as 19 digits. The answer: what was decided, the time, the namespace, and what else there is.

local function time()
  if ARGV[1] ~= "" then
    return ARGV[1]
  end
  local seconds, micros = unpack(redis.call("TIME"))
  local text = seconds .. string.rep("0", 6 - #micros) .. micros
  return string.rep("0", 19 - #text) .. text
end

local function argument(at)
  return ARGV[2 + at]
end

local function key_at(at)
  return { first = argument(at), past = argument(at + 1), fence = argument(at + 2), token = argument(at + 3) }
end

local now = time()

local function answer(space, what, ...)
  return { what, now, space.fingerprint, space.nodes, space.max_ttl_us, space.incarnation, space.quarantine_until_us, ... }
end

-- Where a holder has told, also until what it has seen is over, and what others may have been granted for as long.
local function quarantine(space, seen_end_us, ttl_us)
  local until_us = max(space.quarantine_until_us, add(now, space.max_ttl_us))
  if seen_end_us then
    until_us = max(until_us, min(seen_end_us, add(now, LONGEST_TTL_US)))
    until_us = max(until_us, add(now, min(ttl_us, LONGEST_TTL_US)))
  end
  space.quarantine_until_us = until_us
  redis.call("HSET", SPACE, "quarantine_until_us", space.quarantine_until_us)
end

-- Another server process than the one that wrote last: it may lack what that one had.
local function notice_another_server(space)
  local server = server_id() or ""
  if space.server ~= server then
    quarantine(space)
    redis.call("HSET", SPACE, "server", server)
  end
  return server
end

local function is_behind(space, seen)
  if not less(space.quarantine_until_us, seen.end_us) then
    return false
  end
  if space.incarnation ~= seen.incarnation then
    return true
  end
  local key = seen.key
  local slot = slot_of(space, key.first)
  if not slot or less(key.fence, slot.fence) then
    return false
  end
  if less(slot.fence, key.fence) then
    return true
  end
  local is_same = slot.first == key.first and slot.past == key.past and slot.token == key.token
  return slot.token ~= key.token or is_same and less(slot.end_us, seen.end_us)
end

local function granted(space, slot)
  return answer(space, "ok", slot.first, slot.past, slot.fence, slot.token, slot.start_us, slot.end_us)
end

local requests = {}

-- fingerprint, nodes, max_ttl_us, incarnation, first
function requests.create(space)
  if space then
    return answer(space, "ok")
  end
  for _, key in ipairs({ SLOTS, INDEX }) do
    if redis.call("EXISTS", key) == 1 then
      corrupt(key, "it is there, and " .. SPACE .. " is not")
    end
  end
  local fingerprint, nodes, max_ttl_us, incarnation, first = unpack(ARGV, 3)
  local server = server_id() or ""
  redis.call("HSET", SPACE, "version", VERSION, "fingerprint", fingerprint, "nodes", nodes, "max_ttl_us", max_ttl_us)
  redis.call("HSET", SPACE, "incarnation", incarnation, "quarantine_until_us", ZERO, "server", server)
  for _, range in ipairs({ { ZERO, first }, { first, nodes } }) do
    if less(range[1], range[2]) then
      local zeros = { fence = ZERO, token = ZERO, start_us = ZERO, end_us = ZERO, high_water_us = ZERO }
      zeros.first, zeros.past, zeros.holder = range[1], range[2], ""
      put(zeros)
    end
  end
  return answer(read_space(), "ok")
end

-- fingerprint, nodes, ttl_us, earliest and latest time that the clock allows, token, holder; and what was seen: incarnation,
-- end, key
function requests.acquire(space)
  local fingerprint, nodes, ttl_us, earliest_us, latest_us, token, holder, incarnation, seen_end_us = unpack(ARGV, 3)
  if space.fingerprint ~= fingerprint then
    return answer(space, "mismatch")
  end
  -- First of all: a namespace that was lost and made again may allow less than the holder wants.
  if incarnation and is_behind(space, { incarnation = incarnation, end_us = seen_end_us, key = key_at(10) }) then
    quarantine(space, seen_end_us, ttl_us)
    return answer(space, "quarantined")
  end
  if less(now, space.quarantine_until_us) then
    return answer(space, "quarantined")
  end
  if less(space.max_ttl_us, ttl_us) then
    return answer(space, "ttl")
  end
  if less(now, earliest_us) or less(latest_us, now) then
    return answer(space, "skew")
  end
  local end_us = add(now, ttl_us)
  local taken = find(space, nodes, now, end_us)
  if not taken then
    return answer(space, "full", cooling_until(end_us))
  end
  local slot = { first = taken[1].first, past = add(taken[1].first, nodes), token = token, holder = holder }
  local fence, high_water_us = ZERO, ZERO
  for _, each in ipairs(taken) do
    fence, high_water_us = max(fence, each.fence), max(high_water_us, each.high_water_us)
  end
  slot.fence, slot.start_us = add(fence, ONE), max(now, high_water_us)
  slot.end_us, slot.high_water_us = end_us, end_us
  local rest = taken[#taken]
  for _, each in ipairs(taken) do
    remove(each)
  end
  put(slot)
  if less(slot.past, rest.past) then
    rest.first = slot.past
    put(rest)
  end
  return granted(space, slot)
end

-- ttl_us; and what was seen: incarnation, end, key
function requests.renew(space)
  local ttl_us, incarnation, seen_end_us = unpack(ARGV, 3, 5)
  local seen = { incarnation = incarnation, end_us = seen_end_us, key = key_at(4) }
  if is_behind(space, seen) then
    quarantine(space, seen_end_us, ttl_us)
    return answer(space, "quarantined")
  end
  local slot = slot_with_key(space, seen.key)
  if not slot or not less(now, slot.end_us) then
    return answer(space, "lost")
  end
  if less(space.max_ttl_us, ttl_us) then
    return answer(space, "ttl")
  end
  if not less(seen.end_us, slot.end_us) then
    local end_us = max(slot.end_us, add(now, ttl_us))
    remove(slot)
    slot.end_us, slot.high_water_us = end_us, end_us
    put(slot)
  end
  return granted(space, slot)
end

-- high_water_us, key
function requests.release(space)
  local slot = slot_with_key(space, key_at(2))
  if slot then
    local fence = add(slot.fence, ONE)
    remove(slot)
    -- Past the end where this server was restored, and has lost a renewal; but not past any lease's.
    slot.high_water_us = max(slot.start_us, min(argument(1), max(slot.high_water_us, add(now, LONGEST_TTL_US))))
    slot.fence, slot.end_us = fence, ZERO
    put(slot)
  end
  return answer(space, "ok")
end

-- What there is to say of the namespace itself.
function requests.look(space)
  return answer(space, "ok")
end

function requests.quarantine(space)
  quarantine(space)
  return answer(space, "ok")
end

-- Also all slots: the first node of each, and what is written of it.
function requests.list(space)
  local all = answer(space, "ok")
  local members = redis.call("ZRANGEBYLEX", INDEX, "[n:", "(n;")
  for at = 1, #members, 1000 do
    local firsts = {}
    for each = at, math.min(at + 999, #members) do
      firsts[#firsts + 1] = string.sub(members[each], 3)
    end
    for each, text in ipairs(redis.call("HMGET", SLOTS, unpack(firsts))) do
      if not text then
        corrupt(SLOTS, "it has no slot of node " .. firsts[each])
      end
      all[#all + 1], all[#all + 2] = firsts[each], text
    end
  end
  return all
end

local function decide()
  local space = read_space()
  if space then
    notice_another_server(space)
  elseif ARGV[2] ~= "create" then
    return { "unknown" }
  end
  return requests[ARGV[2]](space)
end

local is_decided, decided = pcall(decide)
if is_decided or type(decided) == "table" and decided[1] then
  return decided
end
return error(decided)
