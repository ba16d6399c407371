-- Calls: fields `<call_id>:<letter>` of one hash, and `open`, the ids of those that are open, in order.
-- s state  f frame  d digest  n fence  x expires  o decision  p preview  g progress  t started  to given to  w given to before
-- i idempotency  l deadline  r result  e the last inbox entry about it  j told to be unknown  q seq of its frame  m tool  a what it acts on, for the audit trail
-- ag agent of the turn.  States beside the wire's:
-- `closed`, `synthetic` (closed without a word of the executor, which may still come), `foreign` (only a client's journal knows it).
local DESCRIPTION = { 'f', 'd', 'x', 'o', 'p', 'g', 't', 'i', 'l', 'r', 'e', 'j', 'q', 'm', 'a', 'ag' }

local function call(id, letter) return redis.call('HGET', CALLS, id .. ':' .. letter) or '' end
local function set_call(id, letter, value) redis.call('HSET', CALLS, id .. ':' .. letter, value) end

-- Bytes of a call that count: its frame, its result, its preview.
local function call_weight(id)
  local bytes = 0
  for _, letter in ipairs({ 'f', 'r', 'p' }) do bytes = bytes + redis.call('HSTRLEN', CALLS, id .. ':' .. letter) end
  return bytes
end

local function open_calls()
  local ids = {}
  for id in string.gmatch(redis.call('HGET', CALLS, 'open') or '', '%S+') do ids[#ids + 1] = id end
  return ids
end

local function without(list, id)
  local kept = {}
  for word in string.gmatch(list, '%S+') do
    if word ~= id then kept[#kept + 1] = word end
  end
  return table.concat(kept, ' ')
end

-- What is remembered of a call when it is over: its state and to whom it was given. The oldest is forgotten.
local function bury_call(id, state)
  local gone = {}
  for _, letter in ipairs(DESCRIPTION) do gone[#gone + 1] = id .. ':' .. letter end
  redis.call('HDEL', CALLS, unpack(gone))
  redis.call('HSET', CALLS, id .. ':s', state, 'open', without(redis.call('HGET', CALLS, 'open') or '', id))
  local place = 'buried:' .. (redis.call('HINCRBY', CALLS, 'buried', 1) % LIMITS.MAX_TOMBSTONES)
  local oldest = redis.call('HGET', CALLS, place)
  if oldest and oldest ~= id then redis.call('HDEL', CALLS, oldest .. ':s', oldest .. ':n', oldest .. ':to', oldest .. ':w') end
  redis.call('HSET', CALLS, place, id)
end

-- What one executor showed says nothing of the files of the next.
local function forget_previews()
  for _, id in ipairs(open_calls()) do
    if call(id, 's') == 'waiting_approval' then redis.call('HDEL', CALLS, id .. ':p') end
  end
end

local SEED = 'seed'
local function is_seed(name) return name == SEED or string.sub(name, 1, 5) == 'seed:' end

-- Whether `client_id` ('' for a seed client) answers for a call: the one it was given to, else the executor.
local function answers_for(id, client_id)
  local owner = call(id, 'to')
  if owner == '' then owner = session.executor end
  if client_id == '' then return owner == '' or is_seed(owner) end
  return owner == client_id
end
