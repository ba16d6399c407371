-- Stores and logs what the executor would do, for the other approvers. Only of an undecided call, only from its executor.
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 call_id  8 client_id or ''  9 approval_updated
-- Returns {1} · {0} not its executor, or decided
-- include session
-- include calls
local id = ARGV[7]
if not open_session() then return { 0 } end
if call(id, 's') ~= 'waiting_approval' or not answers_for(id, ARGV[8]) then return { 0 } end
add_bytes('call', #ARGV[9] - #call(id, 'p'))
set_call(id, 'p', ARGV[9])
append(ARGV[9])
close_session()
return { 1 }
