-- Keeps the text of a running attempt for a runtime that comes later.
-- KEYS 1 step    ARGV 1 attempt  2 text
-- Returns 1 kept · 0 the attempt is over
local state, attempt = unpack(redis.call('HMGET', KEYS[1], 'state', 'attempt'))
if state ~= 'running' or attempt ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'partial', ARGV[2])
return 1
