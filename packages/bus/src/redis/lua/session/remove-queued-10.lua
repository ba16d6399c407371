-- Takes a waiting message out of the queue, and logs the queue as it is now.
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 message_id as JSON text
-- Returns {1 REMOVED, seq, frame} · {-1} UNKNOWN_MESSAGE · {-2} ALREADY_RESOLVED
-- include session
-- include queue
if not open_session() then return { -1 } end
local ids = queued_ids()
for place, id in ipairs(ids) do
  if id == ARGV[7] then
    dequeue(ids, place)
    note_removed(id)
    local seq = append_queue_updated(ids)
    close_session()
    return { 1, seq, frames[#frames].text }
  end
end
local has_started = redis.call('HEXISTS', MESSAGES, 'm:' .. ARGV[7]) == 1 and redis.call('HEXISTS', MESSAGES, 'x:' .. ARGV[7]) == 0
return { has_started and -2 or -1 }
