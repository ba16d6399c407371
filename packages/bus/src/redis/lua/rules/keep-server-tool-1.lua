-- Keeps a tool by URL of a person, in the place of one with the same name.
-- KEYS 1 tools of the person    ARGV 1 name  2 tool as JSON text
-- Returns 1 NEW · 2 REPLACED · -2 FULL
local known = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1
if not known and redis.call('HLEN', KEYS[1]) >= LIMITS.MAX_SERVER_TOOLS then return -2 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return known and 2 or 1
