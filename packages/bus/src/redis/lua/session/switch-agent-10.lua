-- Changes the agent mode, logs it and tells the runtime. The turn that runs goes on under it, so calls that wait are judged by it from now on.
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 agent  8 agent as JSON text  9 agent_switched
-- Returns {1, lease alive, seq} · {-1} SESSION_NOT_FOUND
-- include session
if not open_session() then return { -1 } end
set('agent', ARGV[7])
for _, id in ipairs(open_calls()) do change_call(id, { agent = ARGV[7] }) end
push('agent', 'agent', ARGV[8])
local seq = append(head_of('agent_switched'), ARGV[9])
close_session()
return { 1, lease_alive(), seq }
