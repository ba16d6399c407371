-- Brings back what `freeze-session` put away.
-- KEYS 1 meta  2 calls  3 messages  4 frozen    ARGV 1 the text that was read, then for each of the first three: how many words, and its fields and values
-- Returns 1 it is back · 0 somebody else did it
if redis.call('GET', KEYS[4]) ~= ARGV[1] then return 0 end
local ttl = redis.call('PTTL', KEYS[1])
local at = 2
for i = 1, 3 do
  local words = tonumber(ARGV[at])
  for from = at + 1, at + words, 1000 do redis.call('HSET', KEYS[i], unpack(ARGV, from, math.min(from + 999, at + words))) end
  at = at + words + 1
  if words > 0 and ttl >= 0 then redis.call('PEXPIRE', KEYS[i], ttl) end
end
redis.call('DEL', KEYS[4])
return 1
