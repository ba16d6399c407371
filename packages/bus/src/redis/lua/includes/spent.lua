-- What a person spent, in nano-dollars: fields day, month (their names, as YYYYMMDD and YYYYMM) and day_cost, month_cost, total_cost. No TTL: a
-- budget must not begin again by itself.

-- `period`: day, month or total.
local function spent_in(key, period, today)
  local name, cost = unpack(redis.call('HMGET', key, period, period .. '_cost'))
  local current = period == 'day' and today or string.sub(today, 1, 6)
  if period ~= 'total' and (not name or name < current) then return 0 end
  return tonumber(cost or '0')
end

-- `day`: when it was spent; a period that is over already takes nothing any more.
local function spend(key, day, cost)
  if cost == 0 then return end
  local amount = string.format('%.0f', cost)
  for period, name in pairs({ day = day, month = string.sub(day, 1, 6) }) do
    local known = redis.call('HGET', key, period)
    if not known or known < name then
      redis.call('HSET', key, period, name, period .. '_cost', amount)
    elseif known == name then
      redis.call('HINCRBY', key, period .. '_cost', amount)
    end
  end
  redis.call('HINCRBY', key, 'total_cost', amount)
end
