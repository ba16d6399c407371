-- Rules that a human made: fields `<rule_id>:<letter>` of one hash. r the rule as JSON text  h its holder  x when it expires, 0: never
-- `version` names the present state: each change gives it another one, so that who keeps a copy can compare (H1).
-- A rule's id follows from what it says, so the same rule is never there twice. A holder is what a rule is bound to: a session, a
-- workspace, a person; each has so many and no more.

local function change_version(key)
  local clock = redis.call('TIME')
  redis.call('HSET', key, 'version', clock[1] .. '.' .. clock[2])
end

-- Returns 1 KEPT · 2 KNOWN: it was there, and is the latest now · -2 FULL. What has expired makes room.
local function keep_rule(key, time, id, text, holder, expires)
  local fields = redis.call('HGETALL', key)
  local holder_of, all, own = {}, 0, 0
  for i = 1, #fields, 2 do
    local rule, letter = string.match(fields[i], '^(.+):(%l)$')
    local expired = letter == 'x' and tonumber(fields[i + 1]) > 0 and tonumber(fields[i + 1]) <= time
    if expired then
      redis.call('HDEL', key, rule .. ':r', rule .. ':h', rule .. ':x')
      holder_of[rule] = false
    elseif letter == 'h' and holder_of[rule] == nil then
      holder_of[rule] = fields[i + 1]
    end
  end
  if holder_of[id] then
    redis.call('HSET', key, id .. ':r', text)
    change_version(key)
    return 2
  end
  for _, of in pairs(holder_of) do
    if of then all = all + 1 end
    if of == holder then own = own + 1 end
  end
  if own >= LIMITS.MAX_RULES_OF_HOLDER or all >= LIMITS.MAX_RULES then return -2 end
  redis.call('HSET', key, id .. ':r', text, id .. ':h', holder, id .. ':x', expires)
  change_version(key)
  return 1
end

-- Returns whether it was there. With the last rule the hash goes, and its version.
local function drop_rule(key, id)
  if redis.call('HDEL', key, id .. ':r', id .. ':h', id .. ':x') == 0 then return false end
  change_version(key)
  if redis.call('HLEN', key) == 1 then redis.call('DEL', key) end
  return true
end
