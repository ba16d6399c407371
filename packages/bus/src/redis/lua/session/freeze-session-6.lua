-- Puts what a session at rest has into one small text; `meta` keeps what is looked at without opening it, with the schema 'frozen': whoever opens
-- it brings the rest back first. A stream that stays gives back the room that it took in advance.
-- KEYS 1-5 of includes/rest  6 frozen
-- ARGV 1 digest by `look-at-rest`  2 the text  3 longest stream that is written anew, in entries, then the fields of meta that stay
-- Returns 1 frozen · 0 something was written meanwhile, or somebody holds it
-- include rest
local all = read_rest()
if #all[1] == 0 or digest_of(all) ~= ARGV[1] then return 0 end
local clock = redis.call('TIME')
if tonumber(redis.call('HGET', KEYS[1], 'lease_until') or '0') > clock[1] * 1000 + math.floor(clock[2] / 1000) then return 0 end
local ttl = redis.call('PTTL', KEYS[1])
local stays, fields = {}, {}
for i = 4, #ARGV do stays[ARGV[i]] = true end
for i = 1, #all[1], 2 do
  if stays[all[1][i]] and all[1][i] ~= 'schema' and all[1][i + 1] ~= '' then
    fields[#fields + 1] = all[1][i]
    fields[#fields + 1] = all[1][i + 1]
  end
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'schema', 'frozen', unpack(fields))
redis.call('SET', KEYS[6], ARGV[2])
if ttl >= 0 then
  redis.call('PEXPIRE', KEYS[1], ttl)
  redis.call('PEXPIRE', KEYS[6], ttl)
end
for i = 4, 5 do
  if #all[i] > 0 then
    redis.call('DEL', KEYS[i])
  else
    local length = redis.call('XLEN', KEYS[i])
    if length > 0 and length <= tonumber(ARGV[3]) then
      local left = redis.call('PTTL', KEYS[i])
      redis.pcall('RESTORE', KEYS[i], math.max(0, left), redis.call('DUMP', KEYS[i]), 'REPLACE')
    end
  end
end
return 1
