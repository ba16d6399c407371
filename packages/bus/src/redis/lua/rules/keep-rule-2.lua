-- Keeps a rule of a person, for good or for one workspace, once: the same rule again makes it the latest (H1).
-- KEYS 1 rules  2 audit, both of the person
-- ARGV 1 rule_id  2 rule as JSON text  3 holder  4 when it expires, 0: never  5 TTL of the audit in ms  from 6 by name: audit row, see includes/audit
-- Returns 1 KEPT · 2 KNOWN · -2 FULL
-- include arguments
-- include audit
-- include rules
local clock = redis.call('TIME')
local kept = keep_rule(KEYS[1], clock[1] * 1000 + math.floor(clock[2] / 1000), ARGV[1], ARGV[2], ARGV[3], ARGV[4])
if kept == 1 then
  write_audit(KEYS[2], read_arguments(6))
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
end
return kept
