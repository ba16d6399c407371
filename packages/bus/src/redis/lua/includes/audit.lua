-- The audit trail: a row for each decision, stored in the step that makes it true. Names, digests
-- and what it was about, never whole arguments or the contents of files.
-- Appends a row to the trail at `key`; the oldest goes. `row`: texts by these names.
local function write_audit(key, row)
  local fields = {}
  for _, name in ipairs({ 'session_id', 'turn_id', 'call_id', 'tool_name', 'args_sha256', 'target', 'outcome', 'by', 'reason', 'rule_id' }) do
    if row[name] and row[name] ~= '' then
      fields[#fields + 1] = name
      fields[#fields + 1] = row[name]
    end
  end
  redis.call('XADD', key, 'MAXLEN', LIMITS.MAX_AUDIT_ROWS, '*', unpack(fields))
end
