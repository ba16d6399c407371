-- Names the life of a store, in one record that every script reads. The name stays for as long as nothing can have been lost: in one run of one
-- master, and over a restart if the master wrote always before it and writes always after it. Else it is replaced, once for each loss. What the
-- caller knows to have been stored in this life and isn't there is a loss, too, whatever was promised: the end of the append-only file was torn off.
-- KEYS 1 store    ARGV 1 a fresh name  2 '1' if every write is on disk before it is answered, '0' if not, '' if Redis doesn't say
--   and of the newest frame that the caller knows of:  3 when it heard of it, in ms, or '': it knows of none  4 meta  5 log  6 epoch  7 seq
--   8 SHA-1 of its head, or ''
--   and of the newest inbox entry:  9 when, or ''  10 meta  11 epoch  12 number
--   from 13: names of lives that the caller has seen end
-- Returns {name, why it was given: 'empty' there was no record · 'restart' · 'failover' · 'torn'}
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
-- The replication that this server left when it was made a master; zeros when it never followed another.
local left = string.match(redis.call('INFO', 'replication'), 'master_replid2:(%w+)') or ''
if not string.match(left, '[^0]') then left = '' end

local name, known_run, known_left, durable, cause, named_at = unpack(redis.call('HMGET', KEYS[1], 'name', 'run', 'left', 'durable', 'cause', 'at'))
local same_run = known_run == run

-- Whether what the caller heard of then is of this life.
local function is_known(at) return (tonumber(at) or 0) > (tonumber(named_at) or 0) end

-- The last number that a session gave in an epoch: the present one, or the one before where the session began anew alone (includes/session).
local function last_in(meta, epoch, field, field_before)
  local present, last, before, last_before = unpack(redis.call('HMGET', meta, 'epoch', field, 'was_epoch', field_before))
  if present == epoch then return tonumber(last) or 0 end
  return before == epoch and tonumber(last_before) or nil
end

local function lost_frame()
  local last = is_known(ARGV[3]) and last_in(ARGV[4], ARGV[6], 'seq', 'was_seq')
  if not last then return false end
  if last < tonumber(ARGV[7]) then return true end
  if ARGV[8] == '' or redis.call('HGET', ARGV[4], 'epoch') ~= ARGV[6] then return false end
  local entry = redis.call('XRANGE', ARGV[5], ARGV[7] .. '-0', ARGV[7] .. '-0')[1]
  return entry and redis.sha1hex(entry[2][4] or '') ~= ARGV[8] or false
end

local function lost_entry()
  local last = is_known(ARGV[9]) and last_in(ARGV[10], ARGV[11], 'inbox_seq', 'was_entry')
  if not last or redis.call('HGET', ARGV[10], 'schema') == 'frozen' then return false end -- one that is put away has its numbers elsewhere
  return last < tonumber(ARGV[12])
end

-- A master that was succeeded and is asked again without having followed its successor: it lacks what that one took (Sentinel does so for some seconds).
local function has_ended()
  for i = 13, #ARGV do
    if ARGV[i] == name then return true end
  end
  return false
end

local lost
if not name then
  lost = 'empty'
elseif left ~= '' and not (same_run and left == known_left) then
  lost = 'failover'
elseif has_ended() then
  lost = 'failover'
elseif not same_run and not (durable == '1' and ARGV[2] == '1') then
  lost = 'restart'
elseif lost_frame() or lost_entry() then
  lost = 'torn'
end

local now_durable = ARGV[2]
if now_durable == '' then now_durable = same_run and durable or '0' end
if lost then
  name, cause = ARGV[1], lost
  redis.call('DEL', KEYS[1])
end
local at = named_at or '0'
if lost then
  local clock = redis.call('TIME')
  at = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
end
if lost or not same_run or left ~= known_left or now_durable ~= durable then
  redis.call('HSET', KEYS[1], 'name', name, 'run', run, 'left', left, 'durable', now_durable, 'cause', cause or '', 'at', at)
end
return { name, cause or '' }
