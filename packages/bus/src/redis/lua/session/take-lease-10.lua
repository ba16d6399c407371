-- Takes the lease if nobody holds it, with a larger fence, and everything that its holder needs, read in the same step (R1). The fence is the
-- time, so that no holder has the same again in a session that the store lost or set back: one more would be given twice.
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 worker  8 TTL of a lease in ms
-- Returns {1, fence, meta, calls, inbox} · {0} somebody holds it · {-1} no such session
-- include session
if not open_session() then return { -1 } end
if session.lease_until > now then return { 0 } end
local fence = math.max((tonumber(session.lease_fence) or 0) + 1, now)
set('lease_fence', fence)
set('lease_owner', ARGV[7])
set('lease_until', now + tonumber(ARGV[8]))
if session.set_back ~= '' then set('set_back', '') end
close_session()
return { 1, fence, redis.call('HGETALL', META), redis.call('HGETALL', CALLS), redis.call('XRANGE', INBOX, '-', '+') }
