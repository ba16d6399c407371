-- Claims a model request that nobody works on: the next attempt (R1). The consumer of an earlier one hears that it is over.
-- KEYS 1 meta  2 step  3 history
-- ARGV 1 consumer  2 entry of the stream  3 TTL of a claim in ms  4 TTL of a finished step in ms  5 :stop  6 step_id
--      7 the item from which on the consumer reads the history
-- A consumer that asks again for its own entry never heard of its claim, or gave it up: that one counts no more.
-- Returns {1, attempt, request, tenant, sub, session_id, those items unless they are many} · {0} nothing to do: forget the entry · {-1} the entry's consumer works on it
local state, turn, attempt, till, entry, request, consumer =
  unpack(redis.call('HMGET', KEYS[2], 'state', 'turn', 'attempt', 'until', 'entry', 'request', 'consumer'))
if not state or state == 'answered' or state == 'failed' then return { 0 } end
local meta = redis.call('HMGET', KEYS[1], 'turn_id', 'cancel_turn', 'tenant', 'sub', 'session_id')
if meta[1] ~= turn or meta[2] == turn then
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
  return { 0 }
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local is_own = entry == ARGV[2] and consumer == ARGV[1]
if state == 'running' and tonumber(till) > now and not is_own then return { entry == ARGV[2] and -1 or 0 } end
attempt = tonumber(attempt) + 1
redis.call('HSET', KEYS[2], 'state', 'running', 'attempt', attempt, 'until', string.format('%.0f', now + tonumber(ARGV[3])),
  'consumer', ARGV[1], 'entry', ARGV[2], 'partial', '')
if attempt > 1 then redis.call('SPUBLISH', ARGV[5], 'attempt\30' .. ARGV[6] .. '\30' .. attempt) end
local items = redis.call('LRANGE', KEYS[3], ARGV[7], ARGV[7] + LIMITS.MAX_CLAIMED_ITEMS)
return { 1, attempt, request, meta[3], meta[4], meta[5], #items <= LIMITS.MAX_CLAIMED_ITEMS and items or nil }
