-- Writers number their batches, so that one that is sent twice, because its answer was lost, counts once. A hash writer → `<number> <ms>`.
-- Returns whether the batch is a new one, and notes it.
local function is_new_batch(key, writer, number, now)
  local last = string.match(redis.call('HGET', key, writer) or '', '^%d+')
  if last and tonumber(last) >= tonumber(number) then return false end
  if not last and redis.call('HLEN', key) >= LIMITS.MAX_WRITERS then
    local writers = redis.call('HGETALL', key)
    for i = 1, #writers, 2 do
      if tonumber(string.match(writers[i + 1], '%d+$')) < now - LIMITS.WRITER_MS then redis.call('HDEL', key, writers[i]) end
    end
  end
  redis.call('HSET', key, writer, number .. ' ' .. string.format('%.0f', now))
  redis.call('PEXPIRE', key, LIMITS.WRITER_MS)
  return true
end
