import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCliConfig } from '../config.js';

/** What the user's editor left: new arguments, nothing new, or something that can't be used. */
export type EditedArguments = { readonly args: string } | { readonly fault: string } | undefined;

/**
 * Opens the arguments of a call in `$VISUAL`, `$EDITOR` or `vi`, as indented JSON. What is no JSON object is opened again with the reason
 * above it, until it is one or the user leaves it as it was.
 */
export async function editArguments(args: string, toolName: string): Promise<EditedArguments> {
  const directory = await mkdtemp(join(tmpdir(), 'codelab-'));
  const file = join(directory, `${toolName.replace(/[^a-z0-9_-]/gi, '_')}.json`);
  try {
    const first = `${JSON.stringify(JSON.parse(args) as unknown, null, 2)}\n`;
    let shown = first;
    for (;;) {
      await writeFile(file, shown, { mode: 0o600 });
      const fault = await runEditor(file);
      if (fault !== undefined) return { fault };
      const text = await readFile(file, 'utf8');
      if (text === shown) return shown === first ? undefined : { fault: 'The arguments are still no JSON: nothing was decided.' };
      const json = text.replace(/^(\/\/[^\n]*\n)+/, '');
      const wrong = faultOf(json);
      if (wrong === undefined) return { args: json.trim() };
      shown = `// ${wrong}\n// Mend it and save, or save it as it is to give up.\n${json}`;
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Why a text can't be the arguments of a call. */
export function faultOf(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'Arguments are a JSON object: { … }.';
  } catch (error) {
    return `This is no JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`;
  }
}

function runEditor(file: string): Promise<string | undefined> {
  const { visual, editor } = readCliConfig();
  const command = visual ?? editor ?? 'vi';
  return new Promise((resolve) => {
    // As git does it: the variable may hold arguments, so a shell takes it apart; the file is passed beside it, not inside.
    const child = spawn('/bin/sh', ['-c', `${command} "$@"`, command, file], { stdio: 'inherit' });
    child.once('error', (error) => resolve(`The editor ${command} can't be started (${error.message}): set EDITOR.`));
    child.once('exit', (code) =>
      resolve(code === 0 ? undefined : `The editor ${command} ended with ${code ?? 'a signal'}: set EDITOR to another one.`),
    );
  });
}
