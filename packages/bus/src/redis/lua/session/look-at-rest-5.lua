-- What a session at rest has, and a digest by which `freeze-session` sees whether it is still that.
-- KEYS 1 meta  2 calls  3 messages  4 log  5 audit
-- Returns {digest, meta, calls, messages, log, audit}
-- include rest
local all = read_rest()
return { digest_of(all), unpack(all) }
