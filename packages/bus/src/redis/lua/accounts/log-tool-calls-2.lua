-- Appends rows to a person's log of tool calls, each batch once; the oldest go.
-- KEYS 1 writers  2 log    ARGV 1 writer  2 number of the batch  3 TTL in ms, then for each row: how many words it has, and its fields and values
-- Returns 1 stored · 0 known
-- include writers
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if not is_new_batch(KEYS[1], ARGV[1], ARGV[2], now) then return 0 end
local at = 4
while at <= #ARGV do
  local words = tonumber(ARGV[at])
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', LIMITS.MAX_TOOL_CALLS, '*', unpack(ARGV, at + 1, at + words))
  at = at + words + 1
end
redis.call('XTRIM', KEYS[2], 'MINID', '~', string.format('%.0f', now - tonumber(ARGV[3])))
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1
