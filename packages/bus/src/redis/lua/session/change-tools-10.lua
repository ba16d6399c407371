-- Keeps which tools the executor has now. A runtime that works on a turn hears of it as of an executor, and reads the tools again.
-- KEYS and ARGV 1-6 of includes/session    ARGV from 7 by name: client_id · client_text, the same as JSON text · tools, JSON text or its name · tools_bytes
-- Returns {1, lease alive, '1' if there is news in the inbox, what is referred to no more} · {-1} SESSION_NOT_FOUND · {-2} FORBIDDEN: somebody else executes
-- include session
-- include arguments
local args = read_arguments(7)
if not open_session() then return { -1 } end
if session.executor == '' or session.executor ~= args.client_id or session.parent ~= '' then return { -2 } end
local known = redis.call('HMGET', META, 'executor_tools', 'protocol_version', 'workspace')
if known[1] == args.tools then return { 1, lease_alive(), '', '' } end
set('executor_tools', args.tools)
set('fixed_bytes', tonumber(args.tools_bytes) + #(known[2] or '') + #(known[3] or ''))
if session.turn_id ~= '' then push('executor', 'executor', args.client_text) end
close_session()
return { 1, lease_alive(), #entries > 0 and '1' or '', known[1] or '' }
