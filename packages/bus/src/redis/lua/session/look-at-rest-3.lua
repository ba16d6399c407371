-- What a session at rest has in its hashes, and a digest by which `freeze-session` sees whether it is still that.
-- KEYS 1 meta  2 calls  3 messages
-- Returns {digest, meta, calls, messages}
-- include rest
local all = read_rest()
return { digest_of(all), all[1], all[2], all[3] }
