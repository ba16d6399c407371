-- Sliding windows: fields `r<n>` (requests) and `t<n>` (tokens) of one hash, n = the number of a bucket of time. A bucket counts until a whole
-- window has passed since its end, so that no window of that length, wherever it begins, holds more than the limit.
local function open_windows(key, window, now)
  local windows = { key = key, now = now, width = math.ceil(window / LIMITS.RATE_BUCKETS), r = {}, t = {} }
  windows.bucket = math.floor(now / windows.width)
  windows.oldest = windows.bucket - LIMITS.RATE_BUCKETS
  local fields = redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    local kind, bucket = string.match(fields[i], '^([rt])(%d+)$')
    bucket = tonumber(bucket)
    if bucket < windows.oldest then
      redis.call('HDEL', key, fields[i])
    else
      windows[kind][bucket] = tonumber(fields[i + 1])
    end
  end
  return windows
end

-- What a window holds, and the ms until `needed` more fit under `limit`; 0: now.
local function usage_and_wait(windows, kind, limit, needed)
  local used, freed = 0, 0
  for _, count in pairs(windows[kind]) do used = used + count end
  if used + needed <= limit then return used, 0 end
  for bucket = windows.oldest, windows.bucket do
    freed = freed + (windows[kind][bucket] or 0)
    if used - freed + needed <= limit then
      return used, (bucket + LIMITS.RATE_BUCKETS + 1) * windows.width - windows.now
    end
  end
  return used, -1
end

-- Counts in a bucket that still counts; a negative number takes back.
local function count_in(windows, kind, bucket, amount)
  if bucket < windows.oldest or amount == 0 then return end
  redis.call('HINCRBY', windows.key, kind .. string.format('%.0f', bucket), string.format('%.0f', amount))
  windows[kind][bucket] = (windows[kind][bucket] or 0) + amount
end
