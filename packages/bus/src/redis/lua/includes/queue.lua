-- Messages that wait, in one hash: fields `<message_id as JSON text>:<name>`, turn_id, summary and frame, and two lists of their ids: `order`,
-- those that wait for a turn, and `steering`, those that go into the turn that runs, before its next model request.
local US = '\31'

local waiting = {}

-- The ids of a list, in order.
local function waiting_in(list)
  if not waiting[list] then
    waiting[list] = {}
    for id in string.gmatch(redis.call('HGET', QUEUE, list) or '', '[^' .. US .. ']+') do table.insert(waiting[list], id) end
  end
  return waiting[list]
end

local function count_waiting() return #waiting_in('order') + #waiting_in('steering') end

local function write_list(list)
  local ids = waiting_in(list)
  if #ids == 0 then redis.call('HDEL', QUEUE, list) else redis.call('HSET', QUEUE, list, table.concat(ids, US)) end
end

-- `message`: its message_id as JSON text, turn_id, summary and frame.
local function enqueue(list, place, message)
  local id, summary, frame = message.message_id, message.summary, message.frame
  table.insert(waiting_in(list), place, id)
  add_bytes('queue', #summary + #frame)
  redis.call('HSET', QUEUE, id .. ':turn_id', message.turn_id, id .. ':summary', summary, id .. ':frame', frame)
  write_list(list)
end

-- Takes the message at `place` out: its id, turn and frame.
local function dequeue(list, place)
  local id = table.remove(waiting_in(list), place)
  local turn_id, frame = unpack(redis.call('HMGET', QUEUE, id .. ':turn_id', id .. ':frame'))
  add_bytes('queue', 0 - redis.call('HSTRLEN', QUEUE, id .. ':summary') - #frame)
  redis.call('HDEL', QUEUE, id .. ':turn_id', id .. ':summary', id .. ':frame')
  write_list(list)
  return id, turn_id, frame
end

-- The list that a message waits in, and its place there; nothing where it waits no more.
local function find_waiting(id)
  for _, list in ipairs({ 'order', 'steering' }) do
    for place, each in ipairs(waiting_in(list)) do
      if each == id then return list, place end
    end
  end
end

-- The turn that they were to go into is over: they head those that wait for one.
local function requeue_steering()
  local order, steering = waiting_in('order'), waiting_in('steering')
  if #steering == 0 then return end
  while #steering > 0 do table.insert(order, 1, table.remove(steering)) end
  write_list('order')
  write_list('steering')
end

-- A message that was taken out never starts: whoever asks for it again is told that it is not there.
local function note_removed(id) redis.call('HSET', MESSAGES, 'x:' .. id, '1') end
local function was_removed(id) return redis.call('HEXISTS', MESSAGES, 'x:' .. id) == 1 end

local function remove_all_waiting()
  for _, list in ipairs({ 'order', 'steering' }) do
    for _, id in ipairs(waiting_in(list)) do note_removed(id) end
  end
  waiting = { order = {}, steering = {} }
  add_bytes('queue', 0 - session.queue_bytes)
  return redis.call('DEL', QUEUE) == 1
end

local function summaries_of(list)
  local summaries = {}
  for i, id in ipairs(waiting_in(list)) do summaries[i] = redis.call('HGET', QUEUE, id .. ':summary') end
  return '[' .. table.concat(summaries, ',') .. ']'
end

local function append_queue_updated()
  local steering = #waiting_in('steering') > 0 and (',"steering":' .. summaries_of('steering')) or ''
  return append(head_of('queue_updated'), '{"type":"queue_updated","queue":' .. summaries_of('order') .. steering .. '}')
end

local function start_turn(turn_id, message_id, frame)
  set('turn_id', turn_id)
  set('cancel_turn', '')
  push('message', 'message_id', message_id, 'turn_id', turn_id, 'steered', '0', 'frame', frame)
end
