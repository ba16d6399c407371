-- Brings back what `freeze-session` put away; `meta`, by which others see that it is back, as the last: begun twice, it is as if it was begun once.
-- KEYS 1-5 of includes/rest  6 frozen
-- ARGV 1 the text that was read, then of calls, messages and meta how many words, and their fields and values; before meta, of log and audit how many entries,
--      and of each its id, how many words, and its fields and values
-- Returns 1 it is back · 0 somebody else did it
if redis.call('GET', KEYS[6]) ~= ARGV[1] then return 0 end
local ttl = redis.call('PTTL', KEYS[1])
local at = 2
local function next_word()
  at = at + 1
  return ARGV[at - 1]
end

local function bring_back_hash(key)
  local words = tonumber(next_word())
  for from = at, at + words - 1, 1000 do redis.call('HSET', key, unpack(ARGV, from, math.min(from + 999, at + words - 1))) end
  at = at + words
end

local function bring_back_stream(key)
  local entries = tonumber(next_word())
  if entries > 0 then redis.call('DEL', key) end
  for _ = 1, entries do
    local id, words = next_word(), tonumber(next_word())
    redis.call('XADD', key, id, unpack(ARGV, at, at + words - 1))
    at = at + words
  end
  if entries > 0 and ttl >= 0 then redis.call('PEXPIRE', key, ttl) end
end

for i = 2, 3 do bring_back_hash(KEYS[i]) end
for i = 4, 5 do bring_back_stream(KEYS[i]) end
bring_back_hash(KEYS[1])
for i = 1, 3 do
  if ttl >= 0 then redis.call('PEXPIRE', KEYS[i], ttl) end
end
redis.call('DEL', KEYS[6])
return 1
