-- IDs of the layout @LAYOUT@, exact in all their bits. Made by saiban.
--
-- KEYS[1] is a hash: its field node says which node the IDs have, and is to be set once (HSET key node 5; 0 to @MAX_NODE@); the other fields are the
-- script's own. Another layout needs another key. ARGV[1] says how many IDs, 1 unless it is given; there are fewer where the tick has fewer left, and
-- 4096 at most, as others wait meanwhile. ARGV[2] is the time in Unix microseconds, for tests; without it the server's.
--
-- The answer is a list of texts, which hold every digit. No ID comes twice@ORDER@, wherever the clock goes. Where
-- there is none to have, the answer is an error: SAIBAN_WAIT and the microseconds after which to ask again. The first call for a key waits for the
-- next tick: what an earlier key has done in this one nobody knows.
--
-- A server that has lost (it had no append-only file, or a failover lost what its replica had not) and whose clock is behind as well makes IDs
-- again. Where only the former is so, its clock is past what it forgot; in ticks of 0.1 s and more another server process begins with the next one.
--
-- A number of Lua is a double, exact up to 2^53: so an ID is kept as two halves of 32 bits.

local TICK_US, EPOCH_US, LAST_TICK = @TICK_US@, @EPOCH_US@, @LAST_TICK@
local MAX_NODE, MAX_SEQUENCE = @MAX_NODE@, @MAX_SEQUENCE@
local LAYOUT = "@LAYOUT@"
local MAX_IDS = 4096
-- Shorter ticks are over before a server has restarted: no need to ask which one it is, which takes longer than the IDs.
local LONG_TICK_US = 100000
local TWO_32, TWO_31 = 4294967296, 2147483648

-- Both halves of value * 2^shift, which is exact: a power of two changes no digit of a double.
local function halves(value, shift)
  local scaled = value * 2 ^ shift
  local high = math.floor(scaled / TWO_32)
  return high, scaled - high * TWO_32
end

-- The decimal digits of high * 2^32 + low, six of them apart so that nothing passes 2^53.
local function digits(high, low)
  local sign = ""
  if high >= TWO_31 then
    -- Of 64 bits the highest is the sign.
    sign, high, low = "-", TWO_32 - 1 - high, TWO_32 - low
  end
  local below = high * 967296 + low
  local above = high * 4294 + math.floor(below / 1000000)
  below = below % 1000000
  if above == 0 then
    return sign .. string.format("%.0f", below)
  end
  return sign .. string.format("%.0f%06.0f", above, below)
end

local function refuse(...)
  return redis.error_reply(table.concat({ ... }))
end

-- Which process of which history answers: another one may have lost what was done in this tick.
local function server()
  if TICK_US < LONG_TICK_US then
    return ""
  end
  local run = string.match(redis.call("INFO", "server"), "run_id:(%x+)")
  local history = string.match(redis.call("INFO", "replication"), "master_replid:(%x+)")
  return (run or "") .. ":" .. (history or "")
end

local function generate(KEYS, ARGV)
  local key = KEYS[1]
  if not key then
    return refuse("SAIBAN_ARGUMENT a key is needed: of the hash with the node")
  end
  local count = tonumber(ARGV[1] or "1")
  if not count or count < 1 or count % 1 ~= 0 then
    return refuse("SAIBAN_ARGUMENT the number of IDs is ", tostring(ARGV[1]), ": give 1 or more")
  end
  local state = redis.call("HMGET", key, "node", "tick", "next", "layout", "server")
  local node, tick, next = tonumber(state[1]), tonumber(state[2]), tonumber(state[3])
  if (tick or state[4]) and state[4] ~= LAYOUT then
    return refuse("SAIBAN_LAYOUT ", key, " counts for the layout ", state[4] or "that nobody knows", ", not for ", LAYOUT, ": give this one another key")
  end
  if not node or node < 0 or node > MAX_NODE or node % 1 ~= 0 then
    return refuse("SAIBAN_NODE the node of ", key, " is ", state[1] or "not set", ": HSET ", key, " node N, of 0 to ", string.format("%.0f", MAX_NODE))
  end
  local now_us = tonumber(ARGV[2])
  if not now_us then
    local time = redis.call("TIME")
    now_us = time[1] * 1000000 + time[2]
  end
  local since_us = now_us - EPOCH_US
  local now = (since_us - since_us % TICK_US) / TICK_US
  if now < 0 or now > LAST_TICK then
    return refuse("SAIBAN_TIME the time ", string.format("%.0f", now_us), " us is not one that the layout can hold")
  end
  if tick and tick > LAST_TICK then
    return refuse("SAIBAN_TIME the tick of ", key, " is ", state[2], ", and the last of the layout ", string.format("%.0f", LAST_TICK))
  end
  local answering = server()
  if not tick or not next or state[5] ~= answering then
    tick, next = math.max(now, tick or now), MAX_SEQUENCE + 1
    redis.call("HSET", key, "layout", LAYOUT, "server", answering)
  elseif now > tick then
    tick, next = now, 0
  end
  local left = MAX_SEQUENCE + 1 - next
  if left < 1 then
    redis.call("HSET", key, "tick", string.format("%.0f", tick), "next", string.format("%.0f", next))
    local wait_us = (tick + 1) * TICK_US + EPOCH_US - now_us
    local why = "the IDs of this tick are used up"
    if now < tick then
      why = "the clock is behind the last ID"
    end
    return refuse("SAIBAN_WAIT ", string.format("%.0f", wait_us), " ", why, ": try again after this many microseconds")
  end
  count = math.min(count, left, MAX_IDS)
  redis.call("HSET", key, "tick", string.format("%.0f", tick), "next", string.format("%.0f", next + count))
  local tick_high, tick_low = halves(tick, @TIMESTAMP_SHIFT@)
  local node_high, node_low = halves(node, @NODE_SHIFT@)
  local high, low = tick_high + node_high + @FIXED_HIGH@, tick_low + node_low + @FIXED_LOW@
  local ids = {}
  for at = 1, count do
    local sequence_high, sequence_low = halves(next + at - 1, @SEQUENCE_SHIFT@)
    ids[at] = digits(high + sequence_high, low + sequence_low)
  end
  return ids
end
