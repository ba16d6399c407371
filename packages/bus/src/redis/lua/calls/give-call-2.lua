-- Notes to whom a call is about to be written (R2). One that was written to somebody is nobody else's, but a safe call of a seed client.
-- KEYS 1 meta  2 calls    ARGV 1 call_id  2 fence  3 client_id, or seed:<connection>
-- Returns {1} write it · {0} another has it, another assignment holds, or it is answered
local META, CALLS = KEYS[1], KEYS[2]
local session = { executor = redis.call('HGET', META, 'executor') or '' }
-- include calls
local id, fence, receiver = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local state = call(id, 's')
if (state ~= 'ready' and state ~= 'waiting_approval') or tonumber(call(id, 'n')) ~= fence then return { 0 } end
local owner = call(id, 'to')
if owner == receiver then return { 1 } end
if owner ~= '' and not (is_seed(owner) and is_seed(receiver) and call(id, 'i') == 'safe') then return { 0 } end
set_call(id, 'to', receiver)
return { 1 }
