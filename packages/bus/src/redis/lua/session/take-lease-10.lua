-- Takes the lease if nobody holds it: fence + 1, and everything that its holder needs, read in the same step (R1).
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 worker  8 TTL of a lease in ms
-- Returns {1, fence, meta, calls, inbox} · {0} somebody holds it · {-1} no such session
-- include session
if not open_session() then return { -1 } end
if session.lease_until > now and not begins_anew then return { 0 } end
local fence = redis.call('HINCRBY', META, 'lease_fence', 1)
set('lease_owner', ARGV[7])
set('lease_until', now + tonumber(ARGV[8]))
close_session()
return { 1, fence, redis.call('HGETALL', META), redis.call('HGETALL', CALLS), redis.call('XRANGE', INBOX, '-', '+') }
