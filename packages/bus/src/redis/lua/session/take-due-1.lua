-- Hands out sessions whose time has come, and puts them a little later, so that not every sweeper tries at once. None leaves.
-- KEYS 1 due    ARGV 1 limit  2 ms by which they are put later
-- Returns the sids
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local sids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[1])
for _, sid in ipairs(sids) do redis.call('ZADD', KEYS[1], 'XX', string.format('%.0f', now + tonumber(ARGV[2])), sid) end
return sids
