-- Calls: fields `<call_id>:<name>` of one hash, as `CallRecord` has them; `open`, the ids of those that are open, in order; and `over` with
-- `over:<n>`, a ring of those that are over, of which only the state and the assignments are kept.
-- What may become of a call in which state is CALL_TRANSITIONS of the protocol package: a test holds every script against it.
-- Reading is one command for each call that a script names, and writing is two for all, by write_calls().
-- What is forgotten when a call is over.
local PASSING = { 'frame', 'args_sha256', 'question', 'expires_at', 'decision', 'preview', 'progress', 'started_at', 'idempotency', 'deadline_ms', 'result',
  'heard_in', 'journalled', 'seq', 'tool_name', 'target', 'agent', 'bytes' }
local calls, call_index = {}, nil
local new_fields, gone_fields = {}, {}

local function call_of(id)
  if not calls[id] then
    calls[id] = READ_FIELDS(CALLS, id .. ':', { state = '', fence = '', given_to = '', given_before = '', idempotency = '', args_sha256 = '', question = '',
      expires_at = '', progress = '', deadline_ms = '', heard_in = '', journalled = '', tool_name = '', target = '', seq = '', bytes = '' })
  end
  return calls[id]
end

local function change_field(id, name, value)
  local call, field = calls[id], id .. ':' .. name
  if call then
    if call[name] == value then return end
    call[name] = value
  end
  new_fields[field] = value ~= '' and value or nil
  gone_fields[field] = value == '' or nil
end

-- `changes`: values by name; '' takes a field away.
local function change_call(id, changes)
  for name, value in pairs(changes) do change_field(id, name, value) end
end

local function read_call_index()
  if call_index then return call_index end
  local open, over = unpack(redis.call('HMGET', CALLS, 'open', 'over'))
  call_index = { open = open or '', over = tonumber(over) or 0 }
  return call_index
end

local function set_open(ids)
  read_call_index().open = ids
  new_fields.open = ids
end

local function open_calls()
  local ids = {}
  for id in string.gmatch(read_call_index().open, '%S+') do
    ids[#ids + 1] = id
    call_of(id)
  end
  return ids
end

local function without(list, id)
  local kept = {}
  for word in string.gmatch(list, '%S+') do
    if word ~= id then kept[#kept + 1] = word end
  end
  return table.concat(kept, ' ')
end

local function is_undone(call) return call.state == 'ready' or call.state == 'waiting_approval' end
local function is_open(call) return is_undone(call) or call.state == 'answered' or call.state == 'refused' end

-- Bytes of a call that count for its owner: its frame, its result, its preview.
local function weigh_call(id, bytes)
  add_bytes('call', bytes - (tonumber(call_of(id).bytes) or 0))
  change_call(id, { bytes = bytes })
end

-- Remembers of a call that is over its state and to whom it was given. The oldest is forgotten.
local function close_call(id, state)
  weigh_call(id, 0)
  for _, name in ipairs(PASSING) do change_field(id, name, '') end
  change_field(id, 'state', state)
  local index = read_call_index()
  set_open(without(index.open, id))
  index.over = index.over + 1
  new_fields.over = index.over
  local place = 'over:' .. (index.over % LIMITS.MAX_CLOSED_CALLS)
  local oldest = redis.call('HGET', CALLS, place)
  -- One that only a journal knew may be open by now.
  if oldest and oldest ~= id and not is_open(call_of(oldest)) then change_call(oldest, { state = '', fence = '', given_to = '', given_before = '' }) end
  new_fields[place] = id
end

-- What one executor showed says nothing of the files of the next.
local function forget_previews()
  for _, id in ipairs(open_calls()) do
    if calls[id].state == 'waiting_approval' then
      weigh_call(id, (tonumber(calls[id].bytes) or 0) - redis.call('HSTRLEN', CALLS, id .. ':preview'))
      change_call(id, { preview = '' })
    end
  end
end

local SEED = 'seed'
local function is_seed(name) return name == SEED or string.sub(name, 1, 5) == 'seed:' end

-- Whether `client_id` ('' for a seed client) answers for a call: the one it was given to, else the executor.
local function answers_for(call, client_id)
  local owner = call.given_to
  if owner == '' then owner = session.executor end
  if client_id == '' then return owner == '' or is_seed(owner) end
  return owner == client_id
end

local function write_calls()
  local fields, gone = {}, {}
  for field, value in pairs(new_fields) do
    fields[#fields + 1] = field
    fields[#fields + 1] = value
  end
  for field in pairs(gone_fields) do gone[#gone + 1] = field end
  for i = 1, #fields, 1000 do redis.call('HSET', CALLS, unpack(fields, i, math.min(i + 999, #fields))) end
  for i = 1, #gone, 1000 do redis.call('HDEL', CALLS, unpack(gone, i, math.min(i + 999, #gone))) end
end
