-- Writes one step of a turn, all of it or nothing: inbox consumed, calls, history, frames with their `seq`, a model request, the end of
-- the turn, the start of the next, and the audit rows of what was decided (R1, R5, G3).
-- KEYS and ARGV 1-6 of includes/session; KEYS 11 the step of the model request
-- ARGV 7 lease fence  8 cancellation that the effects know or ''  9 inbox_up_to  10 state  11 step_id or ''  12 request
--      13 turn that ends or ''  then six lists, each its length and its items: frames · history items · changes of calls, each a kind,
--      a call_id and more · messages to requeue, each id as JSON text, turn_id, summary, frame · names and values for meta ·
--      audit rows, each as includes/audit has it
-- Returns {1, seq, turn_id} · {-1} FENCED · {-2} CANCELLED: cancelled, answered or decided meanwhile, and the effects don't know it
-- include session
-- include calls
-- include queue
-- include audit
local up_to, step_id, ends = tonumber(ARGV[9]), ARGV[11], ARGV[13]
local cursor = 13
local function next_argument()
  cursor = cursor + 1
  return ARGV[cursor]
end
local function next_list()
  local first = cursor + 2
  local count = tonumber(next_argument())
  cursor = cursor + count
  return first, cursor
end
local first_frame, last_frame = next_list()
local first_item, last_item = next_list()
local change_count, changes_at = tonumber(next_argument()), cursor

if not open_session() or begins_anew or redis.call('HGET', META, 'lease_fence') ~= ARGV[7] then return { -1 } end
if session.cancel_turn ~= '' and session.cancel_turn ~= ARGV[8] then return { -2 } end

local MORE = { open = 11, ask_again = 3 }
local function each_change(visit)
  cursor = changes_at
  for _ = 1, change_count do
    local kind, id = next_argument(), next_argument()
    local more = {}
    for i = 1, MORE[kind] or 1 do more[i] = next_argument() end
    visit(kind, id, more)
  end
end
-- What overrides an executor's or a human's word must have heard it.
local unheard = false
each_change(function(kind, id, more)
  local overrides = kind == 'ask_again' or kind == 'reassign' or (kind == 'close' and more[1] == '1')
  if overrides and (tonumber(call(id, 'e')) or 0) > up_to then unheard = true end
end)
if unheard then return { -2 } end

for i = first_item, last_item do add_bytes('history', #ARGV[i]) end
for i = first_item, last_item, 500 do redis.call('RPUSH', HISTORY, unpack(ARGV, i, math.min(i + 499, last_item))) end
if last_item >= first_item then set('history_version', redis.call('LLEN', HISTORY)) end
local seq_of = {}
for i = first_frame, last_frame do seq_of[ARGV[i]] = append(ARGV[i]) end

local CHANGE = {
  open = function(id, more)
    redis.call('HSET', CALLS, id .. ':s', more[1], id .. ':d', more[2], id .. ':n', more[3], id .. ':x', more[4], id .. ':i', more[5],
      id .. ':l', more[6], id .. ':f', more[7], id .. ':m', more[8], id .. ':q', int(seq_of[more[7]] or 0), 'open', without(redis.call('HGET', CALLS, 'open') or '', id) .. ' ' .. id)
    if more[9] ~= '' then set_call(id, 'to', more[9]) end
    if more[10] ~= '' then set_call(id, 'a', more[10]) end
    if more[11] ~= '' then set_call(id, 'ag', more[11]) end
  end,
  ask_again = function(id, more)
    redis.call('HDEL', CALLS, id .. ':o', id .. ':p', id .. ':r', id .. ':g', id .. ':t', id .. ':to')
    redis.call('HSET', CALLS, id .. ':s', 'waiting_approval', id .. ':d', more[1], id .. ':x', more[2], id .. ':f', more[3],
      id .. ':q', int(seq_of[more[3]] or tonumber(call(id, 'q')) or 0))
  end,
  reassign = function(id, more)
    redis.call('HSET', CALLS, id .. ':n', more[1], id .. ':w', call(id, 'to'))
    redis.call('HDEL', CALLS, id .. ':to', id .. ':g', id .. ':t')
  end,
  close = function(id, more)
    -- Where somebody refused, or a client that asks first was never allowed, no true result can come.
    local state = call(id, 's')
    local impossible = (state == 'answered' and call(id, 'r') == '') or (state == 'waiting_approval' and not is_seed(session.executor))
    local synthetic = more[1] == '1' and not impossible
    bury_call(id, synthetic and 'synthetic' or 'closed')
    if synthetic then set('synthetic', session.synthetic == '' and id or (session.synthetic .. ' ' .. id)) end
  end,
}
each_change(function(kind, id, more)
  local before = call_weight(id)
  CHANGE[kind](id, more)
  add_bytes('call', call_weight(id) - before)
end)

local requeued = {}
for i = 1, tonumber(next_argument()) do requeued[i] = { next_argument(), next_argument(), next_argument(), next_argument() } end
for _ = 1, tonumber(next_argument()) do set(next_argument(), next_argument()) end
set('state', ARGV[10])
for _ = 1, tonumber(next_argument()) do
  write_audit(AUDIT, audit_row(cursor + 1))
  cursor = cursor + #AUDIT_FIELDS
end

local consumed = {}
for id = session.inbox_done + 1, math.min(up_to, session.inbox_seq) do consumed[#consumed + 1] = 'size:' .. int(id) end
if #consumed > 0 then
  local bytes = session.inbox_bytes
  for _, size in ipairs(redis.call('HMGET', META, unpack(consumed))) do bytes = bytes - (tonumber(size) or 0) end
  redis.call('HDEL', META, unpack(consumed))
  redis.call('XTRIM', INBOX, 'MINID', int(up_to + 1) .. '-0')
  set('inbox_bytes', bytes)
  set('inbox_done', session.inbox_done + #consumed)
end

if step_id ~= '' then
  redis.call('HSET', KEYS[11], 'state', 'requested', 'attempt', '0', 'request', ARGV[12], 'turn', session.turn_id)
  redis.call('PEXPIRE', KEYS[11], ARGV[3])
  set('step', step_id)
  local steps = (redis.call('HGET', META, 'steps') or '') .. ' ' .. step_id
  local _, count = string.gsub(steps, '%S+', '')
  set('steps', count > LIMITS.MAX_REMEMBERED_STEPS and string.gsub(steps, '^ %S+', '') or steps)
  set('synthetic', '')
end

local ended = ends ~= '' and ends == session.turn_id
if ended then
  set('turn_id', '')
  set('cancel_turn', '')
  set('step', '')
end
-- A message that was steered into a turn which is over when it is read waits like any other, or starts one where nothing runs.
if ended or #requeued > 0 then
  local ids = queued_ids()
  local before = #ids
  for i = #requeued, 1, -1 do enqueue(ids, 1, unpack(requeued[i])) end
  if session.turn_id == '' and #ids > 0 then
    local id, turn_id, frame = dequeue(ids, 1)
    start_turn(turn_id, id, frame)
  end
  if before > 0 or #ids > 0 then append_queue_updated(ids) end
end
close_session()
return { 1, session.seq, session.turn_id }
