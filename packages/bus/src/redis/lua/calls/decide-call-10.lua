-- Decides a call once, on the arguments and the question that the decider saw, in its time; logs `approval_resolved` and who decided in the same step (H1, H2, H3).
-- An approved or edited call is ready; any other outcome leaves nothing to run: no result of an executor is taken any more.
-- KEYS and ARGV 1-6 of includes/session
-- ARGV from 7 by name: call_id · decided_on and question, the digest and the question that the decider saw, if they name them · outcome · decision, JSON text · args_sha256 to run
--   · frame, approval_resolved · by · target, what the edited call acts on
-- Returns {1 DECIDED, lease alive, seq} · {-1} UNKNOWN_CALL · {-2} ALREADY_RESOLVED · {-3} EXPIRED · {-4} DIGEST_MISMATCH · {-5} OVERLOADED
-- include session
-- include audit
-- include arguments
local args = read_arguments(7)
local id, outcome = args.call_id, args.outcome
if not open_session() then return { -1 } end
local call = call_of(id)
if call.state == '' or call.state == 'foreign' then return { -1 } end
-- A cancel withdraws every question of the turn, though the runtime says so a moment later.
local is_withdrawn = session.cancel_turn ~= '' and session.cancel_turn == session.turn_id
if call.state ~= 'waiting_approval' or is_withdrawn then return { -2 } end
local by_client = outcome ~= 'expired' and outcome ~= 'cancelled'
local expires = tonumber(call.expires_at) or 0
if by_client and expires > 0 and now >= expires then return { -3 } end
if args.decided_on and args.decided_on ~= call.args_sha256 then return { -4 } end
if args.question and tonumber(args.question) ~= (tonumber(call.question) or 1) then return { -4 } end
if not inbox_has_room(#args.decision) then return { -5 } end

local seq = append(head_of('approval_resolved', id, ',"outcome":"' .. outcome .. '"'), args.frame)
local entry = push('decision', 'call_id', id, 'decision', args.decision)
local runs = outcome == 'approved' or outcome == 'edited'
change_call(id, { state = runs and 'ready' or 'refused', decision = args.decision, args_sha256 = args.args_sha256, heard_in = int(entry) })
write_audit(AUDIT, { turn_id = session.turn_id, call_id = id, tool_name = call.tool_name, args_sha256 = args.args_sha256,
  target = args.target or call.target, outcome = outcome, by = args.by })
close_session()
return { 1, lease_alive(), seq }
