-- Lets go of a lease, only with an empty inbox, and only where the store has what its holder has seen of the session.
-- KEYS 1 meta    ARGV 1 fence  2 last frame and  3 last entry that the holder knows to be stored
-- Returns 1 let go · 0 there is work · -1 another's, or set back
local fence, seq, last, done, schema = unpack(redis.call('HMGET', KEYS[1], 'lease_fence', 'seq', 'inbox_seq', 'inbox_done', 'schema'))
if schema == 'frozen' or not fence then return 1 end
local is_set_back = tonumber(seq or 0) < tonumber(ARGV[2]) or tonumber(last or 0) < tonumber(ARGV[3])
if fence ~= ARGV[1] or is_set_back then return -1 end
if (last or '0') ~= (done or '0') then return 0 end
redis.call('HSET', KEYS[1], 'lease_until', '0', 'lease_owner', '')
return 1
