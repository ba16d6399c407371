-- The run of the node where the script runs, and its history where the node has taken over from another: one that is master for a second time is the
-- same process, and may lack what its successor took meanwhile.
local function node_life()
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
  local history, before = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)%s+master_replid2:(%w+)')
  if not before or string.match(before, '^0+$') then return run end
  return run .. '.' .. history
end
-- The life of the store, as the store itself has it: what the record at key `where` is named, or in a cluster ('node') the life of the node. No
-- caller brings one along, so that callers can't disagree. Without a record nothing is done: STORELIFE asks for mark-store.
local function store_life(where)
  if where == 'node' then return node_life() end
  local name = redis.call('HGET', where, 'name')
  if not name then error({ err = 'STORELIFE the record of the store is gone: mark the store, then ask again' }) end
  return name
end
