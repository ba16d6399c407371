-- Stores and logs what the executor would do, for the other approvers. Only of an undecided call, only from its executor.
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 call_id  8 client_id or ''  9 approval_updated
-- Returns {1} · {0} not its executor, or decided
-- include session
local id, frame = ARGV[7], ARGV[9]
if not open_session() then return { 0 } end
local call = call_of(id)
if call.state ~= 'waiting_approval' or not answers_for(call, ARGV[8]) then return { 0 } end
weigh_call(id, (tonumber(call.bytes) or 0) + #frame - redis.call('HSTRLEN', CALLS, id .. ':preview'))
change_call(id, { preview = frame })
append(head_of('approval_updated', id), frame)
close_session()
return { 1 }
