/**
 * The durable writes of the baseline, one script each: the least that stores what our own scripts store, with no rule, lease, limit or
 * refusal. Keys: `f:{sid}:inbox`, `:log`, `:history`, `:calls`, `:step`; announcements on `f:wake`, `f:live`; requests on `f:models`.
 */
export const SCRIPTS = {
  /** KEYS inbox calls · ARGV call_id, frame, sid → 1, or 0 for a second answer. */
  settle: `
    if redis.call('HSETNX', KEYS[2], ARGV[1] .. ':r', ARGV[2]) == 0 then return 0 end
    redis.call('XADD', KEYS[1], '*', 'f', ARGV[2])
    redis.call('PUBLISH', 'f:wake', ARGV[3] .. ' r ' .. ARGV[2])
    return 1`,
  /** KEYS inbox · ARGV frame, sid */
  deliver: `
    redis.call('XADD', KEYS[1], '*', 'f', ARGV[1])
    redis.call('PUBLISH', 'f:wake', ARGV[2] .. ' m ' .. ARGV[1])
    return 1`,
  /** KEYS inbox history step · ARGV history item, sid: the consequence of a message or a result is a model request. */
  ask: `
    redis.call('XTRIM', KEYS[1], 'MAXLEN', 0)
    redis.call('RPUSH', KEYS[2], ARGV[1])
    redis.call('HSET', KEYS[3], 'state', 'requested')
    return 1`,
  /** KEYS inbox step · ARGV answer, sid */
  answer: `
    redis.call('HSET', KEYS[2], 'state', 'answered', 'answer', ARGV[1])
    redis.call('XADD', KEYS[1], '*', 'a', ARGV[1])
    redis.call('PUBLISH', 'f:wake', ARGV[2] .. ' a ' .. ARGV[1])
    return 1`,
  /** KEYS inbox history calls log · ARGV history item, call_id, frame, sid: the consequence of an answer is a frame for the client. */
  call: `
    redis.call('XTRIM', KEYS[1], 'MAXLEN', 0)
    redis.call('RPUSH', KEYS[2], ARGV[1])
    if ARGV[2] ~= '' then redis.call('HSET', KEYS[3], ARGV[2], ARGV[3]) end
    redis.call('XADD', KEYS[4], '*', 'f', ARGV[3])
    redis.call('PUBLISH', 'f:live', ARGV[4] .. ' ' .. ARGV[3])
    return 1`,
} as const;
