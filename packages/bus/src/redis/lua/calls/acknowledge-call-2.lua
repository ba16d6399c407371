-- Notes how far the executor has come with a call. Evidence only grows: `started` stays.
-- KEYS 1 meta  2 calls    ARGV 1 call_id  2 client_id or ''  3 fence  4 received | started  5 fence of the lease that its runner holds, or ''
-- Returns {1, ms after which the call is overdue, 0 if it didn't start now} · {0} not the executor of it, or not open, or the lease is another's
local CALLS = KEYS[2]
local executor, lease_fence, schema = unpack(redis.call('HMGET', KEYS[1], 'executor', 'lease_fence', 'schema'))
if schema == 'frozen' then error({ err = 'FROZEN ' .. KEYS[1] }) end
if ARGV[5] ~= '' and lease_fence ~= ARGV[5] then return { 0 } end
local session = { executor = executor or '' }
-- include calls
local id, call = ARGV[1], call_of(ARGV[1])
if not is_undone(call) or not answers_for(call, ARGV[2]) or tonumber(call.fence) ~= tonumber(ARGV[3]) then return { 0 } end
if call.progress == 'started' then return { 1, 0 } end
local starts = ARGV[4] == 'started'
change_call(id, { progress = ARGV[4] })
if starts then
  local clock = redis.call('TIME')
  change_call(id, { started_at = clock[1] * 1000 + math.floor(clock[2] / 1000) })
end
write_calls()
return { 1, starts and tonumber(call.deadline_ms) or 0 }
