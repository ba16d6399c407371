-- Decides a call once, on the arguments that the decider saw, in its time; logs `approval_resolved` and who decided in the same step (H1, H2, H3).
-- An approved or edited call is ready; any other outcome leaves nothing to run: no result of an executor is taken any more.
-- KEYS and ARGV 1-6 of includes/session
-- ARGV 7 call_id  8 digest decided on or ''  9 outcome  10 decision as JSON text  11 digest of the args to run  12 approval_resolved  13 by
-- ARGV 14 what the edited call acts on, or ''
-- Returns {1 DECIDED, lease alive, seq} · {-1} UNKNOWN_CALL · {-2} ALREADY_RESOLVED · {-3} EXPIRED · {-4} DIGEST_MISMATCH · {-5} OVERLOADED
-- include session
-- include calls
-- include audit
local id, decided_on, outcome, decision, digest, frame = ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11], ARGV[12]
if not open_session() then return { -1 } end
local state = call(id, 's')
if state == '' or state == 'foreign' then return { -1 } end
if state ~= 'waiting_approval' then return { -2 } end
local by_client = outcome == 'approved' or outcome == 'edited' or outcome == 'rejected'
local expires = tonumber(call(id, 'x')) or 0
if by_client and expires > 0 and now >= expires then return { -3 } end
if decided_on ~= '' and decided_on ~= call(id, 'd') then return { -4 } end
if not inbox_has_room(#decision) then return { -5 } end

local runs = outcome == 'approved' or outcome == 'edited'
local seq = append(frame)
local entry = push('decision', 'call_id', id, 'decision', decision)
redis.call('HSET', CALLS, id .. ':s', runs and 'ready' or 'answered', id .. ':o', decision, id .. ':d', digest, id .. ':e', int(entry))
write_audit(AUDIT, { turn_id = session.turn_id, call_id = id, tool_name = call(id, 'm'), args_sha256 = digest,
  target = ARGV[14] ~= '' and ARGV[14] or call(id, 'a'), outcome = outcome, by = ARGV[13] })
close_session()
return { 1, lease_alive(), seq }
