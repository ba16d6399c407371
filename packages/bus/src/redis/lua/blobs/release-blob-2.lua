-- Sessions use a text no more. With its last user it goes.
-- KEYS 1 the text  2 its users
-- ARGV 1 '', or a time in ms: a text that lives for longer was kept after the sessions were found to be gone, so it stays as it is  2… sids
-- Returns 1 it went · 0 others use it, or may
if ARGV[1] ~= '' and redis.call('PEXPIRETIME', KEYS[2]) > tonumber(ARGV[1]) then return 0 end
redis.call('SREM', KEYS[2], unpack(ARGV, 2))
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('UNLINK', KEYS[1])
return 1
