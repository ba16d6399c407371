-- Keeps what the executor says of the workspace, in the place of what it said before. What the session began with stays beside it, so that the
-- prompt of a session doesn't change while it lives.
-- KEYS and ARGV 1-6 of includes/session    ARGV from 7 by name: client_id · digest of the text · text, or its name · bytes of the text
-- Returns {1, lease alive, what is referred to no more} kept, or there already · {-1} SESSION_NOT_FOUND · {-2} FORBIDDEN: somebody else executes
-- include session
-- include arguments
local args = read_arguments(7)
if not open_session() then return { -1 } end
if session.executor == '' or session.executor ~= args.client_id or session.parent ~= '' then return { -2 } end
if session.facts == args.digest then return { 1, lease_alive(), '' } end

local has_begun = session.turn_id ~= '' or (tonumber(redis.call('HGET', META, 'history_version')) or 0) > 0
local before = redis.call('HGET', MESSAGES, 'facts') or ''
local first = redis.call('HGET', MESSAGES, 'facts_first')
if has_begun and not first then
  first = before
  redis.call('HSET', MESSAGES, 'facts_first', first)
  set('facts_first_bytes', session.facts_bytes)
end
redis.call('HSET', MESSAGES, 'facts', args.text)
set('facts', args.digest)
set('facts_bytes', tonumber(args.bytes) + session.facts_first_bytes)
close_session()
return { 1, lease_alive(), (before ~= first and before ~= args.text) and before or '' }
