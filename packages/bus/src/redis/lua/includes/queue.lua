-- Messages that wait: fields `<message_id as JSON text>:<name>` of one hash, turn_id, summary and frame, and `order`, their ids.
local US = '\31'

local function queued_ids()
  local ids = {}
  for id in string.gmatch(redis.call('HGET', QUEUE, 'order') or '', '[^' .. US .. ']+') do ids[#ids + 1] = id end
  return ids
end

local function write_order(ids)
  if #ids == 0 then redis.call('DEL', QUEUE) else redis.call('HSET', QUEUE, 'order', table.concat(ids, US)) end
end

-- `message`: its message_id as JSON text, turn_id, summary and frame.
local function enqueue(ids, place, message)
  local id, summary, frame = message.message_id, message.summary, message.frame
  table.insert(ids, place, id)
  add_bytes('queue', #summary + #frame)
  redis.call('HSET', QUEUE, id .. ':turn_id', message.turn_id, id .. ':summary', summary, id .. ':frame', frame)
  write_order(ids)
end

-- Takes the message at `place` out: turn and frame.
local function dequeue(ids, place)
  local id = table.remove(ids, place)
  local turn_id, frame = unpack(redis.call('HMGET', QUEUE, id .. ':turn_id', id .. ':frame'))
  add_bytes('queue', 0 - redis.call('HSTRLEN', QUEUE, id .. ':summary') - #frame)
  redis.call('HDEL', QUEUE, id .. ':turn_id', id .. ':summary', id .. ':frame')
  write_order(ids)
  return id, turn_id, frame
end

-- A message that was taken out never starts: whoever asks for it again is told that it is not there.
local function note_removed(id) redis.call('HSET', MESSAGES, 'x:' .. id, '1') end

local function append_queue_updated(ids)
  local summaries = {}
  for i, id in ipairs(ids) do summaries[i] = redis.call('HGET', QUEUE, id .. ':summary') end
  return append(head_of('queue_updated'), '{"type":"queue_updated","queue":[' .. table.concat(summaries, ',') .. ']}')
end

local function start_turn(turn_id, message_id, frame)
  set('turn_id', turn_id)
  set('cancel_turn', '')
  push('message', 'message_id', message_id, 'turn_id', turn_id, 'steered', '0', 'frame', frame)
end
