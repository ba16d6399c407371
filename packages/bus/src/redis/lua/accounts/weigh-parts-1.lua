-- Writes how much parts of a whole take, and keeps the sum. Absolute, so that a repeat and a recount mend what went wrong before.
-- KEYS 1 whole: a hash of parts, and `sum`    ARGV part, bytes, part, bytes …; 0 bytes take the part out
-- Returns the sum
local parts, sizes, gone, grown = {}, {}, {}, 0
for i = 1, #ARGV, 2 do parts[#parts + 1] = ARGV[i] end
local before = redis.call('HMGET', KEYS[1], 'sum', unpack(parts))
for i, part in ipairs(parts) do
  local bytes, known = tonumber(ARGV[2 * i]), tonumber(before[i + 1]) or 0
  grown = grown + bytes - known
  if bytes == 0 then
    gone[#gone + 1] = part
  elseif bytes ~= known then
    sizes[#sizes + 1] = part
    sizes[#sizes + 1] = ARGV[2 * i]
  end
end
local sum = string.format('%.0f', (tonumber(before[1]) or 0) + grown)
if #gone > 0 then redis.call('HDEL', KEYS[1], unpack(gone)) end
if #sizes > 0 then redis.call('HSET', KEYS[1], 'sum', sum, unpack(sizes)) elseif #gone > 0 then redis.call('HSET', KEYS[1], 'sum', sum) end
if #gone > 0 and redis.call('HLEN', KEYS[1]) == 1 then redis.call('DEL', KEYS[1]) end
return sum
