-- Notes how far the executor has come with a call. Evidence only grows: `started` stays.
-- KEYS 1 meta  2 calls    ARGV 1 call_id  2 client_id or ''  3 fence  4 received | started
-- Returns {1, ms after which the call is overdue, 0 if it didn't start now} · {0} not the executor of it, or not open
local META, CALLS = KEYS[1], KEYS[2]
local session = { executor = redis.call('HGET', META, 'executor') or '' }
-- include calls
local id = ARGV[1]
local state = call(id, 's')
if state ~= 'ready' and state ~= 'waiting_approval' then return { 0 } end
if not answers_for(id, ARGV[2]) or tonumber(call(id, 'n')) ~= tonumber(ARGV[3]) then return { 0 } end
if call(id, 'g') == 'started' then return { 1, 0 } end
set_call(id, 'g', ARGV[4])
if ARGV[4] ~= 'started' then return { 1, 0 } end
local clock = redis.call('TIME')
set_call(id, 't', string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000)))
return { 1, tonumber(call(id, 'l')) or 0 }
