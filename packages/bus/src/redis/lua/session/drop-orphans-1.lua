-- Takes keys out that something wrote late to a session that is gone.
-- KEYS 1 meta    ARGV the keys, of the same session
-- Returns how many
if redis.call('HEXISTS', KEYS[1], 'epoch') == 1 then return 0 end
return redis.call('UNLINK', unpack(ARGV))
