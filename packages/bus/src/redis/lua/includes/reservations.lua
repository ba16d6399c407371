-- Reservations of a person: a hash `r:<request_id>` → `<cost> <slot> <tokens>` with their `sum` of costs, and a sorted set of the same names by
-- the time at which they end. Costs are in nano-dollars; the slot is the bucket in which the tokens are counted. Both have the same TTL.

local function find_reservation(reserved, id)
  local text = redis.call('HGET', reserved, 'r:' .. id)
  if not text then return nil end
  local cost, slot, tokens = string.match(text, '^(%d+) (%d+) (%d+)$')
  return { text = text, cost = tonumber(cost), slot = tonumber(slot), tokens = tonumber(tokens) }
end

local function end_reservation(reserved, ends, id)
  local held = find_reservation(reserved, id)
  if not held then return end
  redis.call('HDEL', reserved, 'r:' .. id)
  redis.call('ZREM', ends, id)
  redis.call('HINCRBY', reserved, 'sum', string.format('%.0f', 0 - held.cost)) -- never -0
end

-- Those whose process died.
local function end_abandoned(reserved, ends, now)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', string.format('%.0f', now))) do end_reservation(reserved, ends, id) end
end

-- Holds a reservation until now + ttl, in the place of an older one of the same name. `text`: see above.
local function hold_reservation(reserved, ends, id, text, now, ttl)
  end_reservation(reserved, ends, id)
  redis.call('HSET', reserved, 'r:' .. id, text)
  redis.call('HINCRBY', reserved, 'sum', string.match(text, '^%d+'))
  redis.call('ZADD', ends, string.format('%.0f', now + ttl), id)
  redis.call('PEXPIRE', reserved, 2 * ttl)
  redis.call('PEXPIRE', ends, 2 * ttl)
end
