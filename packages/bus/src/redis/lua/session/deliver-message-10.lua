-- Stores a message by its strategy: it starts a turn, waits for one, or waits for the next model request of the turn that runs. A repeat gets
-- the answer of the first (G2).
-- KEYS and ARGV 1-6 of includes/session
-- ARGV from 7 by name: message_id, JSON text · turn_id · frame · summary: {"message_id":…,"content":…} · when_busy: enqueue | steer | interrupt
--   | reject · seed: seed:<connection> of a seed client · digest of the content
-- Returns {1 ACCEPTED, lease alive, '<turn_id> <state> <position>'} · {-1} SESSION_NOT_FOUND · {-2} BUSY · {-3} QUEUE_FULL · {-4} OVERLOADED
--   · {-5} INVALID_FIELD: another text has this id
-- include session
-- include cancel
-- include queue
-- include arguments
local args = read_arguments(7)
local id, turn_id, frame, when_busy = args.message_id, args.turn_id, args.frame, args.when_busy
if not open_session() then return { -1 } end
local known = redis.call('HGET', MESSAGES, 'm:' .. id)
if known then
  local digest = string.match(known, '^%S+ %S+ %S+ (%S+)$')
  if digest and args.digest and digest ~= args.digest then return { -5 } end
  return { 1, lease_alive(), known }
end

-- The last messages are remembered, so that a repeat is known as one.
local function remember(answer)
  local place = 'r:' .. (redis.call('HINCRBY', MESSAGES, 'n', 1) % LIMITS.MAX_REMEMBERED_MESSAGES)
  local oldest = redis.call('HGET', MESSAGES, place)
  if oldest then redis.call('HDEL', MESSAGES, 'm:' .. oldest, 'x:' .. oldest) end
  redis.call('HSET', MESSAGES, place, id, 'm:' .. id, args.digest and (answer .. ' ' .. args.digest) or answer)
  return answer
end

local function wait_in(list, place)
  enqueue(list, place, { message_id = id, turn_id = turn_id, summary = args.summary, frame = frame })
  append_queue_updated()
end

-- A seed client that talks on another connection will not answer what the lost one was given (R2).
local function abandon_lost_calls()
  if not args.seed then return end
  for _, call_id in ipairs(open_calls()) do
    local call = calls[call_id]
    if is_undone(call) and is_seed(call.given_to) and call.given_to ~= args.seed and call.idempotency ~= 'safe' then
      push('abandoned', 'call_id', call_id)
    end
  end
end

local answer
if session.turn_id == '' then
  if not inbox_has_room(#frame) then return { -4 } end
  start_turn(turn_id, id, frame)
  answer = remember(turn_id .. ' started 0')
elseif when_busy == 'reject' then
  return { -2 }
elseif count_waiting() >= LIMITS.MAX_QUEUED_MESSAGES then
  return { -3 }
elseif when_busy == 'steer' and session.cancel_turn ~= session.turn_id then
  if not inbox_has_room(#frame) then return { -4 } end
  wait_in('steering', #waiting_in('steering') + 1)
  push('message', 'message_id', id, 'turn_id', session.turn_id, 'steered', '1', 'frame', frame)
  answer = remember(session.turn_id .. ' steered 0')
else
  local place = when_busy == 'enqueue' and #waiting_in('order') + 1 or 1
  if when_busy == 'interrupt' then cancel_running_turn() end
  wait_in('order', place)
  answer = remember(turn_id .. ' queued ' .. place)
end
abandon_lost_calls()
close_session()
return { 1, lease_alive(), answer }
