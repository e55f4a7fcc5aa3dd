-- Numbers of up to 63 bits. Lua's own are doubles, exact to 53 bits: ours are text of 19 digits, and are worked with in two
-- halves, each of which a double holds exactly. "-" stands for what is below all of them, which only a request can have.

local ZERO = string.rep("0", 19)
local ONE = string.rep("0", 18) .. "1"
local MOST = "9223372036854775807"
-- Times and fences beyond this are nobody's: sums of two of them still have room.
local MAX_IN_USE = "2305843009213693951"
-- 30 days, the longest lease of any namespace, µs.
local LONGEST_TTL_US = "0000002592000000000"

local function halves(number)
  return tonumber(string.sub(number, 1, 9)), tonumber(string.sub(number, 10))
end

-- Not by Lua's own order of texts, which is the language's that the server is set to.
local function less(a, b)
  if a == "-" or b == "-" then
    return a ~= b and a == "-"
  end
  local a_high, a_low = halves(a)
  local b_high, b_low = halves(b)
  return a_high < b_high or a_high == b_high and a_low < b_low
end

local function is_number(text)
  return #text == 19 and not string.find(text, "%D") and not less(MOST, text)
end

local function max(a, b)
  if less(a, b) then
    return b
  end
  return a
end

local function min(a, b)
  if less(b, a) then
    return b
  end
  return a
end

local function text_of(high, low)
  local text = string.format("%09.0f%010.0f", high, low)
  if not is_number(text) then
    error("a number is past 2^63")
  end
  return text
end

local function add(a, b)
  local a_high, a_low = halves(a)
  local b_high, b_low = halves(b)
  local high, low = a_high + b_high, a_low + b_low
  if low >= 1e10 then
    high, low = high + 1, low - 1e10
  end
  return text_of(high, low)
end

-- a - b, where b is not more than a.
local function subtract(a, b)
  local a_high, a_low = halves(a)
  local b_high, b_low = halves(b)
  local high, low = a_high - b_high, a_low - b_low
  if low < 0 then
    high, low = high - 1, low + 1e10
  end
  return text_of(high, low)
end

-- The same as add, but no more than there is.
local function add_up_to_most(a, b)
  if less(subtract(MOST, a), b) then
    return MOST
  end
  return add(a, b)
end

-- a, so many times, and no more than there is.
local function times_up_to_most(a, many)
  local product, doubled = ZERO, a
  while many > 0 do
    if many % 2 == 1 then
      product = add_up_to_most(product, doubled)
    end
    many, doubled = math.floor(many / 2), add_up_to_most(doubled, doubled)
  end
  return product
end
