-- Renews the claim of a model request that still is this attempt's, of a turn that goes on.
-- KEYS 1 meta  2 step    ARGV 1 attempt  2 TTL of a claim in ms  3 consumer: where the store lost a claim, another's attempt has the same number
-- Returns 1 renewed · 0 over: another attempt, answered, or the turn was cancelled
local state, turn, attempt, consumer = unpack(redis.call('HMGET', KEYS[2], 'state', 'turn', 'attempt', 'consumer'))
if state ~= 'running' or attempt ~= ARGV[1] or consumer ~= ARGV[3] then return 0 end
local meta = redis.call('HMGET', KEYS[1], 'turn_id', 'cancel_turn')
if meta[1] ~= turn or meta[2] == turn then return 0 end
local clock = redis.call('TIME')
redis.call('HSET', KEYS[2], 'until', string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000) + tonumber(ARGV[2])))
return 1
