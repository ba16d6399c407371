-- The hashes of a session at rest: meta, calls, messages.
local function read_rest()
  return { redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3]) }
end

local function digest_of(all)
  local texts = {}
  for i, fields in ipairs(all) do texts[i] = table.concat(fields, '\30') end
  return redis.sha1hex(table.concat(texts, '\31'))
end
