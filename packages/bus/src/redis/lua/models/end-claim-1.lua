-- Ends the claim of a consumer that fell silent. Its attempt stays: should it live, it may renew until another attempt begins, and answer until then.
-- KEYS 1 step    ARGV 1 consumer
-- Returns 1 ended · 0 not a claim of this consumer
local state, consumer = unpack(redis.call('HMGET', KEYS[1], 'state', 'consumer'))
if state ~= 'running' or consumer ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'until', '0')
return 1
