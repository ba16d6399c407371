-- Creates the child of a session and starts its turn, in one step: there is none without a turn that ends it.
-- KEYS and ARGV 1-6 of includes/session
-- ARGV from 7 by name: turn_id · message_id, JSON text · frame, user_message · base, what its model requests begin with, if a program says that · list meta: names, each with
--   its `value`
-- Returns {1, lease alive} · {-1} there is a session of this name
-- include session
-- include queue
-- include arguments
local args = read_arguments(7)
if open_session() then return { -1 } end
redis.call('HSET', META, 'schema', SCHEMA, 'created_at', int(now), 'epoch', ARGV[2], 'run_id', store_life(ARGV[1]), 'seq', '0')
for _, field in ipairs(args.meta) do redis.call('HSET', META, field[1], field.value) end
open_session()
if args.base then
  redis.call('HSET', MESSAGES, 'base', args.base)
  add_bytes('fixed', #args.base)
end
start_turn(args.turn_id, args.message_id, args.frame)
close_session()
return { 1, lease_alive() }
