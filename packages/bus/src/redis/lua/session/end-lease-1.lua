-- Ends the lease of a worker that fell silent. Its fence stays: should it live, it may renew until another takes the lease, which fences it (R1).
-- KEYS 1 meta    ARGV 1 worker
-- Returns 1 ended · 0 not a lease of this worker
local owner, till = unpack(redis.call('HMGET', KEYS[1], 'lease_owner', 'lease_until'))
if owner ~= ARGV[1] or not till or till == '0' then return 0 end
redis.call('HSET', KEYS[1], 'lease_until', '0')
return 1
