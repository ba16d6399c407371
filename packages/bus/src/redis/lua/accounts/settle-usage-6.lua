-- Stores what requests came to, each batch once: reservations end, rates get what was used in the place of what was reserved, money is spent
-- and usage is counted, in one step.
-- KEYS 1 writers  2 rates  3 spent  4 reserved  5 their ends  6 usage of the day, all of the person
-- ARGV 1 writer  2 number of the batch  3 day as YYYYMMDD  4 window in ms  5 TTL of the usage in ms, then for each settlement:
--   request_id or '': nothing was reserved, reservation as `<cost> <slot> <tokens>`, name of the row or '': nothing was used, and eight
--   counts: requests, estimated requests, input, cached, cache write, output and reasoning tokens, cost in nano-dollars
-- Returns 1 stored · 0 known
-- include windows
-- include reservations
-- include spent
-- include writers
local RATES, SPENT, RESERVED, ENDS, USAGE = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local COUNTS, WIDTH = 8, 11
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if not is_new_batch(KEYS[1], ARGV[1], ARGV[2], now) then return 0 end

-- A row is its counts with blanks between. Over the bound of a day's rows the rest is one.
local function add_row(name, first)
  local text = redis.call('HGET', USAGE, name)
  if not text and redis.call('HLEN', USAGE) >= LIMITS.MAX_USAGE_ROWS then
    name = '\31other'
    text = redis.call('HGET', USAGE, name)
  end
  local counts, i = {}, 0
  for count in string.gmatch(text or string.rep('0 ', COUNTS), '%d+') do
    counts[#counts + 1] = string.format('%.0f', tonumber(count) + tonumber(ARGV[first + i]))
    i = i + 1
  end
  redis.call('HSET', USAGE, name, table.concat(counts, ' '))
end

-- What was reserved and never used goes back into its bucket; what was used beyond it counts from now on.
local function settle_tokens(windows, reservation, is_held, used)
  local slot, tokens = string.match(reservation, ' (%d+) (%d+)$')
  if tokens == '0' then return windows end -- no limit for tokens
  windows = windows or open_windows(RATES, tonumber(ARGV[4]), now)
  local beyond = used - tonumber(tokens)
  if beyond > 0 then
    count_in(windows, 't', windows.bucket, beyond)
  elseif is_held and windows.t[tonumber(slot)] then
    count_in(windows, 't', tonumber(slot), beyond)
  end
  return windows
end

local windows
for at = 6, #ARGV, WIDTH do
  local id, reservation, row = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local first = at + 3
  if id ~= '' then
    local held = find_reservation(RESERVED, id)
    local is_held = held ~= nil and held.text == reservation -- else it had ended, or a second try took it over
    if is_held then end_reservation(RESERVED, ENDS, id) end
    windows = settle_tokens(windows, reservation, is_held, tonumber(ARGV[first + 2]) + tonumber(ARGV[first + 5]))
  end
  if row ~= '' then
    add_row(row, first)
    spend(SPENT, ARGV[3], tonumber(ARGV[first + 7]))
  end
end
if windows then redis.call('PEXPIRE', RATES, 2 * tonumber(ARGV[4])) end
if redis.call('EXISTS', USAGE) == 1 then redis.call('PEXPIRE', USAGE, ARGV[5]) end
return 1
