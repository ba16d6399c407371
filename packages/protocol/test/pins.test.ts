import { expect, test } from 'vitest';
import { CLIENT_FRAMES, CLOSE, ERRORS, fieldsOf, LIMITS, SERVER_FRAMES, TOOL_ERRORS, type Body } from '../src/index.js';

/** What others depend on, as literals: a change here is a change of the published contract. */
const CLIENT_FIELDS = {
  auth: 'token',
  hello: 'protocol_versions client_id client tools workspace capabilities resume vocabulary model mode agent agents',
  user_message: 'content message_id attachments agent model when_busy command traceparent',
  tool_ack: 'call_id fence state',
  tool_preview: 'call_id preview operands',
  tool_output: 'call_id stream offset data',
  tool_result: 'call_id result error allowed_secrets preview_failed fence',
  hitl_decision: 'call_id decision modified_args feedback no_human args_sha256 question remember',
  cancel: 'turn_id queue',
  queue_remove: 'message_id',
  switch_agent: 'agent content',
  tools_changed: 'tools',
  workspace_facts: 'environment files undone',
  ack: 'seq',
};

const SERVER_FIELDS = {
  welcome: 'session_id protocol_version epoch seq recovered executor limits snapshot',
  message_accepted: 'message_id turn_id state position',
  turn_started: 'turn_id message_ids model',
  turn_steered: 'turn_id message_ids',
  turn_ended: 'turn_id message_ids model status usage error stop',
  assistant_message: 'message_id token is_final content content_truncated replaces',
  tool_call:
    'call_id tool_name args requires_approval args_sha256 fence deadline_ms idempotency state operands approval origin task_call_id runs_at traceparent',
  approval_updated: 'call_id preview operands',
  approval_resolved: 'call_id outcome args_sha256 args feedback error by at_ms',
  tool_cancel: 'call_id reason',
  tool_result_ack: 'call_id outcome',
  agent_switched: 'agent from turn_id note',
  mode_switched: 'mode',
  todos_updated: 'todos',
  queue_updated: 'queue steering',
  tool_status: 'call_id tool_name status error',
  tool_use: 'use_id tool_name title status call_ids items',
  tool_output: 'call_id stream offset data',
  agent_status: 'status turn_id retry',
  agent_thought: 'turn_id token',
  executor_changed: 'executor',
  error: 'code message retryable reply_to reply_to_type',
  drain: 'retry_after_ms',
};

const names = (table: Readonly<Record<string, { readonly body: unknown }>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(table).map(([type, { body }]) => [
      type,
      fieldsOf(body as Body)
        .map(({ name }) => name)
        .join(' '),
    ]),
  );

test('the fields of client frames are these', () => {
  expect(names(CLIENT_FRAMES)).toEqual(CLIENT_FIELDS);
});

test('the fields of server frames are these', () => {
  expect(names(SERVER_FRAMES)).toEqual(SERVER_FIELDS);
});

test('the codes of error are these, and these can be retried', () => {
  const retryable = Object.entries(ERRORS).filter(([, entry]) => entry.retryable);
  expect(Object.keys(ERRORS).join(' ')).toBe(
    'INVALID_FORMAT INVALID_TYPE MISSING_FIELD INVALID_FIELD FRAME_TOO_LARGE UNAUTHORIZED TOKEN_INVALID TOKEN_EXPIRED FORBIDDEN SESSION_NOT_FOUND SESSION_EXPIRED UNSUPPORTED_VERSION UNKNOWN_CALL UNKNOWN_TURN ALREADY_RESOLVED EXPIRED DIGEST_MISMATCH INVALID_ARGUMENTS DENIED_BY_POLICY BUSY QUEUE_FULL UNKNOWN_MESSAGE OVERLOADED QUOTA SLOW_READER RATE_LIMITED UNAVAILABLE TURN_FAILED CANCELLED INTERNAL',
  );
  expect(retryable.map(([code]) => code).join(' ')).toBe('BUSY QUEUE_FULL OVERLOADED SLOW_READER RATE_LIMITED UNAVAILABLE TURN_FAILED');
});

test('the codes of a failed call are the eleven of the specification and ours', () => {
  expect(Object.keys(TOOL_ERRORS).join(' ')).toBe(
    'FILE_NOT_FOUND FILE_TOO_LARGE PERMISSION_DENIED INVALID_PATH PATH_OUTSIDE_WORKSPACE GIT_NOT_INITIALIZED GIT_ERROR PATCH_APPLY_FAILED ENCODING_ERROR TOOL_NOT_FOUND INVALID_ARGUMENTS DENIED_BY_USER DENIED_BY_POLICY APPROVAL_TIMED_OUT CLIENT_DISCONNECTED OUTCOME_UNKNOWN CANCELLED TIMEOUT CONFLICT APPROVAL_MISMATCH TASK_FAILED TOOL_FAILED HTTP_ERROR NOT_CONFIGURED',
  );
});

test('the close codes tell whether to reconnect', () => {
  expect(Object.values(CLOSE).map(({ code, reconnect }) => `${String(code)}${reconnect ? '+' : ''}`)).toEqual([
    '1000',
    '1009+',
    '4000+',
    '4001+',
    '4002+',
    '4003+',
    '4401+',
    '4500',
    '4501',
    '4502',
    '4504',
  ]);
  for (const { reason } of Object.values(CLOSE)) expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123);
});

test('the limits are those of the specification', () => {
  expect(LIMITS).toMatchObject({
    MAX_FRAME_BYTES: 10_485_760,
    MAX_FILE_BYTES: 1_048_576,
    MAX_DIFF_BYTES: 5_242_880,
    MAX_MESSAGE_CHARACTERS: 10_000,
    MAX_PATH_CHARACTERS: 255,
    MAX_NESTING: 64,
  });
});
