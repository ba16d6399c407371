-- Joins a session, and creates it if asked. The first that can execute becomes its executor, or the next one after an executor that is
-- gone; what a journal knows and the session doesn't, or calls unknown, goes to the inbox once.
-- KEYS and ARGV 1-6 of includes/session
-- ARGV 7 '1' to create  8 tenant  9 sub  10 session_id  11 client_id, or 'seed'  12 client_id as JSON text  13 '1' if it can execute
--      14 the executor that is gone, or ''  then number of fields, then names and values of the executor  then number of fields, names and values for the session
--      then names that are defaults: number, names, values  then number of journal entries, each call_id, state, JSON text
-- Returns {1, lease alive, '1' if there is news in the inbox} · {-1} SESSION_NOT_FOUND
-- include session
-- include calls
local client_id, can_execute, gone = ARGV[11], ARGV[13] == '1', ARGV[14]
local cursor = 14
local function next_argument()
  cursor = cursor + 1
  return ARGV[cursor]
end
local function next_fields()
  local fields = {}
  for i = 1, tonumber(next_argument()) do fields[i] = { next_argument(), next_argument() } end
  return fields
end
local of_executor, of_session, defaults = next_fields(), next_fields(), next_fields()

local created = not open_session()
if created then
  if ARGV[7] ~= '1' then return { -1 } end
  redis.call('HSET', META, 'schema', '1', 'tenant', ARGV[8], 'sub', ARGV[9], 'session_id', ARGV[10], 'created_at', int(now),
    'epoch', ARGV[2], 'run_id', store_life(ARGV[1]), 'seq', '0')
  for _, field in ipairs(defaults) do redis.call('HSET', META, field[1], field[2]) end
  open_session()
end
-- No client has a place of its own in a child; the executor of its parent only names its tools again.
if session.parent ~= '' and ARGV[7] == '1' then return { -1 } end

for _, field in ipairs(of_session) do
  if field[1] == 'capabilities' then
    local known = redis.call('HGET', META, 'capabilities') or ''
    for word in string.gmatch(field[2], '%S+') do
      if without(known, word) == known then known = known == '' and word or (known .. ' ' .. word) end
    end
    set('capabilities', known)
  else
    set(field[1], field[2])
  end
end

-- A seed client declares no tools: it is the executor until somebody does. Another one is until it is gone. Neither yields while a call
-- that was given to it may still run (R2).
local function yields()
  local executor = session.executor
  if executor == '' then return true end
  if executor == client_id or (executor ~= SEED and executor ~= gone) then return false end
  for _, id in ipairs(open_calls()) do
    local owner, state = call(id, 'to'), call(id, 's')
    local is_its = owner == executor or (executor == SEED and is_seed(owner))
    if is_its and (state == 'ready' or state == 'waiting_approval') then return false end
  end
  return true
end
if can_execute and yields() then
  forget_previews()
  set('executor', client_id)
  if #open_calls() > 0 then push('executor', 'executor', ARGV[12]) end
  if not created then relay('{"type":"executor_changed","executor":' .. ARGV[12] .. '}') end
end
if session.executor == client_id and can_execute then
  local bytes = 0
  for _, field in ipairs(of_executor) do
    set(field[1], field[2])
    bytes = bytes + #field[2]
  end
  if session.parent == '' then set('fixed_bytes', bytes) end
end

local news = {}
for _ = 1, tonumber(next_argument()) do
  local id, state, text = next_argument(), next_argument(), next_argument()
  local known = call(id, 's')
  if session.executor == client_id and known == '' then
    bury_call(id, 'foreign')
    news[#news + 1] = text
  elseif session.executor == client_id and state == 'unknown' and (known == 'ready' or known == 'waiting_approval') and call(id, 'j') == '' then
    set_call(id, 'j', '1')
    news[#news + 1] = text
  end
end
if #news > 0 then push('journal', 'calls', '[' .. table.concat(news, ',') .. ']') end
close_session()
return { 1, lease_alive(), #entries > 0 and '1' or '' }
