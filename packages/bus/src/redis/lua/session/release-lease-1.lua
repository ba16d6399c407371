-- Lets go of a lease, only with an empty inbox.
-- KEYS 1 meta    ARGV 1 fence
-- Returns 1 let go, or another's already · 0 there is work
local fence, last, done = unpack(redis.call('HMGET', KEYS[1], 'lease_fence', 'inbox_seq', 'inbox_done'))
if fence ~= ARGV[1] or redis.call('HGET', KEYS[1], 'schema') == 'frozen' then return 1 end
if (last or '0') ~= (done or '0') then return 0 end
redis.call('HSET', KEYS[1], 'lease_until', '0', 'lease_owner', '')
return 1
