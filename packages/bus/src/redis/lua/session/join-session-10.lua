-- Joins a session, and creates it if asked. The first that can execute becomes its executor, or the next one after an executor that is
-- gone; what a journal knows and the session doesn't, or calls unknown, goes to the inbox once.
-- KEYS and ARGV 1-6 of includes/session
-- ARGV from 7 by name: creates: '1' · tenant · sub · session_id · client_id, or 'seed' · client_text, the same as JSON text · executes: '1' if it
--   can · succeeds, the executor that is gone · executor_tools, the text or its name, with tools_bytes, protocol_version and workspace of an executor · capabilities · settings of the
--   session that it asks for: model, agent, mode, vocabulary · lists: defaults, each a name with its `value` · journal, each a call_id with
--   `state` and `text`, JSON · seen_epoch and seen_seq, the last frame that the client has, `none` for a client that has none,
--   and the list seen_frame: names of fields of its head, each with its `value`, JSON
-- Returns {1, lease alive, '1' if somebody has to look at it: news in the inbox, or a new epoch, what is referred to no more, '1' if the client has
--   frames that the log lacks} · {-1} SESSION_NOT_FOUND
-- include session
-- include arguments
local args = read_arguments(7)
local client_id, can_execute = args.client_id, args.executes == '1'

local created = not open_session()
if created then
  if args.creates ~= '1' then return { -1 } end
  redis.call('HSET', META, 'schema', SCHEMA, 'tenant', args.tenant, 'sub', args.sub, 'session_id', args.session_id, 'created_at', int(now),
    'epoch', ARGV[2], 'run_id', store_life(ARGV[1]), 'seq', '0')
  for _, default in ipairs(args.defaults) do redis.call('HSET', META, default[1], default.value) end
  open_session()
end
-- The client has a frame that the log lacks: the store was set back, and nobody lives who knew.
local ahead = args.seen_epoch == session.epoch and (tonumber(args.seen_seq) or 0) - session.seq or 0
-- The same where the log went on since: it has another frame with that number. A field that its head lacks tells nothing.
local function has_another()
  local known = args.seen_epoch == session.epoch and args.seen_frame or {}
  local entry = #known > 0 and redis.call('XRANGE', LOG, args.seen_seq, args.seen_seq)[1]
  local head = entry and entry[2][4] or ''
  for _, field in ipairs(known) do
    local name = '"' .. field[1] .. '":'
    if string.find(head, name, 1, true) and not string.find(head, name .. field.value, 1, true) then return true end
  end
  return false
end
local lacks_frames = (ahead > 0 and ahead <= LIMITS.MAX_FRAMES_AHEAD) or has_another()
if lacks_frames then begin_epoch_alone() end
-- No client has a place of its own in a child; the executor of its parent only names its tools again.
if session.parent ~= '' and args.creates == '1' then return { -1 } end

for _, name in ipairs({ 'model', 'agent', 'vocabulary' }) do
  if args[name] then set(name, args[name]) end
end
-- A client that goes on says the mode that it has heard of last, for a session that the store has lost: one that is there has its own.
local goes_on = args.seen_epoch and args.seen_epoch ~= 'none'
if args.mode and created then set('mode', args.mode) elseif args.mode and not goes_on then switch_mode(args.mode) end
local capabilities = session.capabilities
for word in string.gmatch(args.capabilities or '', '%S+') do
  if without(capabilities, word) == capabilities then capabilities = capabilities == '' and word or (capabilities .. ' ' .. word) end
end
if capabilities ~= session.capabilities then set('capabilities', capabilities) end

-- A seed client declares no tools: it is the executor until somebody does. Another one is until it is gone. Neither yields while a call
-- that was given to it may still run (R2).
local function yields()
  local executor = session.executor
  if executor == '' then return true end
  if executor == client_id or (executor ~= SEED and executor ~= args.succeeds) then return false end
  for _, id in ipairs(open_calls()) do
    local owner = calls[id].given_to
    local is_its = owner == executor or (executor == SEED and is_seed(owner))
    if is_its and is_undone(calls[id]) then return false end
  end
  return true
end
if can_execute and yields() then
  forget_previews()
  set('executor', client_id)
  if #open_calls() > 0 then push('executor', 'executor', args.client_text) end
  if not created then signal('{"type":"executor_changed","executor":' .. args.client_text .. '}') end
end
local replaced = ''
if session.executor == client_id and can_execute then
  local tools = redis.call('HGET', META, 'executor_tools') or ''
  if tools ~= (args.executor_tools or '') then replaced = tools end
  for _, name in ipairs({ 'executor_tools', 'protocol_version', 'workspace' }) do set(name, args[name] or '') end
  local bytes = (tonumber(args.tools_bytes) or 0) + #session.protocol_version + #session.workspace
  if session.parent == '' then set('fixed_bytes', bytes) end
end

local news, journal = {}, args.journal or {}
for _, entry in ipairs(session.executor == client_id and journal or {}) do
  local id, call = entry[1], call_of(entry[1])
  if call.state == '' then
    close_call(id, 'foreign')
    news[#news + 1] = entry.text
  elseif entry.state == 'unknown' and is_undone(call) and call.journalled == '' then
    change_call(id, { journalled = '1' })
    news[#news + 1] = entry.text
  end
end
if #news > 0 then push('journal', 'calls', '[' .. table.concat(news, ',') .. ']') end
close_session()
return { 1, lease_alive(), (#entries > 0 or begins_anew) and '1' or '', replaced, lacks_frames and '1' or '' }
