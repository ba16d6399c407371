-- The life of the store, as the store itself has it: what the record at key `where` is named, or in a cluster ('node') the run of the node where
-- the script runs. No caller brings one along, so that callers can't disagree. Without a record nothing is done: STORELIFE asks for mark-store.
local function store_life(where)
  if where == 'node' then return string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') end
  local name = redis.call('HGET', where, 'name')
  if not name then error({ err = 'STORELIFE the record of the store is gone: mark the store, then ask again' }) end
  return name
end
