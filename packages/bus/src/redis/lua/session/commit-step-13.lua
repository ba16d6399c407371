-- Writes one step of a turn, all of it or nothing: inbox consumed, calls, history, frames with their `seq`, a model request, the end of
-- the turn, the start of the next, and the audit rows of what was decided (R1, R5, G3).
-- KEYS and ARGV 1-6 of includes/session; KEYS 11 the step of the model request  12, 13 the rules of a session and of its person.
-- The record of the model request before goes.
-- ARGV from 7 by name: lease_fence · seq_seen and inbox_seen, the last frame and the last entry that the holder knows to be stored · cancel_seen, the cancellation that the effects know · rules, the versions of KEYS 12 and 13 that calls
--   were judged by (H1) · facts, the settings and the executor of the session that they were judged by · inbox_up_to · state · todos, the task
--   list as it is from now on · step_id and request of a model request · ends, the turn that ends · lists: frames, each a text with its `head` · history, with user_messages, how many of it are the user's · calls, each a kind with
--   call_id and its fields · taken, the messages as JSON text that went into the turn that runs · left_over, those that didn't and were told
--   of, each a message_id as JSON text with turn_id, summary and frame: what no list has heads the queue · meta, each a name with its `value`
--   · audit, each an outcome with the row of includes/audit
-- Returns {1, seq, turn_id, epoch} · {-1} FENCED, and with the epoch before where the store turned out to be set back · {-2} CANCELLED: cancelled, answered, decided or removed meanwhile, and the effects don't know it ·
--   {-3} OUTDATED: the calls were judged by rules or facts that are others now
-- include session
-- include queue
-- include audit
-- include arguments
local args = read_arguments(7)
local up_to, step_id, changes_of_calls = tonumber(args.inbox_up_to), args.step_id, args.calls or {}

if not open_session() or begins_anew or session.lease_fence ~= args.lease_fence then return { -1 } end
-- Sent again, by a connection to a cluster whose answer was lost: no other command brings the same name of an epoch.
if session.last_commit == ARGV[2] then return { 1, session.seq, session.turn_id, session.epoch } end
-- What the step has read, or what was said before it, is not there: the store was set back, and nobody has noticed.
if math.max(up_to, tonumber(args.inbox_seen) or 0) > session.inbox_seq or (tonumber(args.seq_seen) or 0) > session.seq then
  begin_epoch_alone()
  close_session()
  return { -1, '', '', session.was_epoch }
end
if session.cancel_turn ~= '' and session.cancel_turn ~= args.cancel_seen then return { -2 } end
-- As `judgedFacts` writes them.
local function facts_now()
  local values = redis.call('HMGET', META, 'client_grace_ms', 'model', 'agent', 'mode', 'executor', 'executor_tools', 'protocol_version', 'workspace',
    'capabilities')
  for i, value in ipairs(values) do values[i] = value or '' end
  values[1] = int(tonumber(values[1]) or 0)
  return table.concat(values, RS)
end
if args.facts and args.facts ~= facts_now() then return { -3 } end
local function rules_version(key) return redis.call('HGET', key, 'version') or '' end
if args.rules and args.rules ~= rules_version(KEYS[12]) .. ' ' .. rules_version(KEYS[13]) then return { -3 } end

-- What overrides an executor's or a human's word must have heard it.
for _, change in ipairs(changes_of_calls) do
  local call = call_of(change.call_id)
  local overrides = change[1] == 'ask_again' or change[1] == 'approve' or change[1] == 'reassign' or change.synthetic
  if overrides and (tonumber(call.heard_in) or 0) > up_to then return { -2 } end
end
for _, message in ipairs(args.taken or {}) do
  if was_removed(message[1]) then return { -2 } end
end
local ends = args.ends == session.turn_id
-- A gateway of a release before the list `steering` tells of a steered message in the inbox alone: the end of its turn must have read it.
local function is_unknown(id) return not find_waiting(id) and not was_removed(id) end
if ends and session.inbox_seq > up_to then
  for _, entry in ipairs(redis.call('XRANGE', INBOX, int(up_to + 1) .. '-0', '+')) do
    local fields = {}
    for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
    if fields.steered == '1' and fields.turn_id == session.turn_id and is_unknown(fields.message_id) then return { -2 } end
  end
end

local items = {}
for i, item in ipairs(args.history or {}) do
  items[i] = item[1]
  add_bytes('history', size_of(item[1]))
  if is_split(item[1]) then set('splits', '1') end
end
for i = 1, #items, 500 do set('history_version', redis.call('RPUSH', HISTORY, unpack(items, i, math.min(i + 499, #items)))) end
-- A session that a release began which didn't count has no count.
local counted = args.user_messages and (redis.call('HGET', META, 'user_messages') or (session.history_version == #items and '0'))
if counted then set('user_messages', tonumber(counted) + tonumber(args.user_messages)) end
local seq_of = {}
for _, frame in ipairs(args.frames or {}) do seq_of[frame[1]] = append(frame.head, frame[1]) end

local CHANGE = {
  open = function(id, change)
    -- A journal may have told of it before: the store was set back to before the call, and its turn has come to it again.
    if calls[id].state ~= '' and calls[id].state ~= 'foreign' then return end
    change_call(id, { state = change.state, args_sha256 = change.args_sha256, fence = change.fence, expires_at = change.expires_at,
      idempotency = change.idempotency, deadline_ms = change.deadline_ms, frame = change.frame, tool_name = change.tool_name,
      seq = int(seq_of[change.frame] or 0), given_to = change.given_to, target = change.target, agent = change.agent })
    weigh_call(id, size_of(change.frame))
    set_open(without(read_call_index().open, id) .. ' ' .. id)
  end,
  ask_again = function(id, change)
    if not is_open(calls[id]) then return end
    change_call(id, { state = 'waiting_approval', args_sha256 = change.args_sha256, question = change.question, expires_at = change.expires_at, frame = change.frame,
      seq = seq_of[change.frame] and int(seq_of[change.frame]), decision = '', preview = '', result = '', progress = '', started_at = '', given_to = '' })
    weigh_call(id, size_of(change.frame))
  end,
  approve = function(id, change)
    if calls[id].state == 'waiting_approval' then change_call(id, { state = 'ready', decision = change.decision }) end
  end,
  reassign = function(id, change)
    if not is_undone(calls[id]) then return end
    change_call(id, { fence = change.fence, given_before = calls[id].given_to, given_to = '', progress = '', started_at = '' })
  end,
  close = function(id, change)
    local call = calls[id]
    if call.state ~= '' and not is_open(call) then return end
    -- Where somebody refused, or a client that asks first was never allowed, no true result can come.
    local impossible = call.state == 'refused' or (call.state == 'waiting_approval' and not is_seed(session.executor))
    local synthetic = change.synthetic and not impossible
    close_call(id, synthetic and 'synthetic' or 'closed')
    if synthetic then set('synthetic', session.synthetic == '' and id or (session.synthetic .. ' ' .. id)) end
  end,
}
for _, change in ipairs(changes_of_calls) do CHANGE[change[1]](change.call_id, change) end

for _, field in ipairs(args.meta or {}) do
  if field[1] == 'mode' then switch_mode(field.value) else set(field[1], field.value) end
end
set('state', args.state)
for _, row in ipairs(args.audit or {}) do write_audit(AUDIT, row) end
if args.todos then
  redis.call('SET', TODOS, args.todos)
  set('todos_bytes', #args.todos)
end

local consumed = math.min(up_to, session.inbox_seq) - session.inbox_done
if consumed > 0 then
  local sizes, bytes, place = {}, 0, 0
  for size in string.gmatch(session.inbox_sizes, '%d+') do
    place = place + 1
    if place > consumed then sizes[#sizes + 1] = size else bytes = bytes + tonumber(size) end
  end
  -- Entries that are taken out one by one are passed over by each later command, so what is empty goes as a whole.
  if #sizes == 0 then redis.call('UNLINK', INBOX) else redis.call('XTRIM', INBOX, 'MINID', int(up_to + 1) .. '-0') end
  set('inbox_sizes', table.concat(sizes, ' '))
  set('inbox_bytes', session.inbox_bytes - bytes)
  set('inbox_done', session.inbox_done + consumed)
end

if step_id then
  if session.last_step ~= '' then redis.call('UNLINK', (string.gsub(KEYS[11], '[^:]+$', session.last_step))) end
  redis.call('HSET', KEYS[11], 'state', 'requested', 'attempt', '0', 'request', args.request, 'turn', session.turn_id)
  redis.call('PEXPIRE', KEYS[11], ARGV[3])
  set('step', step_id)
  set('last_step', step_id)
  set('synthetic', '')
end

if ends or args.taken then
  local before, finds = count_waiting(), false
  for _, message in ipairs(args.taken or {}) do
    local list, place = find_waiting(message[1])
    if list then dequeue(list, place) end
  end
  if ends then
    set('turn_id', '')
    set('cancel_turn', '')
    set('step', '')
    local place = 0
    for _, message in ipairs(args.left_over or {}) do
      local list, known_at = find_waiting(message[1])
      if list == 'steering' then
        place = known_at
      elseif is_unknown(message[1]) then
        place, finds = place + 1, true
        message.message_id = message[1]
        enqueue('steering', place, message)
      end
    end
    requeue_steering()
    if #waiting_in('order') > 0 then
      local id, turn_id, frame = dequeue('order', 1)
      start_turn(turn_id, id, frame)
    end
  end
  if finds or count_waiting() ~= before then append_queue_updated() end
end
set('last_commit', ARGV[2])
close_session()
return { 1, session.seq, session.turn_id, session.epoch }
