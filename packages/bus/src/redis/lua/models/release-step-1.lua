-- Lets go of a model request for another consumer, which begins the next attempt.
-- KEYS 1 step    ARGV 1 attempt
-- Returns 1 let go · 0 the attempt is over
local state, attempt = unpack(redis.call('HMGET', KEYS[1], 'state', 'attempt'))
if state ~= 'running' or attempt ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', 'requested', 'until', '0')
return 1
