import { readFile, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { demand, type Check } from '../../check.js';
import { about, show, type Frame } from '../../wire/frame.js';
import { errorOf } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

const SECRET = 'what lies outside of the workspace';

interface Escape {
  readonly id: string;
  readonly says: string;
  /** Lays out the workspace, and gives the path that must not work. */
  readonly path: (stage: ClientStage) => Promise<string> | string;
  readonly tools: readonly ('read_file' | 'write_file')[];
}

const ESCAPES: readonly Escape[] = [
  { id: 'dots', says: 'a path with ..', path: () => '../outside/secret.txt', tools: ['read_file', 'write_file'] },
  { id: 'dots-inside', says: 'a path with .. that stays inside', path: () => 'folder/../a.txt', tools: ['read_file', 'write_file'] },
  { id: 'absolute', says: 'an absolute path', path: (stage) => join(stage.outside, 'secret.txt'), tools: ['read_file', 'write_file'] },
  {
    id: 'link-leaf',
    says: 'a link to a file outside',
    path: async (stage) => {
      await symlink(join(stage.outside, 'secret.txt'), join(stage.workspace, 'link.txt'));
      return 'link.txt';
    },
    tools: ['read_file', 'write_file'],
  },
  {
    id: 'link-parent',
    says: 'a path through a link to a folder outside',
    path: async (stage) => {
      await symlink(stage.outside, join(stage.workspace, 'folder'));
      return 'folder/secret.txt';
    },
    tools: ['read_file', 'write_file'],
  },
  {
    id: 'link-dangling',
    says: 'a link to a file outside that does not exist: it must not be made',
    path: async (stage) => {
      await symlink(join(stage.outside, 'made.txt'), join(stage.workspace, 'link.txt'));
      return 'link.txt';
    },
    tools: ['write_file'],
  },
  {
    id: 'link-chain',
    says: 'a link to a link that leads outside',
    path: async (stage) => {
      await symlink(stage.outside, join(stage.workspace, 'one'));
      await symlink('one', join(stage.workspace, 'two'));
      return 'two/secret.txt';
    },
    tools: ['read_file', 'write_file'],
  },
];

const PATH_CODES = ['PATH_OUTSIDE_WORKSPACE', 'INVALID_PATH'];

/** Nothing outside of the workspace is read or written. */
export const PATH_CHECKS: readonly Check<ClientStage>[] = ESCAPES.map(({ id, says, path, tools }) => ({
  id: `path.${id}`,
  says: `refuses ${says}${tools.length > 1 ? ', to read and to write' : ''}`,
  section: 'executor.md#paths',
  run: async (stage) => {
    await stage.begin(tools);
    await writeFile(join(stage.outside, 'secret.txt'), SECRET);
    await stage.write('a.txt', 'alpha\n');
    const target = await path(stage);
    for (const tool of tools) {
      const args = tool === 'read_file' ? { path: target } : { path: target, content: 'escaped' };
      const result = await tryCall(stage, tool, args);
      demand(!JSON.stringify(result).includes(SECRET), `${tool} of ${target} gave away what lies outside: ${show(result)}`);
      const code = errorOf(result);
      demand(
        code !== undefined && PATH_CODES.includes(code),
        `${tool} of ${target} must fail with ${PATH_CODES.join(' or ')}: ${show(result)}`,
      );
    }
    const outside = await readFile(join(stage.outside, 'secret.txt'), 'utf8');
    demand(outside === SECRET, 'a file outside of the workspace was written');
    demand(!existsSync(join(stage.outside, 'made.txt')), 'a file was made outside of the workspace');
    await stage.holds('a.txt', 'alpha\n', 'a path with .. was written to');
  },
}));

/** Offers a call; one that writes is asked about. A client may answer by a failed preview, approve and fail, or reject it. */
async function tryCall(stage: ClientStage, tool: string, args: object): Promise<Frame> {
  const { session } = stage;
  const asked = tool === 'write_file';
  const call = session.offer(tool, { args: { ...args }, asked });
  if (!asked) return session.result(call);
  const isAnswer = (frame: Frame): boolean => about('tool_result', call.id)(frame) || about('hitl_decision', call.id)(frame);
  const first = await session.peer.next('a decision, or a tool_result with preview_failed', isAnswer);
  if (first.type === 'tool_result') {
    demand(first['preview_failed'] === true, 'a call that nobody decided was answered without preview_failed: true');
    session.acknowledge(call);
    session.write({
      type: 'approval_resolved',
      call_id: call.id,
      outcome: 'cancelled',
      args_sha256: call.digest,
      by: 'executor',
      at_ms: Date.now(),
    });
    return first;
  }
  demand(first['decision'] === 'approve', `the client was to approve the call, and sent the decision ${String(first['decision'])}`);
  session.resolve(call, 'approved');
  return session.result(call);
}
