-- Tells the runtime that a rule was made, by which calls that wait for a decision may be settled. Where none waits nothing is written.
-- KEYS and ARGV 1-6 of includes/session
-- Returns {1, lease alive} · {0} nothing waits, or the inbox is full
-- include session
if not open_session() or not inbox_has_room(0) then return { 0 } end
for _, id in ipairs(open_calls()) do
  if calls[id].state == 'waiting_approval' then
    push('rules')
    close_session()
    return { 1, lease_alive() }
  end
end
return { 0 }
