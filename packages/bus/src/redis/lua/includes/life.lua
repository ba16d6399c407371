-- The life of the store that the session is in: what the caller says, or in a cluster ('node') that of the node where the script runs.
local function store_life(token)
  if token ~= 'node' then return token end
  return string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
end
