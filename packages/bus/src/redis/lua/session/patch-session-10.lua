-- Changes settings of a session. A runtime that holds it hears of another agent, and calls that wait are judged by it.
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 agent as JSON text or ''  then names and values
-- Returns {1, lease alive, '1' if there is news in the inbox} · {-1} SESSION_NOT_FOUND
-- include session
-- include calls
if not open_session() then return { -1 } end
local agent = session.agent
for i = 8, #ARGV, 2 do set(ARGV[i], ARGV[i + 1]) end
if ARGV[7] ~= '' and session.agent ~= agent then
  push('agent', 'agent', ARGV[7])
  for _, id in ipairs(open_calls()) do set_call(id, 'ag', session.agent) end
end
close_session()
return { 1, lease_alive(), #entries > 0 and '1' or '' }
