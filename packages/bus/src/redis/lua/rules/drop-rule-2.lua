-- Revokes a rule of a person. No call is judged by it any more (H1).
-- KEYS 1 rules  2 audit, both of the person    ARGV 1 rule_id  2 TTL of the audit in ms  from 3 by name: audit row, see includes/audit
-- Returns 1 it is gone · 0 there was none
-- include arguments
-- include audit
-- include rules
if not drop_rule(KEYS[1], ARGV[1]) then return 0 end
write_audit(KEYS[2], read_arguments(3))
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
