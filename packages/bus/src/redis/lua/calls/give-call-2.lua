-- Notes to whom a call is about to be written (R2). One that was written to somebody is nobody else's, but a safe call of a seed client.
-- KEYS 1 meta  2 calls    ARGV 1 call_id  2 fence  3 client_id, or seed:<connection>
-- Returns {1} write it · {0} another has it or executes, another assignment holds, or it is answered
local CALLS = KEYS[2]
-- include calls
local schema, executor = unpack(redis.call('HMGET', KEYS[1], 'schema', 'executor'))
if schema == 'frozen' then error({ err = 'FROZEN ' .. KEYS[1] }) end
local call, receiver = call_of(ARGV[1]), ARGV[3]
if receiver ~= executor and not is_seed(receiver) then return { 0 } end -- who gives it has not heard yet that another executes
if not is_undone(call) or tonumber(call.fence) ~= tonumber(ARGV[2]) then return { 0 } end
local owner = call.given_to
if owner == receiver then return { 1 } end
if owner ~= '' and not (is_seed(owner) and is_seed(receiver) and call.idempotency == 'safe') then return { 0 } end
change_call(ARGV[1], { given_to = receiver })
write_calls()
return { 1 }
