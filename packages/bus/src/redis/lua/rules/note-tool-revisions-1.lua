-- Notes what a server says of its tools, each by a digest, and since when it has said so: a digest that comes again later is new again (H2).
-- KEYS 1 tools, those of one server    ARGV 1 TTL in ms  from 2 pairs: name of a tool, digest
-- Returns for each pair the Unix time in ms at which the tool became what it is
local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
local since = {}
for i = 2, #ARGV, 2 do
  local known = redis.call('HGET', KEYS[1], ARGV[i])
  local time, digest = string.match(known or '', '^(%d+) (.+)$')
  if digest ~= ARGV[i + 1] then
    time = now
    redis.call('HSET', KEYS[1], ARGV[i], now .. ' ' .. ARGV[i + 1])
  end
  since[#since + 1] = time
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return since
