-- Names the life of a store that keeps every write: the same name after each restart, another one after a replica took over.
-- KEYS 1 store    ARGV 1 INFO run_id  2 a fresh name  3 '1' if this server was promoted from a replica in its present run
-- Returns the name
local name, run_id = unpack(redis.call('HMGET', KEYS[1], 'name', 'promoted_in'))
if name and (ARGV[3] ~= '1' or run_id == ARGV[1]) then return name end
redis.call('HSET', KEYS[1], 'name', ARGV[2], 'promoted_in', ARGV[3] == '1' and ARGV[1] or '')
return ARGV[2]
