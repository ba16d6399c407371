-- Takes a waiting message out, and logs the queue as it is now. A runtime hears of one that was to go into the turn that runs.
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 message_id as JSON text
-- Returns {1 REMOVED, lease alive, seq, frame} · {-1} UNKNOWN_MESSAGE · {-2} ALREADY_RESOLVED
-- include session
-- include queue
if not open_session() then return { -1 } end
local id = ARGV[7]
local list, place = find_waiting(id)
if not list then
  local has_started = redis.call('HEXISTS', MESSAGES, 'm:' .. id) == 1 and not was_removed(id)
  return { has_started and -2 or -1 }
end
dequeue(list, place)
note_removed(id)
if list == 'steering' then push('removed', 'message_id', id) end
local seq = append_queue_updated()
close_session()
return { 1, lease_alive(), seq, frames[#frames].text }
