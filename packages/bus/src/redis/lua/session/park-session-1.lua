-- Takes a session out of those with work, or puts it there for later; only if nobody entered it since its score was read.
-- KEYS 1 due    ARGV 1 sid  2 score that was read or ''  3 score of the next deadline or ''
-- Returns 1 parked · 0 somebody entered it
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if score and (ARGV[2] == '' or tonumber(score) ~= tonumber(ARGV[2])) then return 0 end
if ARGV[3] == '' then redis.call('ZREM', KEYS[1], ARGV[1]) else redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1
