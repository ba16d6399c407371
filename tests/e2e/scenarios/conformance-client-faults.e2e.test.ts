import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkClient, type CheckResult } from '@codelab/conformance';
import { verifies } from '@codelab/testkit';
import { doSideBySide, notPassed } from '../conformance-kit.js';

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));

/** A fault that is planted in examples/executor.mjs, and the check that has to find it. */
const FAULTS: readonly (readonly [check: string, right: string, wrong: string])[] = [
  ['connect.hello', "['2.0'], client_id,", "['2.0'], client_id: 'me',"],
  ['connect.same-client', 'if (!existsSync(identityFile)) ', ''],
  ['executor.other', 'if (!isExecutor || ', 'if ('],
  ['executor.server-call', " || frame.runs_at === 'server'", ''],
  ['executor.in-turn', 'else unsafe = unsafe.then(() => run(call, args));', 'else void run(call, args);'],
  ['executor.deadline', "setTimeout(() => call.stop.abort('TIMEOUT'), deadline_ms)", '0'],
  ['approval.waits', 'if (isOpen(call)) send(call.decision);', 'start(call, args, args_sha256); send(call.decision);'],
  ['approval.rejected', "outcome === 'approved' || outcome === 'edited'", 'true'],
  ['approval.edited', 'start(call, args ?? call.frame.args, args_sha256);', 'start(call, call.frame.args, digestOf(call.frame.args));'],
  ['approval.no-human', 'const [, , url,', "process.env.EXAMPLE_APPROVES = 'everything';\nconst [, , url,"],
  ['digest.vectors', 'Object.keys(value).sort()', 'Object.keys(value)'],
  ['digest.ready', 'if (digestOf(args) !== args_sha256)\n    return finish', 'if (false)\n    return finish'],
  ['digest.undecided', 'if (digestOf(args) !== args_sha256) return; //', '//'],
  ['operands.changed', 'if ((await hash(operand.path)) !== operand.sha256)', 'if (false)'],
  ['reask.before-ack', "kept.answer.error?.code === 'APPROVAL_MISMATCH'", 'false'],
  ['redelivery.once', 'if (!isAskedAnew) return answer({ ...kept, fence });', 'settled(call_id);'],
  ['redelivery.over', 'for (const call of [...calls.values()]) giveUp(call); // what', '// what'],
  ['redelivery.fence', 'if (known !== undefined) known.frame = frame;', ''],
  ['log.repeat', "if (seq <= last && !(type === 'tool_call' && redelivered)) return;", ''],
  ['log.gap', 'if (seq > last && (prev_seq ?? seq - 1) > last) return socket.close(4000);', ''],
  ['log.prev-seq', '(prev_seq ?? seq - 1)', '(seq - 1)'],
  ['resume.position', 'resume: { epoch, seq: last,', 'resume: { epoch, seq: 0,'],
  [
    'resume.wrong-epoch',
    '[epoch, isExecutor, attempt] = [frame.epoch,',
    "[epoch, isExecutor, attempt] = [epoch === 'none' ? frame.epoch : epoch,",
  ],
  ['cut.at-message', 'for (const request of unanswered) send(request);', 'for (const request of unanswered.splice(0)) send(request);'],
  ['cut.at-decision', 'else if (call.decision !== undefined) send(call.decision);', ''],
  ['cut.result-unasked', "for (const entry of journal.values()) if (entry.state === 'done') answer(entry);", ''],
  ['journal.begun', "if (idempotency === 'unsafe') note({ call_id, args_sha256, fence, state: 'started' });", ''],
  [
    'journal.ended',
    "note({ call_id, args_sha256, fence, state: 'done', answer: body });",
    "journal.set(call_id, { call_id, args_sha256, fence, state: 'done', answer: body });",
  ],
  ['result.retryable', 'if (retryable) setTimeout(', 'if (false) setTimeout('],
  ['result.other-errors', "reply_to_type !== 'tool_result' || ", ''],
  ['cancel.asking', 'else giveUp(call);\n  },\n  tool_result_ack', '},\n  tool_result_ack'],
  ['cancel.waiting', "else if (call?.phase === 'ready') finish(", "else if (call?.phase === 'never') finish("],
  ['cancel.running', "if (call?.phase === 'running') call.stop.abort('CANCELLED');", "if (call?.phase === 'running') return;"],
  ['path.dots', " || path.split('/').includes('..')", ''],
  ['path.absolute', 'isAbsolute(path) || ', ''],
  ['path.link-leaf', ' | constants.O_NOFOLLOW', ''],
  ['path.link-parent', 'if ((await realpath(parent)) !== parent)', 'if (false)'],
  ['end.come-back', 'if (code === 1000 || ', 'if (code === 1000 || code === 4401 || '],
  ['end.stay-away-4501', '(code >= 4500 && code < 5000)', 'false'],
  ['end.drain', 'leaving.close(4000)', 'leaving.ping()'],
];

/** Clients side by side: most of the time they are waited for. */
const AT_ONCE = 6;

let folder: string;
let source: string;
const found = new Map<string, CheckResult | undefined>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-faults-'));
  await symlink(join(EXAMPLES, 'node_modules'), join(folder, 'node_modules'));
  source = await readFile(join(EXAMPLES, 'executor.mjs'), 'utf8');
  await doSideBySide(FAULTS, AT_ONCE, async ([check, right, wrong]) => {
    if (source.split(right).length !== 2) throw new Error(`the example has no longer one place for the fault of ${check}`);
    const [result] = await results(
      check,
      source.replace(right, () => wrong),
      [check],
    );
    found.set(check, result);
  });
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the kit says of a client with this source. */
async function results(name: string, text: string, only: readonly string[]) {
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, text);
  const approves = '[ "$CODELAB_APPROVE" = all ] && export EXAMPLE_APPROVES=everything; ';
  const words = '"$CODELAB_URL" "$CODELAB_TOKEN" "$CODELAB_WORKSPACE" "$CODELAB_STATE" "$CODELAB_MESSAGE"';
  return checkClient({ run: `${approves}exec '${process.execPath}' '${file}' ${words}`, only, jobs: 3, tell: () => undefined });
}

test(
  verifies('L3:conformance-example', 'the example executor passes every check of the kit for clients'),
  async () => expect(notPassed(await results('whole', source, []))).toEqual([]),
  300_000,
);

test.each(FAULTS)(verifies('L3:conformance-finds-clients', 'a fault that is planted in a client fails the check %s'), (check) => {
  expect(found.get(check)).toMatchObject({ outcome: 'failed', why: expect.not.stringContaining('\n    at ') });
});
