-- What a session at rest has and may be put away: its hashes, its log and its audit trail.
-- KEYS 1 meta  2 calls  3 messages  4 log  5 audit

-- A stream that is long, or that refers to texts which other sessions have, too, stays where it is: it answers as empty.
local function short_stream(key, goes)
  if not goes or redis.call('XLEN', key) > LIMITS.MAX_RESTING_ENTRIES then return {} end
  return redis.call('XRANGE', key, '-', '+')
end

local function read_rest()
  local splits, log_bytes, parent = unpack(redis.call('HMGET', KEYS[1], 'splits', 'log_bytes', 'parent'))
  local is_short = (tonumber(log_bytes) or 0) <= LIMITS.MAX_RESTING_LOG_BYTES
  return {
    redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3]),
    short_stream(KEYS[4], is_short and splits ~= '1'),
    short_stream(KEYS[5], (parent or '') == ''), -- the trail of a child outlives it
  }
end

-- A digest of it, by which one sees whether it is still the same.
local function digest_of(all)
  local texts = {}
  for i = 1, 3 do texts[i] = table.concat(all[i], '\30') end
  for i = 4, 5 do
    local entries = {}
    for n, entry in ipairs(all[i]) do entries[n] = entry[1] .. '\29' .. table.concat(entry[2], '\29') end
    texts[i] = table.concat(entries, '\30')
  end
  return redis.sha1hex(table.concat(texts, '\31'))
end
