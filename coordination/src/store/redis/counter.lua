-- Counters, as coordination/src/counter/protocol.rs says. After numbers.lua. KEYS: the counter (a hash), and its days (a hash: day, next number).
-- ARGV: the request, and what it needs; numbers as 19 digits. The answer: what was decided, the
-- fingerprint, the incarnation, and the next number as it was before.
--
-- A server that was restarted, put back, or has taken another's place may have lost what was handed out last. Then the counter goes past what
-- that is likely to be: the most that was ever taken within a second, for each second since the last number that it remembers, and for ten more;
-- and at least 100 numbers for each of those seconds, up to an hour: what it remembers may be too young to have a rate. Numbers that were taken
-- faster than that, and all forgotten, it cannot know of. Servers that are restarted again and again, and forget that too, are seconds apart:
-- none hands out anything in its first three.

local COUNTER, DAYS = KEYS[1], KEYS[2]
local VERSION = "1"
local MORE_SECONDS = 10
local LONGEST_SECONDS = 3600
local FIRST_SECONDS = 3

local function refuse(...)
  error({ ... }, 0)
end

local function is_hash(key)
  local found = redis.call("TYPE", key).ok
  if found ~= "hash" and found ~= "none" then
    refuse("corrupt", key, "it is of the type " .. found .. ", and should be hash")
  end
  return found == "hash"
end

local function this_server()
  return server_id() or refuse("nameless")
end

-- Seconds, and days since 1970, which may be before it: none has more than 10 digits.
local function is_whole(text)
  return string.find(text, "^%d+$") and #text <= 10
end

local function is_day(text)
  return is_whole((string.gsub(text, "^-", "")))
end

local function read()
  local fields, counter = redis.call("HGETALL", COUNTER), {}
  for at = 1, #fields, 2 do
    counter[fields[at]] = fields[at + 1]
  end
  if counter.version ~= VERSION then
    refuse("version", COUNTER, counter.version or "none")
  end
  for _, name in ipairs({ "incarnation", "next", "in_second", "most_in_second" }) do
    if not is_number(counter[name] or "") then
      refuse("corrupt", COUNTER, name .. " is " .. (counter[name] or "not there"))
    end
  end
  if not counter.fingerprint or not is_whole(counter.second or "") then
    refuse("corrupt", COUNTER, "fingerprint or second is not there")
  end
  if counter.doubtful_day and not (is_day(counter.doubtful_day) and is_number(counter.doubt or "")) then
    refuse("corrupt", COUNTER, "doubtful_day is " .. counter.doubtful_day .. ", and doubt " .. (counter.doubt or "not there"))
  end
  return counter
end

-- The next number of a day. One without numbers begins again, unless it may have had some that were lost.
local function day_of(counter, day)
  local next = is_hash(DAYS) and redis.call("HGET", DAYS, day)
  if next and not is_number(next) then
    refuse("corrupt", DAYS, "the day " .. day .. " is " .. next)
  end
  if next then
    return next
  end
  if counter.doubtful_day and tonumber(day) <= tonumber(counter.doubtful_day) then
    return add_up_to_most(counter.next, counter.doubt)
  end
  return counter.next
end

-- least: 100 of the counter's numbers.
local function notice_another_server(counter, second, day, least)
  local server = this_server()
  if counter.server == server then
    return
  end
  local uptime = string.match(redis.call("INFO", "server"), "uptime_in_seconds:(%d+)")
  if tonumber(uptime or 0) < FIRST_SECONDS then
    refuse("young")
  end
  local elapsed = tonumber(second) - tonumber(counter.second)
  if elapsed < 0 then
    -- Its clock is behind: how long it was nobody knows.
    elapsed = LONGEST_SECONDS
  end
  local doubt = max(
    times_up_to_most(counter.most_in_second, MORE_SECONDS + elapsed),
    times_up_to_most(least, MORE_SECONDS + math.min(elapsed, LONGEST_SECONDS))
  )
  redis.call("HSET", COUNTER, "server", server)
  if day == "" then
    counter.next = add_up_to_most(counter.next, doubt)
    redis.call("HSET", COUNTER, "next", counter.next)
    return
  end
  for _, each in ipairs(is_hash(DAYS) and redis.call("HKEYS", DAYS) or {}) do
    redis.call("HSET", DAYS, each, add_up_to_most(day_of(counter, each), doubt))
  end
  -- Whatever day is asked for first, numbers of today are in doubt, and of tomorrow: somebody's clock may be ahead.
  local last = math.max(tonumber(day), math.floor(tonumber(second) / 86400) + 1) + 1
  if counter.doubtful_day then
    last = math.max(last, tonumber(counter.doubtful_day))
    doubt = add_up_to_most(doubt, counter.doubt)
  end
  counter.doubtful_day, counter.doubt = string.format("%.0f", last), doubt
  redis.call("HSET", COUNTER, "doubtful_day", counter.doubtful_day, "doubt", doubt)
end

local function note_rate(counter, second, grown)
  local in_second = grown
  if counter.second == second then
    in_second = add_up_to_most(counter.in_second, grown)
  end
  local most = max(counter.most_in_second, in_second)
  redis.call("HSET", COUNTER, "second", second, "in_second", in_second, "most_in_second", most)
end

local requests = {}

-- the fingerprint, the incarnation, the next number
function requests.create()
  if not is_hash(COUNTER) then
    if redis.call("EXISTS", DAYS) == 1 then
      refuse("corrupt", DAYS, "it is there, and " .. COUNTER .. " is not")
    end
    redis.call("HSET", COUNTER, "version", VERSION, "fingerprint", ARGV[2], "incarnation", ARGV[3], "next", ARGV[4])
    redis.call("HSET", COUNTER, "second", redis.call("TIME")[1], "in_second", ZERO, "most_in_second", ZERO, "server", this_server())
  end
  local counter = read()
  return { "ok", counter.fingerprint, counter.incarnation, counter.next }
end

-- The next number that was asked for: of a day, or where that is "" of the counter.
local function next_of(counter, day)
  if day == "" then
    return counter.next
  end
  return day_of(counter, day)
end

local function write_next(day, next)
  if day == "" then
    redis.call("HSET", COUNTER, "next", next)
  else
    redis.call("HSET", DAYS, day, next)
  end
end

-- the fingerprint, the incarnation, by how much it grows, the least and the most that the next number may be, the day, 100 of its numbers
function requests.take()
  if not is_hash(COUNTER) then
    return { "unknown" }
  end
  local fingerprint, incarnation, grown, least, most, day, hundred = unpack(ARGV, 2)
  local counter, second = read(), redis.call("TIME")[1]
  notice_another_server(counter, second, day, hundred)
  local next = next_of(counter, day)
  local is_same = counter.fingerprint == fingerprint and (incarnation == "-" or incarnation == counter.incarnation)
  if not is_same or less(next, least) or less(most, next) then
    return { "refused", counter.fingerprint, counter.incarnation, next }
  end
  note_rate(counter, second, grown)
  write_next(day, add(next, grown))
  return { "ok", counter.fingerprint, counter.incarnation, next }
end

-- the day
function requests.look()
  if not is_hash(COUNTER) then
    return { "unknown" }
  end
  local counter = read()
  return { "ok", counter.fingerprint, counter.incarnation, next_of(counter, ARGV[2]) }
end

-- the day, the least that the next number is to be, the incarnation, 100 of its numbers
function requests.raise()
  local day, least, incarnation, hundred = unpack(ARGV, 2)
  if not is_hash(COUNTER) or read().incarnation ~= incarnation then
    return { "unknown" }
  end
  local counter = read()
  notice_another_server(counter, redis.call("TIME")[1], day, hundred)
  local next = max(next_of(counter, day), least)
  write_next(day, next)
  return { "ok", counter.fingerprint, counter.incarnation, next }
end

local is_decided, decided = pcall(requests[ARGV[1]])
if is_decided or type(decided) == "table" and decided[1] then
  return decided
end
return error(decided)
