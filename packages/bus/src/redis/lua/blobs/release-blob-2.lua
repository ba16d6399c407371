-- Sessions use a text no more. With its last user it goes.
-- KEYS 1 the text  2 its users    ARGV sids
-- Returns 1 it went · 0 others use it
redis.call('SREM', KEYS[2], unpack(ARGV))
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('UNLINK', KEYS[1])
return 1
