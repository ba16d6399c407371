import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChaosEventBody } from '../recording/chaos-event.js';
import { marksIn } from './script/marks.js';

/** What the tools left in a workspace: a line in `marks.log` for each command that ran, a file for each write. */
export async function readEffects(root: string, session: string): Promise<ChaosEventBody[]> {
  const log = await readFile(join(root, 'marks.log'), 'utf8').catch(absent);
  const appended = log
    .split('\n')
    .flatMap((line) => marksIn(line))
    .map((mark) => ({ kind: 'effect', session, mark, tool: 'run_command', what: 'a line in marks.log' }) as const);
  const written = await Promise.all(
    ['files', 'kept'].map(async (folder) => {
      const names = await readdir(join(root, folder)).catch(() => []);
      return Promise.all(names.map((name) => readWritten(root, session, `${folder}/${name}`)));
    }),
  );
  return [...appended, ...written.flat()];
}

async function readWritten(root: string, session: string, path: string): Promise<ChaosEventBody> {
  const [named = ''] = marksIn(path);
  const content = await readFile(join(root, path), 'utf8');
  const whole = content === `${named}\n` ? 'whole' : `with ${JSON.stringify(content.slice(0, 100))}`;
  return { kind: 'effect', session, mark: named, tool: 'write_file', what: `${path} ${whole}` };
}

const absent = (error: NodeJS.ErrnoException): string => {
  if (error.code === 'ENOENT') return '';
  throw error;
};
