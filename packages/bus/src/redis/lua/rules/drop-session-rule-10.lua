-- Revokes a rule of a session. No call is judged by it any more (H1).
-- KEYS and ARGV 1-6 of includes/session    ARGV 7 rule_id  from 8 by name: audit row, see includes/audit
-- Returns 1 it is gone · 0 there was none
-- include session
-- include arguments
-- include audit
-- include rules
if not open_session() or not drop_rule(RULES, ARGV[7]) then return 0 end
write_audit(AUDIT, read_arguments(8))
close_session()
return 1
