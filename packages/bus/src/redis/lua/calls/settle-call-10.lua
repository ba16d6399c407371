-- Stores the first result of a call, in one step or not at all; a second one changes nothing (R2).
-- A seed client that answers an undecided call has decided it; of one whose preview failed the question is taken back; a true result after a synthetic one is taken until a model has seen that.
-- KEYS and ARGV 1-6 of includes/session
-- ARGV from 7 by name: call_id · frame · fence · client_id, without: a seed client · error_code · preview_error, JSON text: its preview failed
-- Returns {1 ACCEPTED, lease alive} · {2 DUPLICATE, lease alive} · {3} STALE · {-1} UNKNOWN_CALL · {-2} FORBIDDEN · {-3} OVERLOADED
--   · {-4} INVALID_FIELD: no assignment of the call has this number
-- include session
-- include audit
-- include arguments
local args = read_arguments(7)
local id, frame, client_id = args.call_id, args.frame, args.client_id or ''
if not open_session() then return { -1 } end
local call = call_of(id)
local state = call.state
if state == '' or state == 'foreign' then return { -1 } end

local assigned = tonumber(call.fence) or 0
local fence = tonumber(args.fence) or assigned
if fence < assigned then
  if call.given_to ~= '' then return { 3 } end
  if call.given_before ~= client_id then return { -2 } end
elseif not answers_for(call, client_id) then
  return { -2 }
elseif fence > assigned then
  return { -4 }
end
local undecided = state == 'waiting_approval'
local decides = undecided and not args.preview_error
if decides and (client_id ~= '' or session.server_side_decisions == '1') then return { -2 } end
if state == 'closed' or state == 'answered' or state == 'refused' then return { 2, lease_alive() } end
if not inbox_has_room(#frame) then return { -3 } end

if state == 'synthetic' then
  local unseen = without(session.synthetic, id) ~= session.synthetic
  change_call(id, { state = 'closed' })
  set('synthetic', without(session.synthetic, id))
  push('late_result', 'call_id', id, 'frame', frame, 'replaces', unseen and '1' or '0')
  close_session()
  return { unseen and 1 or 2, lease_alive() }
end

if undecided then
  local refused = args.error_code == 'PERMISSION_DENIED' or args.error_code == 'DENIED_BY_POLICY'
  local outcome = not decides and 'cancelled' or refused and 'rejected' or 'approved'
  local digest = call.args_sha256
  change_call(id, { decision = '{"outcome":"' .. outcome .. '","argsSha256":"' .. digest .. '","by":"executor","atMs":' .. int(now) .. '}' })
  append(head_of('approval_resolved', id, ',"outcome":"' .. outcome .. '"'), '{"type":"approval_resolved","call_id":"' .. id .. '","outcome":"' .. outcome .. '","args_sha256":"' .. digest
    .. '"' .. (decides and '' or (',"error":' .. args.preview_error)) .. ',"by":"executor","at_ms":' .. int(now) .. '}')
  write_audit(AUDIT, { turn_id = session.turn_id, call_id = id, tool_name = call.tool_name, args_sha256 = digest,
    target = call.target, outcome = outcome, by = 'executor',
    reason = not decides and ('nobody was asked: its preview fails; ' .. (args.error_code or '')) or nil })
end
local unasked = undecided and not decides
local entry = push('result', 'call_id', id, 'frame', frame, 'local', decides and '1' or '0', 'unasked', unasked and '1' or '0')
change_call(id, { state = 'answered', result = frame, heard_in = int(entry) })
weigh_call(id, (tonumber(call.bytes) or 0) + #frame)
close_session()
return { 1, lease_alive() }
