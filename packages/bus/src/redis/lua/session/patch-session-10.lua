-- Changes settings of a session, and logs another mode. A runtime that holds it hears of another agent, and calls that wait are judged by it.
-- KEYS and ARGV 1-6 of includes/session    ARGV from 7 by name: the fields of meta; agent_text, the agent as JSON text
-- Returns {1, lease alive, '1' if there is news in the inbox} · {-1} SESSION_NOT_FOUND
-- include session
-- include arguments
local args = read_arguments(7)
if not open_session() then return { -1 } end
if args.agent and args.agent ~= session.agent then
  push('agent', 'agent', args.agent_text)
  for _, id in ipairs(open_calls()) do change_call(id, { agent = args.agent }) end
end
if args.mode then switch_mode(args.mode) end
args.agent_text, args.mode = nil, nil
for name, value in pairs(args) do set(name, value) end
close_session()
return { 1, lease_alive(), #entries > 0 and '1' or '' }
