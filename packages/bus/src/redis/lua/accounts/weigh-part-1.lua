-- Writes how much a part of a whole takes, and keeps the sum. Absolute, so that a repeat and a recount mend what went wrong before.
-- KEYS 1 whole: a hash of parts, and `sum`    ARGV 1 part  2 bytes; 0 takes the part out
-- Returns the sum
local before = tonumber(redis.call('HGET', KEYS[1], ARGV[1])) or 0
local bytes = tonumber(ARGV[2])
if bytes == before then return redis.call('HGET', KEYS[1], 'sum') or '0' end
if bytes == 0 then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
local sum = redis.call('HINCRBY', KEYS[1], 'sum', string.format('%.0f', bytes - before))
if redis.call('HLEN', KEYS[1]) == 1 then redis.call('DEL', KEYS[1]) end
return string.format('%.0f', sum)
