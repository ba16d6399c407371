-- Tells the runtime, once, that the turn which runs can't go on because a result of it has no room, and asks executors to stop what is open.
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 call_id of that result  8 client_id or ''  9 what the human is told, as JSON text
-- Returns {1, lease alive} · {-1} no open call of this name, or another executor's
-- include session
-- include cancel
local id = ARGV[7]
if not open_session() or session.turn_id == '' then return { -1 } end
local call = call_of(id)
if not is_undone(call) or not answers_for(call, ARGV[8]) then return { -1 } end
if session.stopped_turn == session.turn_id then return { 1, lease_alive() } end
set('stopped_turn', session.turn_id)
stop_open_calls()
push('quota', 'turn_id', session.turn_id, 'message', ARGV[9])
close_session()
return { 1, lease_alive() }
