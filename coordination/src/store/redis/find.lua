-- Which nodes a new lease gets: what coordination/src/lease/free.rs says, by the index.

local function width_of(member)
  return string.sub(member, 3, 21)
end

local function high_water_of(member)
  return string.sub(member, 23, 41)
end

local function first_of(member)
  return string.sub(member, 43)
end

-- The members of a kind, by width from this one on: one of each width, that of the lowest high-water mark.
local function widths(kind, from)
  local lowest = "[" .. kind .. ":" .. from .. ":"
  return function()
    local member = redis.call("ZRANGEBYLEX", INDEX, lowest, "(" .. kind .. ";", "LIMIT", 0, 1)[1]
    if member then
      lowest = "(" .. kind .. ":" .. width_of(member) .. ";"
    end
    return member
  end
end

-- The slot that is least too wide, and among these was free for longest, of those whose high-water mark has passed.
local function rested(kind, nodes, now)
  for member in widths(kind, nodes) do
    if not less(now, high_water_of(member)) then
      return member
    end
  end
  return nil
end

-- The same, of those that were given back but have their high-water mark still ahead.
local function resting(nodes, now, end_us)
  for member in widths("f", nodes) do
    local prefix = "(f:" .. width_of(member) .. ":"
    local found = redis.call("ZRANGEBYLEX", INDEX, prefix .. now .. ";", prefix .. end_us .. ":", "LIMIT", 0, 1)[1]
    if found then
      return found
    end
  end
  return nil
end

local function better(a, b)
  if not a or not b then
    return a or b
  end
  for _, of in ipairs({ width_of, high_water_of, first_of }) do
    if of(a) ~= of(b) then
      return less(of(a), of(b)) and a or b
    end
  end
  return a
end

-- Free neighbours that are wide enough together, by their members in order. Looks at all slots, unless none is free.
local function joined(nodes, now, end_us)
  local free = {}
  for kind, limit in pairs({ f = end_us .. ":", h = now .. ";" }) do
    for member in widths(kind, ONE) do
      local prefix = kind .. ":" .. width_of(member) .. ":"
      for _, each in ipairs(redis.call("ZRANGEBYLEX", INDEX, "[" .. prefix, "(" .. prefix .. limit)) do
        free[first_of(each)] = each
      end
    end
  end
  if not next(free) then
    return nil
  end
  -- Widths are small here, and a double is exact: a slot of more nodes than a lease can have was found before.
  local run, width, wanted = {}, 0, tonumber(nodes)
  for _, member in ipairs(redis.call("ZRANGEBYLEX", INDEX, "[n:", "(n;")) do
    local found = free[string.sub(member, 3)]
    if not found then
      run, width = {}, 0
    else
      run[#run + 1] = found
      width = width + tonumber(width_of(found))
      if width >= wanted then
        return run
      end
    end
  end
  return nil
end

-- When the first of those slots that were given back, and cool down until after this end, has rested; or nil.
local function cooling_until(end_us)
  local first = nil
  for member in widths("f", ONE) do
    local prefix = "f:" .. width_of(member) .. ":"
    local found = redis.call("ZRANGEBYLEX", INDEX, "[" .. prefix .. end_us .. ":", "(" .. prefix .. ";", "LIMIT", 0, 1)[1]
    if found then
      first = min(first or MOST, high_water_of(found))
    end
  end
  return first
end

-- The slots to take nodes of, in order, or nil.
local function find(space, nodes, now, end_us)
  local best = better(rested("f", nodes, now), rested("h", nodes, now)) or resting(nodes, now, end_us)
  -- Every slot has at least one node: where one is asked for there is nothing to join.
  local members = best and { best } or nodes ~= ONE and joined(nodes, now, end_us)
  if not members then
    return nil
  end
  local slots, past = {}, nil
  for at, member in ipairs(members) do
    local slot = read(space, first_of(member))
    if member_of(slot) ~= member then
      corrupt(INDEX, "its member " .. member .. " is not what the slot says")
    end
    if past and past ~= slot.first then
      corrupt(SLOTS, "no slot begins at the node " .. past)
    end
    slots[at], past = slot, slot.past
  end
  return slots
end
