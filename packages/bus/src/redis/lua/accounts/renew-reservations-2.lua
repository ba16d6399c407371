-- Lengthens the reservations of requests that go on. One that had ended is there again: what it was made for is being spent.
-- KEYS 1 reserved  2 their ends, of the person    ARGV 1 TTL in ms, then for each: request_id, reservation as `<cost> <slot> <tokens>`
-- Returns how many
-- include reservations
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local renewed = 0
for at = 2, #ARGV, 2 do
  local held = find_reservation(KEYS[1], ARGV[at])
  if not held or held.text == ARGV[at + 1] then -- else a second try took it over
    hold_reservation(KEYS[1], KEYS[2], ARGV[at], ARGV[at + 1], now, tonumber(ARGV[1]))
    renewed = renewed + 1
  end
end
return renewed
