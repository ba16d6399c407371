-- Marks the turn as cancelled, asks executors to stop, tells runtime and proxy. Once per turn.
local function cancel_running_turn()
  if session.cancel_turn == session.turn_id then return end
  set('cancel_turn', session.turn_id)
  for _, id in ipairs(open_calls()) do
    if call(id, 's') ~= 'answered' then append('{"type":"tool_cancel","call_id":"' .. id .. '","reason":"cancelled"}') end
  end
  push('cancel', 'turn_id', session.turn_id)
  redis.call('SPUBLISH', ARGV[6], 'cancel' .. RS .. session.turn_id)
end
