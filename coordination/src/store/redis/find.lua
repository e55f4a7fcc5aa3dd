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

-- The members of a kind, by width from this one on: one of each width, that of the lowest high water.
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

-- The slot that is least too wide, and among these was free for longest, of those whose high water has passed.
local function rested(kind, nodes, now)
  for member in widths(kind, nodes) do
    if not less(now, high_water_of(member)) then
      return member
    end
  end
  return nil
end

-- The same, of those that were given back but have their high water still ahead.
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

-- Free neighbours that are wide enough together: looks at all slots, for there is no other way.
local function joined(space, nodes, now, end_us)
  local firsts, texts = read_all()
  local run, first, past = {}, nil, nil
  for at, text in ipairs(texts) do
    local slot = parse(space, firsts[at], text)
    if past ~= slot.first then
      run, first = {}, slot.first
    end
    past = slot.past
    if less(now, slot.end_us) or not less(slot.high_water_us, end_us) then
      run, past = {}, nil
    else
      run[#run + 1] = slot
      if not less(subtract(past, first), nodes) then
        return run
      end
    end
  end
  return nil
end

-- The slots to take nodes of, in order, or nil.
local function find(space, nodes, now, end_us)
  local best = better(rested("f", nodes, now), rested("h", nodes, now)) or resting(nodes, now, end_us)
  if best then
    local slot = read(space, first_of(best))
    if member_of(slot) ~= best then
      corrupt(INDEX, "its member " .. best .. " is not what the slot says")
    end
    return { slot }
  end
  -- Every slot has at least one node: where one is asked for there is nothing to join.
  if nodes == ONE then
    return nil
  end
  return joined(space, nodes, now, end_us)
end
