-- Gives the session another executor, or none until the next that declares tools. Calls that began stay with the old one.
-- Whoever holds the new executor's connection hears `executor_changed` with its name, and joins it again to name its tools.
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 client_id or ''  8 client_id as JSON text
-- Returns {1, lease alive, what is referred to no more} · {-1} SESSION_NOT_FOUND
-- include session
if not open_session() then return { -1 } end
local replaced = ''
if session.executor ~= ARGV[7] then
  replaced = redis.call('HGET', META, 'executor_tools') or ''
  forget_previews()
  set('executor', ARGV[7])
  set('executor_tools', '')
  set('workspace', '')
  set('protocol_version', '')
  push('executor', 'executor', ARGV[8])
  signal('{"type":"executor_changed","executor":' .. ARGV[8] .. '}')
end
close_session()
return { 1, lease_alive(), replaced }
