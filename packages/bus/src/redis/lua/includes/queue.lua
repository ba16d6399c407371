-- Messages that wait: fields `<message_id as JSON text>:<letter>` of one hash, and `order`, their ids. t turn  s summary  f frame
local US = '\31'

local function queued_ids()
  local ids = {}
  for id in string.gmatch(redis.call('HGET', QUEUE, 'order') or '', '[^' .. US .. ']+') do ids[#ids + 1] = id end
  return ids
end

local function write_order(ids)
  if #ids == 0 then redis.call('DEL', QUEUE) else redis.call('HSET', QUEUE, 'order', table.concat(ids, US)) end
end

-- Returns the place, from 1.
local function enqueue(ids, place, id, turn_id, summary, frame)
  table.insert(ids, place, id)
  add_bytes('queue', #summary + #frame)
  redis.call('HSET', QUEUE, id .. ':t', turn_id, id .. ':s', summary, id .. ':f', frame)
  write_order(ids)
  return place
end

-- Takes the message at `place` out: turn and frame.
local function dequeue(ids, place)
  local id = table.remove(ids, place)
  local turn_and_frame = redis.call('HMGET', QUEUE, id .. ':t', id .. ':f')
  add_bytes('queue', 0 - redis.call('HSTRLEN', QUEUE, id .. ':s') - redis.call('HSTRLEN', QUEUE, id .. ':f'))
  redis.call('HDEL', QUEUE, id .. ':t', id .. ':s', id .. ':f')
  write_order(ids)
  return id, turn_and_frame[1], turn_and_frame[2]
end

-- A message that was taken out never starts: whoever asks for it again is told that it is not there.
local function note_removed(id) redis.call('HSET', MESSAGES, 'x:' .. id, '1') end

local function append_queue_updated(ids)
  local summaries = {}
  for i, id in ipairs(ids) do summaries[i] = redis.call('HGET', QUEUE, id .. ':s') end
  return append('{"type":"queue_updated","queue":[' .. table.concat(summaries, ',') .. ']}')
end

local function start_turn(turn_id, message_id, frame)
  set('turn_id', turn_id)
  set('cancel_turn', '')
  push('message', 'message_id', message_id, 'turn_id', turn_id, 'steered', '0', 'frame', frame)
end
