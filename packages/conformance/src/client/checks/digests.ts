import { demand, type Check } from '../../check.js';
import { RFC8785_VECTORS } from '../../vectors/rfc8785.js';
import { about, show } from '../../wire/frame.js';
import { sha256, type ClientStage } from '../client-stage.js';
import { demandError, errorOf } from '../scripted-session.js';
import { demandMismatch } from './mismatch.js';

const WRONG = sha256('other arguments');
const ARGS = { path: 'a.txt', content: 'one\n' } as const;

/** What runs is what the digest names. */
export const DIGEST_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'digest.vectors',
    says: 'computes args_sha256 by RFC 8785: numbers, escapes, order of names, nesting',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      await stage.begin(['read_file']);
      await stage.write('a.txt', 'alpha\n');
      for (const { what, json, canonical } of RFC8785_VECTORS) {
        const args = `{ "x": ${json}, "path": "a.txt" }`;
        const call = stage.session.offer('read_file', { args, digest: sha256(`{"path":"a.txt","x":${canonical}}`) });
        const code = errorOf(await stage.session.result(call));
        demand(code !== 'APPROVAL_MISMATCH', `${what}: the digest of ${args} is that of {"path":"a.txt","x":${canonical}}`);
      }
    },
  },
  {
    id: 'digest.ready',
    says: 'does nothing and answers APPROVAL_MISMATCH when the arguments of a ready call have another digest',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const call = stage.session.offer('write_file', { args: ARGS, digest: WRONG });
      demandError(await stage.session.result(call), 'APPROVAL_MISMATCH');
      await stage.holds('a.txt', undefined, 'tampered arguments were run');
    },
  },
  {
    id: 'digest.undecided',
    says: 'sends no decision and no answer for a call whose arguments have another digest, and does not run it if it is decided all the same',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: ARGS, digest: WRONG, asked: true });
      const decision = await session.peer.maybeNext(about('hitl_decision', call.id), 1_000);
      demand(decision?.['args_sha256'] !== WRONG, `the client decided by a digest that it did not compute: ${show(decision ?? {})}`);
      session.resolve(call, 'approved');
      demandError(await session.result(call), 'APPROVAL_MISMATCH');
      await stage.holds('a.txt', undefined, 'tampered arguments were run');
    },
  },
  {
    id: 'digest.resolved',
    says: 'does not run a call whose approval names another digest',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      await demandMismatch(stage, { told: { digest: WRONG } });
    },
  },
  {
    id: 'digest.edited',
    says: 'does not run edited arguments whose digest is not that of the approval',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      const asked = sha256('{"content":"mine\\n","path":"a.txt"}');
      await demandMismatch(stage, { told: { args: { path: 'a.txt', content: 'two\n' }, digest: asked } });
    },
  },
  {
    id: 'digest.swapped',
    says: 'does not run arguments that were swapped while the client was away, after it had approved others',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      const call = session.offer('write_file', { args: ARGS, asked: true });
      await session.decision(call);
      session.peer.cut();
      await session.peer.ended;
      call.args = JSON.stringify({ path: 'a.txt', content: 'swapped\n' });
      session.resolve(call, 'approved');
      await stage.rejoin({ snapshot: true });
      const code = errorOf(await session.result(call));
      const done = code === undefined ? ARGS.content : undefined; // it may run what was approved, which it remembers
      demand(code === undefined || code === 'APPROVAL_MISMATCH', `the result must be the error APPROVAL_MISMATCH, but is ${String(code)}`);
      await stage.holds('a.txt', done, 'swapped arguments were run');
    },
  },
];
