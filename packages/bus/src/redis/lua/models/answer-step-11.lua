-- Stores the answer or the failure of a model request: the first of the current attempt, of the turn that runs. It goes to the inbox in the
-- same step, whose caps it may exceed: there is one a request. Asked again by one who doesn't know that it was stored, it says so.
-- KEYS and ARGV 1-6 of includes/session; KEYS 11 the step
-- ARGV 7 attempt  8 answered | failed  9 answer or failure as JSON text  10 step_id  11 TTL of a finished step in ms
-- Returns {1, lease alive} · {0} too late
-- include session
if not open_session() then return { 0 } end
local state, turn, attempt = unpack(redis.call('HMGET', KEYS[11], 'state', 'turn', 'attempt'))
local kind = ARGV[8] == 'answered' and 'answer' or 'failure'
local digest = redis.sha1hex(ARGV[9])
if state == ARGV[8] and attempt == ARGV[7] and redis.call('HGET', KEYS[11], 'digest') == digest then return { 1, lease_alive() } end
if state ~= 'running' or attempt ~= ARGV[7] or turn ~= session.turn_id then return { 0 } end
redis.call('HSET', KEYS[11], 'state', ARGV[8], 'digest', digest)
redis.call('PEXPIRE', KEYS[11], ARGV[11])
push(kind, 'step_id', ARGV[10], 'attempt', attempt, kind, ARGV[9])
close_session()
return { 1, lease_alive() }
