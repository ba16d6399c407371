-- Keeps what the model requests of a session have in common, in the place of what it was before. Only the holder of the lease does (R1), so
-- that it knows what is there.
-- KEYS 1 meta  2 messages    ARGV 1 lease fence  2 hash  3 bytes
-- Returns {1, the hash before} kept · {0} fenced
if redis.call('HGET', KEYS[1], 'schema') == 'frozen' then error({ err = 'FROZEN ' .. KEYS[1] }) end
if redis.call('HGET', KEYS[1], 'lease_fence') ~= ARGV[1] then return { 0 } end
local before = redis.call('HGET', KEYS[2], 'prompt_hash') or ''
redis.call('HSET', KEYS[2], 'prompt_hash', ARGV[2])
redis.call('HDEL', KEYS[2], 'prompt') -- where releases before had it
redis.call('HSET', KEYS[1], 'prompt_bytes', ARGV[3])
return { 1, before }
