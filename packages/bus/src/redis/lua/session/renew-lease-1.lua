-- Renews a lease that is still this one (R1).
-- KEYS 1 meta    ARGV 1 where the life of the store is recorded  2 fence  3 TTL of a lease in ms
-- Returns 1 renewed · 0 lost: another worker took it, the session is gone, or the store lost writes
-- include life
local run_id, fence = unpack(redis.call('HMGET', KEYS[1], 'run_id', 'lease_fence'))
if run_id ~= store_life(ARGV[1]) or fence ~= ARGV[2] then return 0 end
if redis.call('HGET', KEYS[1], 'schema') == 'frozen' then return 0 end
local clock = redis.call('TIME')
redis.call('HSET', KEYS[1], 'lease_until', string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000) + tonumber(ARGV[3])))
return 1
