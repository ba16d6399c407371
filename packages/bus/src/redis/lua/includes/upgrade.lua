-- Sessions of schema 1 named the fields of calls and of the queue by letters, and kept the sizes of inbox entries one by one. A script that opens
-- such a session renames them first.
local SCHEMA = '2'
local function rename_fields(key, names)
  local fields, renamed = redis.call('HGETALL', key), {}
  for i = 1, #fields, 2 do
    local id, letter = string.match(fields[i], '^(.+):(%l+)$')
    local place = string.match(fields[i], '^buried(.*)$')
    local field = place and 'over' .. place or names[letter] and id .. ':' .. names[letter]
    if field then
      renamed[field] = fields[i + 1]
      redis.call('HDEL', key, fields[i])
      redis.call('HSET', key, field, fields[i + 1])
    end
  end
  return renamed
end

local function upgrade_session(done, last)
  local call = rename_fields(KEYS[4], { s = 'state', f = 'frame', d = 'args_sha256', n = 'fence', x = 'expires_at', o = 'decision', p = 'preview',
    g = 'progress', t = 'started_at', to = 'given_to', w = 'given_before', i = 'idempotency', l = 'deadline_ms', r = 'result', e = 'heard_in',
    j = 'journalled', q = 'seq', m = 'tool_name', a = 'target', ag = 'agent' })
  for id in string.gmatch(redis.call('HGET', KEYS[4], 'open') or '', '%S+') do
    local frame, result, preview = call[id .. ':frame'] or '', call[id .. ':result'] or '', call[id .. ':preview'] or ''
    redis.call('HSET', KEYS[4], id .. ':bytes', #frame + #result + #preview)
    if call[id .. ':state'] == 'answered' and result == '' then redis.call('HSET', KEYS[4], id .. ':state', 'refused') end
  end
  rename_fields(KEYS[5], { t = 'turn_id', s = 'summary', f = 'frame' })
  local sizes = {}
  for id = done + 1, last do
    local field = 'size:' .. string.format('%.0f', id)
    sizes[#sizes + 1] = redis.call('HGET', KEYS[1], field) or '0'
    redis.call('HDEL', KEYS[1], field)
  end
  redis.call('HSET', KEYS[1], 'inbox_sizes', table.concat(sizes, ' '), 'schema', SCHEMA)
end
