import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChaosEventBody } from '../recording/chaos-event.js';
import { marksIn } from './script/marks.js';

/** What the tools left in a workspace: a line in `marks.log` for each command that ran, a file for each write. */
export async function readEffects(root: string, session: string): Promise<ChaosEventBody[]> {
  const log = (await readFile(join(root, 'marks.log'), 'utf8').catch(absent)) ?? '';
  const appended = log
    .split('\n')
    .flatMap((line) => marksIn(line))
    .map((mark) => ({ kind: 'effect', session, mark, tool: 'run_command', what: 'a line in marks.log' }) as const);
  const written = await Promise.all(
    ['files', 'kept'].map(async (folder) => {
      const names = await readdir(join(root, folder)).catch(() => []);
      const files = names.filter((name) => !name.startsWith('.')); // what a write that was killed had not put in its place yet
      return Promise.all(files.map((name) => readWritten(root, session, `${folder}/${name}`)));
    }),
  );
  return [...appended, ...written.flat(2)];
}

/** Nothing where the file is gone by now: a tool that still ran took it away. */
async function readWritten(root: string, session: string, path: string): Promise<ChaosEventBody[]> {
  const [named = ''] = marksIn(path);
  const content = await readFile(join(root, path), 'utf8').catch(absent);
  if (content === undefined) return [];
  const whole = content === `${named}\n` ? 'whole' : `with ${JSON.stringify(content.slice(0, 100))}`;
  return [{ kind: 'effect', session, mark: named, tool: 'write_file', what: `${path} ${whole}` }];
}

const absent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};
