-- Keeps a rule of a session, once: the same rule again makes it the latest. It expires and is removed with the session (H1).
-- KEYS and ARGV 1-6 of includes/session
-- ARGV 7 rule_id  8 rule as JSON text  9 when it expires, 0: never  from 10 by name: audit row, see includes/audit
-- Returns 1 KEPT · 2 KNOWN · -1 SESSION_NOT_FOUND · -2 FULL
-- include session
-- include arguments
-- include audit
-- include rules
if not open_session() then return -1 end
local kept = keep_rule(RULES, now, ARGV[7], ARGV[8], 'session', ARGV[9])
if kept == 1 then write_audit(AUDIT, read_arguments(10)) end
if kept < 0 then return kept end
close_session()
return kept
