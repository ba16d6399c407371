-- Stores the first result of a call, in one step or not at all; a second one changes nothing (R2).
-- A seed client that answers an undecided call has decided it; a true result after a synthetic one is taken until a model has seen that.
-- KEYS and ARGV 1-6 of includes/session
-- ARGV 7 call_id  8 fence or ''  9 client_id or ''  10 frame  11 error code or ''
-- Returns {1 ACCEPTED, lease alive} · {2 DUPLICATE, lease alive} · {3} STALE · {-1} UNKNOWN_CALL · {-2} FORBIDDEN · {-3} OVERLOADED
--   · {-4} INVALID_FIELD: no assignment of the call has this number
-- include session
-- include calls
-- include audit
local id, fence, client_id, frame, error_code = ARGV[7], tonumber(ARGV[8]), ARGV[9], ARGV[10], ARGV[11]
if not open_session() then return { -1 } end
local state = call(id, 's')
if state == '' or state == 'foreign' then return { -1 } end

if fence and fence < tonumber(call(id, 'n')) then
  if call(id, 'to') ~= '' then return { 3 } end
  if call(id, 'w') ~= client_id then return { -2 } end
elseif not answers_for(id, client_id) then
  return { -2 }
elseif fence and fence > tonumber(call(id, 'n')) then
  return { -4 }
end

if state == 'closed' or state == 'answered' then return { 2, lease_alive() } end
if not inbox_has_room(#frame) then return { -3 } end

if state == 'synthetic' then
  local unseen = without(session.synthetic, id) ~= session.synthetic
  set_call(id, 's', 'closed')
  set('synthetic', without(session.synthetic, id))
  push('late_result', 'call_id', id, 'frame', frame, 'replaces', unseen and '1' or '0')
  close_session()
  return { unseen and 1 or 2, lease_alive() }
end

local decides = state == 'waiting_approval'
if decides then
  if client_id ~= '' or redis.call('HGET', META, 'server_side_decisions') == '1' then return { -2 } end
  local refused = error_code == 'PERMISSION_DENIED' or error_code == 'DENIED_BY_POLICY'
  local outcome = refused and 'rejected' or 'approved'
  local digest = call(id, 'd')
  set_call(id, 'o', '{"outcome":"' .. outcome .. '","argsSha256":"' .. digest .. '","by":"executor","atMs":' .. int(now) .. '}')
  append('{"type":"approval_resolved","call_id":"' .. id .. '","outcome":"' .. outcome .. '","args_sha256":"' .. digest
    .. '","by":"executor","at_ms":' .. int(now) .. '}')
  write_audit(AUDIT, { turn_id = session.turn_id, call_id = id, tool_name = call(id, 'm'), args_sha256 = digest,
    target = call(id, 'a'), outcome = outcome, by = 'executor' })
end
local entry = push('result', 'call_id', id, 'frame', frame, 'local', decides and '1' or '0')
add_bytes('call', #frame)
redis.call('HSET', CALLS, id .. ':s', 'answered', id .. ':r', frame, id .. ':e', int(entry))
close_session()
return { 1, lease_alive() }
