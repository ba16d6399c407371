-- Asks the executors of calls that are not over to stop.
local function stop_open_calls()
  for _, id in ipairs(open_calls()) do
    if is_undone(calls[id]) then append(head_of('tool_cancel', id), '{"type":"tool_cancel","call_id":"' .. id .. '","reason":"cancelled"}') end
  end
end

-- Marks the turn as cancelled, asks executors to stop, tells runtime and proxy. Once per turn.
local function cancel_running_turn()
  if session.cancel_turn == session.turn_id then return end
  set('cancel_turn', session.turn_id)
  stop_open_calls()
  push('cancel', 'turn_id', session.turn_id)
  redis.call('SPUBLISH', ARGV[6], 'cancel' .. RS .. session.turn_id)
end
