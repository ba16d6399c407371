import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { sha256, type ClientStage } from '../client-stage.js';
import { demandError } from '../scripted-session.js';
import { demandMismatch } from './mismatch.js';

/** A decision holds for the files as they were. */
export const OPERAND_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'operands.named',
    says: 'names the file that a call would overwrite in its preview, with the digest of what it holds now',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      await stage.begin(['write_file']);
      await stage.write('a.txt', 'old\n');
      const { session } = stage;
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'mine\n' }, asked: true });
      const preview = await session.peer.next('tool_preview', about('tool_preview', call.id));
      const operands = (preview['operands'] ?? []) as readonly { readonly path: string; readonly sha256: string }[];
      const named = operands.find(({ path }) => path === 'a.txt');
      demand(named?.sha256 === sha256('old\n'), `the preview names no a.txt with the digest of its content: ${show(preview)}`);
    },
  },
  {
    id: 'operands.changed',
    says: 'does nothing and answers APPROVAL_MISMATCH when a file changed while the approval waited',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      await demandMismatch(stage, { before: 'old\n', meanwhile: 'changed meanwhile\n' });
    },
  },
  {
    id: 'operands.appeared',
    says: 'does nothing when a file appeared where the decision had seen none',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      await demandMismatch(stage, { meanwhile: 'somebody else’s\n' });
    },
  },
  {
    id: 'operands.of-a-rule',
    says: 'does nothing when a file has another content than the rule that allows the call was made for',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      await stage.begin(['write_file']);
      await stage.write('rule.sh', 'echo new\n');
      const operands = [{ path: 'rule.sh', sha256: sha256('echo old\n') }];
      const call = stage.session.offer('write_file', { args: { path: 'a.txt', content: 'x' }, operands });
      demandError(await stage.session.result(call), 'APPROVAL_MISMATCH');
      await stage.holds('a.txt', undefined, 'a call was run whose rule was made for other contents');
    },
  },
];
