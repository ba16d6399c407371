-- Stores a message by its strategy: it starts a turn, waits, or joins the turn that runs. A repeat gets the answer of the first (G2).
-- KEYS and ARGV 1-6 of includes/session
-- ARGV 7 message_id as JSON text  8 turn_id  9 frame  10 summary: {"message_id":…,"content":…}  11 enqueue | steer | interrupt | reject
--      12 seed:<connection> of a seed client or ''  13 digest of the content or ''
-- Returns {1 ACCEPTED, lease alive, '<turn_id> <state> <position>'} · {-1} SESSION_NOT_FOUND · {-2} BUSY · {-3} QUEUE_FULL · {-4} OVERLOADED
--   · {-5} INVALID_FIELD: another text has this id
-- include session
-- include calls
-- include cancel
-- include queue
local id, turn_id, frame, summary, when_busy = ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11]
if not open_session() then return { -1 } end
local known = redis.call('HGET', MESSAGES, 'm:' .. id)
if known then
  local digest = string.match(known, '^%S+ %S+ %S+ (%S+)$')
  if digest and ARGV[13] ~= '' and digest ~= ARGV[13] then return { -5 } end
  return { 1, lease_alive(), known }
end

-- The last messages are remembered, so that a repeat is known as one.
local function remember(answer)
  local place = 'r:' .. (redis.call('HINCRBY', MESSAGES, 'n', 1) % LIMITS.MAX_REMEMBERED_MESSAGES)
  local oldest = redis.call('HGET', MESSAGES, place)
  if oldest then redis.call('HDEL', MESSAGES, 'm:' .. oldest, 'x:' .. oldest) end
  redis.call('HSET', MESSAGES, place, id, 'm:' .. id, ARGV[13] == '' and answer or (answer .. ' ' .. ARGV[13]))
  return answer
end

local function wait_at(ids, place)
  enqueue(ids, place, id, turn_id, summary, frame)
  append_queue_updated(ids)
  return remember(turn_id .. ' queued ' .. place)
end

-- A seed client that talks on another connection will not answer what the lost one was given (R2).
local function abandon_lost_calls()
  if ARGV[12] == '' then return end
  for _, call_id in ipairs(open_calls()) do
    local owner, state = call(call_id, 'to'), call(call_id, 's')
    local is_open = state == 'ready' or state == 'waiting_approval'
    if is_open and is_seed(owner) and owner ~= ARGV[12] and call(call_id, 'i') ~= 'safe' then push('abandoned', 'call_id', call_id) end
  end
end

local answer
if session.turn_id == '' then
  if not inbox_has_room(#frame) then return { -4 } end
  start_turn(turn_id, id, frame)
  answer = remember(turn_id .. ' started 0')
elseif when_busy == 'reject' then
  return { -2 }
elseif when_busy == 'steer' and session.cancel_turn ~= session.turn_id then
  if not inbox_has_room(#frame) then return { -4 } end
  push('message', 'message_id', id, 'turn_id', session.turn_id, 'steered', '1', 'frame', frame)
  answer = remember(session.turn_id .. ' steered 0')
else
  local ids = queued_ids()
  if #ids >= LIMITS.MAX_QUEUED_MESSAGES then return { -3 } end
  if when_busy == 'interrupt' then cancel_running_turn() end
  answer = wait_at(ids, when_busy == 'enqueue' and #ids + 1 or 1)
end
abandon_lost_calls()
close_session()
return { 1, lease_alive(), answer }
