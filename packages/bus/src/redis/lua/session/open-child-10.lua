-- Creates the child of a session and starts its turn, in one step: there is none without a turn that ends it.
-- KEYS and ARGV 1-6 of includes/session
-- ARGV 7 turn_id  8 message_id as JSON text  9 user_message  10 what its model requests begin with  then names and values of meta
-- Returns {1, lease alive} · {-1} there is a session of this name
-- include session
-- include queue
if open_session() then return { -1 } end
redis.call('HSET', META, 'schema', '1', 'created_at', int(now), 'epoch', ARGV[2], 'run_id', store_life(ARGV[1]), 'seq', '0', unpack(ARGV, 11))
redis.call('HSET', MESSAGES, 'base', ARGV[10])
open_session()
add_bytes('fixed', #ARGV[10])
start_turn(ARGV[7], ARGV[8], ARGV[9])
close_session()
return { 1, lease_alive() }
