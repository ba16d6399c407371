-- Keeps a text for a session under its digest: one text for as many sessions as say the same.
-- KEYS 1 the text  2 its users    ARGV 1 sid  2 TTL in ms  3 the text, or '': it should be there already
-- Returns 1 kept · 0 it is not there: bring it along
if ARGV[3] ~= '' then
  redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
elseif redis.call('PEXPIRE', KEYS[1], ARGV[2]) == 0 then
  return 0
end
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
