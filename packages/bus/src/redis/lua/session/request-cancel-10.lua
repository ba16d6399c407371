-- Marks the running turn as cancelled, logs `tool_cancel` for its open calls, tells runtime and proxy (L2). Harmless when repeated.
-- Takes no room in the inbox that others could need: there is one cancel a turn.
-- KEYS and ARGV 1-6 of includes/session
-- ARGV 7 turn_id or '' for the one that runs  8 '1' to empty the queue too
-- Returns {1 CANCELLING, lease alive, turn_id} · {-1} UNKNOWN_TURN
-- include session
-- include cancel
-- include queue
if not open_session() or session.turn_id == '' then return { -1 } end
if ARGV[7] ~= '' and ARGV[7] ~= session.turn_id then return { -1 } end
cancel_running_turn()
if ARGV[8] == '1' and remove_all_waiting() then append_queue_updated() end
close_session()
return { 1, lease_alive(), session.turn_id }
