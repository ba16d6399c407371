-- Lets a model request in, or not: rates and budget are checked and counted in one step, whoever asks where. A second request of the same name
-- takes the place of the first. Nothing is counted of one that is refused.
-- KEYS 1 rates  2 spent  3 reserved  4 their ends, all of the person
-- ARGV 1 request_id  2 window in ms  3 requests and  4 tokens in a window, -1: any number  5 input tokens  6 output tokens
--   7 budget in nano-dollars, -1: none  8 its period: day, month or total  9 today as YYYYMMDD  10 cost in nano-dollars, -1: unknown
--   11 TTL of the reservation in ms
-- Returns {1, slot, tokens} let in · {-1, used, ms to wait} requests · {-2, used, ms to wait or -1: never, needed} tokens
--   · {-3, spent, held by other requests} budget
-- include windows
-- include reservations
-- include spent
local RATES, SPENT, RESERVED, ENDS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, window, ttl = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[11])
local max_requests, max_tokens = tonumber(ARGV[3]), tonumber(ARGV[4])
local input, output = tonumber(ARGV[5]), tonumber(ARGV[6])
local budget, cost = tonumber(ARGV[7]), tonumber(ARGV[10])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

end_abandoned(RESERVED, ENDS, now)
local earlier = find_reservation(RESERVED, id)

if budget >= 0 and cost ~= 0 then
  local spent = spent_in(SPENT, ARGV[8], ARGV[9])
  local held = tonumber(redis.call('HGET', RESERVED, 'sum') or '0') - (earlier and earlier.cost or 0)
  if spent + held + math.max(cost, 1) > budget then return { -3, spent, held } end
end

local windows = open_windows(RATES, window, now)
local tokens = 0
if max_tokens >= 0 then
  -- More than a whole window at once: it gets the window for itself.
  tokens = math.min(input + output, max_tokens)
  if earlier then windows.t[earlier.slot] = (windows.t[earlier.slot] or earlier.tokens) - earlier.tokens end
end
local requests_used, requests_wait, tokens_used, tokens_wait = 0, 0, 0, 0
if max_requests >= 0 then requests_used, requests_wait = usage_and_wait(windows, 'r', max_requests, 1) end
if max_tokens >= 0 then tokens_used, tokens_wait = usage_and_wait(windows, 't', max_tokens, tokens) end
if input > max_tokens and max_tokens >= 0 then return { -2, tokens_used, -1, input } end
if tokens_wait > 0 and tokens_wait >= requests_wait then return { -2, tokens_used, tokens_wait, tokens } end
if requests_wait ~= 0 then return { -1, requests_used, requests_wait } end

if max_requests >= 0 then count_in(windows, 'r', windows.bucket, 1) end
if max_tokens >= 0 then
  if earlier then count_in(windows, 't', earlier.slot, -earlier.tokens) end
  count_in(windows, 't', windows.bucket, tokens)
end
if max_requests >= 0 or max_tokens >= 0 then redis.call('PEXPIRE', RATES, 2 * window) end
hold_reservation(RESERVED, ENDS, id, string.format('%.0f %.0f %.0f', math.max(cost, 0), windows.bucket, tokens), now, ttl)
return { 1, windows.bucket, tokens }
