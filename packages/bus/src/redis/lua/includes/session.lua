-- The session that a script works on: open_session() reads what most scripts need, close_session() writes everything at once.
-- A script that returns before close_session() has changed nothing. JSON passes through as text, never decoded.
-- KEYS 1 meta  2 log  3 inbox  4 calls  5 queue  6 messages  7 history  8 todos  9 rules  10 audit: all of one session, all with the same TTL
-- ARGV 1 where the life of the store is recorded, see includes/life  2 an epoch to begin if it is another  3 TTL in ms  4 :frames  5 :wake  6 :stop (channels)
-- include life
-- include upgrade
local META, LOG, INBOX, CALLS, QUEUE, MESSAGES, HISTORY = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local TODOS, RULES, AUDIT = KEYS[8], KEYS[9], KEYS[10]
local SESSION_KEYS = 10
local RS = '\30'

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function int(number) return string.format('%.0f', number) end

local session, changes, frames, entries = {}, {}, {}, {}
local begins_anew = false

local function set(field, value)
  session[field] = value
  changes[field] = true
end

-- The store has lost what was written last. Whoever holds the session may know more than the store does: it is held by nobody, and the janitor wakes it
-- if nobody else does. Its clients know more, too: they are shown what there is.
local function begin_epoch()
  begins_anew = true
  set('epoch', ARGV[2])
  set('log_bytes', 0)
  set('lease_fence', math.max((tonumber(session.lease_fence) or 0) + 1, now))
  set('lease_until', 0)
  set('set_back', '1')
end

-- The same for this session alone, by what its holder or a client knows: the life of the store goes on, and others may know of the epoch before what
-- tells that more is gone (mark-store).
local function begin_epoch_alone()
  set('was_epoch', session.epoch)
  set('was_seq', session.seq)
  set('was_entry', session.inbox_seq)
  begin_epoch()
end

-- false: no such session.
local open_session
function open_session()
  session = READ_FIELDS(META, '', { schema = '', epoch = '', run_id = '', seq = 0, parent = '', agent = '', mode = '', capabilities = '', executor = '',
    turn_id = '', cancel_turn = '', stopped_turn = '', last_step = '', synthetic = '', server_side_decisions = '', lease_fence = '',
    lease_until = 0, set_back = '', last_commit = '', inbox_seq = 0, inbox_done = 0, inbox_sizes = '', expiring = '', stored = 0, log_bytes = 0, inbox_bytes = 0,
    history_bytes = 0, call_bytes = 0, queue_bytes = 0, fixed_bytes = 0, prompt_bytes = 0,
    facts = '', facts_bytes = 0, facts_first_bytes = 0, todos_bytes = 0 })
  if session.epoch == '' then return false end
  if session.schema == 'frozen' then error({ err = 'FROZEN ' .. META }) end
  if session.schema ~= SCHEMA then
    if session.schema ~= '1' then error({ err = 'NEWERSCHEMA a newer release works on this session' }) end
    upgrade_session(session.inbox_done, session.inbox_seq)
    return open_session()
  end
  if session.run_id ~= store_life(ARGV[1]) then
    set('run_id', store_life(ARGV[1]))
    begin_epoch()
  end
  return true
end

-- Texts whose long strings stand elsewhere (blobs/split-text) begin with the size of the whole: what a session stores does not depend on what others do.
local function is_split(text) return string.byte(text) == 64 end
local function size_of(text) return is_split(text) and tonumber(string.match(text, '^@(%d+)')) or #text end

-- Counts what is stored of a kind: history, call, queue, fixed (what came with its beginning and its executor).
local function add_bytes(kind, bytes)
  if bytes ~= 0 then set(kind .. '_bytes', math.max(0, session[kind .. '_bytes'] + bytes)) end
end

-- include calls

local function lease_alive() return session.lease_until > now and 1 or 0 end

-- The head of a frame that a script makes itself, or that is about a call; see `envelope.ts` of the protocol. `more`: JSON text of further fields.
local function head_of(frame_type, call_id, more)
  return '{"type":"' .. frame_type .. '"' .. (call_id and (',"call_id":"' .. call_id .. '"') or '') .. (more or '') .. '}'
end

-- A frame for the log: its head and its text; `seq` is spliced in as text.
local function append(head, text)
  set('seq', session.seq + 1)
  local size, names, rest = nil, '', text
  if is_split(text) then
    size, names, rest = string.match(text, '^@(%d+)(%S*) (.*)$')
    set('splits', '1')
  end
  local numbered = '{"seq":' .. int(session.seq) .. ','
  frames[#frames + 1] = { head = head, text = (size and ('@' .. int(size + #numbered - 1) .. names .. ' ') or '') .. numbered .. string.sub(rest, 2) }
  return session.seq
end

-- Sets how much is asked from now on, and logs mode_switched if that is news. Modes are words of ours.
local function switch_mode(mode)
  if mode == session.mode then return end
  set('mode', mode)
  append(head_of('mode_switched'), '{"type":"mode_switched","mode":"' .. mode .. '"}')
end

-- Whether the inbox takes an entry of `bytes` more.
local function inbox_has_room(bytes)
  return session.inbox_seq - session.inbox_done < LIMITS.MAX_INBOX_ENTRIES and session.inbox_bytes + bytes <= LIMITS.MAX_INBOX_BYTES
end

-- An entry for the inbox: kind, then names and values. Texts that come from clients are JSON texts, so that no separator is in them.
local function push(kind, ...)
  local entry = { 'kind', kind, ... }
  local bytes = 0
  for _, text in ipairs(entry) do bytes = bytes + #text end
  set('inbox_seq', session.inbox_seq + 1)
  set('inbox_bytes', session.inbox_bytes + bytes)
  set('inbox_sizes', session.inbox_sizes == '' and int(bytes) or (session.inbox_sizes .. ' ' .. int(bytes)))
  entries[#entries + 1] = { id = session.inbox_seq, bytes = bytes, fields = entry }
  return session.inbox_seq
end

-- Tells gateways something that no client is sent.
local function signal(text) redis.call('SPUBLISH', ARGV[4], RS .. RS .. text) end

local function trim_log(count)
  local bytes, through = session.log_bytes, nil
  while count > LIMITS.MAX_LOG_ENTRIES or (bytes > LIMITS.MAX_LOG_BYTES and count > 1) do
    local oldest = redis.call('XRANGE', LOG, through and ('(' .. through) or '-', '+', 'COUNT', 1)[1]
    through = oldest[1]
    bytes = bytes - size_of(oldest[2][2]) - #(oldest[2][4] or '')
    count = count - 1
  end
  if through then redis.call('XTRIM', LOG, 'MINID', int(tonumber(string.match(through, '^%d+')) + 1) .. '-0') end
  set('log_bytes', bytes)
end

local function write_log()
  if begins_anew then redis.call('DEL', LOG) end
  if #frames == 0 then return end
  local first, bytes = session.seq - #frames + 1, session.log_bytes
  for i, frame in ipairs(frames) do
    redis.call('XADD', LOG, int(first + i - 1) .. '-0', 'text', frame.text, 'head', frame.head)
    bytes = bytes + size_of(frame.text) + #frame.head
  end
  set('log_bytes', bytes)
  -- There are no more entries than numbers.
  if session.seq > LIMITS.MAX_LOG_ENTRIES or bytes > LIMITS.MAX_LOG_BYTES then trim_log(redis.call('XLEN', LOG)) end
end

-- Frames travel together up to the size of an announcement; a larger one is announced by its number alone.
local function announce_frames()
  if #frames == 0 then return end
  local first, batch, bytes = session.seq - #frames + 1, nil, 0
  local function send()
    if batch then redis.call('SPUBLISH', ARGV[4], table.concat(batch, RS)) end
    batch, bytes = nil, 0
  end
  for i, frame in ipairs(frames) do
    local size = #frame.head + #frame.text
    local travels = size <= LIMITS.MAX_ANNOUNCED_BYTES and not is_split(frame.text)
    if not travels or bytes + size > LIMITS.MAX_ANNOUNCED_BYTES then send() end
    batch = batch or { session.epoch, int(first + i - 1) }
    if travels then
      batch[#batch + 1] = frame.head
      batch[#batch + 1] = frame.text
      bytes = bytes + size
    else
      send()
    end
  end
  send()
end

local function write_inbox()
  for _, entry in ipairs(entries) do
    redis.call('XADD', INBOX, int(entry.id) .. '-0', unpack(entry.fields))
    local announced = int(entry.id)
    if entry.bytes <= LIMITS.MAX_ANNOUNCED_BYTES then announced = announced .. RS .. table.concat(entry.fields, RS) end
    redis.call('SPUBLISH', ARGV[5], announced)
  end
end

-- No TTL while a turn runs or a call is open; else the same for all keys. A child's is short, but for its audit trail.
local function write_expiry()
  local busy = session.turn_id ~= '' or read_call_index().open ~= ''
  if busy and session.expiring == '1' then
    for i = 1, SESSION_KEYS do redis.call('PERSIST', KEYS[i]) end
    redis.call('HSET', META, 'expiring', '')
  elseif not busy then
    redis.call('HSET', META, 'expiring', '1')
    local long = tonumber(ARGV[3])
    local ttl = session.parent == '' and long or math.min(long, LIMITS.CHILD_TTL_MS)
    for i = 1, SESSION_KEYS do redis.call('PEXPIREAT', KEYS[i], int(now + (KEYS[i] == AUDIT and long or ttl))) end
  end
end

-- The size of the session, for the quotas of its owner.
local function weigh_session()
  local bytes = LIMITS.SESSION_BYTES + session.log_bytes + session.inbox_bytes + session.history_bytes + session.call_bytes + session.queue_bytes
    + session.fixed_bytes + session.prompt_bytes + session.facts_bytes + session.todos_bytes
  if bytes ~= session.stored then set('stored', bytes) end
end

local function close_session()
  write_calls()
  write_log()
  write_inbox()
  weigh_session()
  announce_frames()
  local pairs_of_meta = { 'updated_at', int(now) }
  for field in pairs(changes) do
    local value = session[field]
    pairs_of_meta[#pairs_of_meta + 1] = field
    pairs_of_meta[#pairs_of_meta + 1] = type(value) == 'number' and int(value) or value
  end
  for i = 1, #pairs_of_meta, 1000 do redis.call('HSET', META, unpack(pairs_of_meta, i, math.min(i + 999, #pairs_of_meta))) end
  write_expiry()
end
