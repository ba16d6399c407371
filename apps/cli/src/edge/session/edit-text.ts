import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readSettings } from '../user-config/read-settings.js';
import { formatLines, parseEditedLines, type PatchLine } from '@codelab/tools';
import type { ChatEffect } from '../../core/chat/chat-state.js';

/** What the user's editor left: something new, nothing new, or something that can't be used. */
export type Edited<T> = { readonly value: T } | { readonly fault: string } | undefined;

export interface TextToEdit<T> {
  /** By its extension editors know the language. */
  readonly fileName: string;
  readonly text: string;
  /** How a line is a comment. What we put above the text, as comments, is not part of what is read. */
  readonly comment: '//' | '#';
  /** What stands above the text, if anything is to be said. */
  readonly hints?: readonly string[];
  /** Reads what was saved, without our comments. */
  readonly read: (text: string) => { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string };
}

/**
 * Opens a text in the editor of the settings: `$VISUAL`, `$EDITOR`, that of `config.yaml`, or `vi`. What can't be read is opened again with the reason above it, until it can or the user
 * leaves it as it was.
 */
export async function editText<T>({ fileName, text, comment, hints = [], read }: TextToEdit<T>): Promise<Edited<T>> {
  const directory = await mkdtemp(join(tmpdir(), 'codelab-'));
  // Editors obey hidden files of the folder that they run in, such as .exrc.
  const file = join(directory, fileName.replace(/[^a-z0-9._-]|^\./gi, '_'));
  const head = (lines: readonly string[]): string => lines.map((line) => `${comment} ${line}\n`).join('');
  try {
    const first = head(hints) + text;
    const given = new Set(hints.map((line) => `${comment} ${line}`));
    let shown = first;
    let fault: string | undefined;
    for (;;) {
      await writeFile(file, shown, { mode: 0o600 });
      const failure = await runEditor(file);
      if (failure !== undefined) return { fault: failure };
      const saved = await readFile(file, 'utf8');
      if (saved === shown) return fault === undefined ? undefined : { fault };
      const rows = saved.split('\n');
      const begin = rows.findIndex((row) => !given.has(row));
      const body = rows.slice(begin === -1 ? rows.length : begin).join('\n');
      const result = read(body);
      if (result.ok) return { value: result.value };
      fault = result.fault;
      const notes = [...hints, result.fault.replace(/\s+/g, ' '), 'Mend it and save, or leave it as it is to give up.'];
      for (const line of notes) given.add(`${comment} ${line}`);
      shown = head(notes) + body;
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function runEditor(file: string): Promise<string | undefined> {
  const command = readSettings().editor ?? 'vi';
  return new Promise((resolve) => {
    // As git does it: the variable may hold arguments, so a shell takes it apart; the file is passed beside it, not inside.
    const child = spawn('/bin/sh', ['-c', `${command} "$@"`, command, file], { cwd: dirname(file), stdio: 'inherit' });
    child.once('error', (error) => resolve(`The editor ${command} can't be started (${error.message}): set EDITOR.`));
    child.once('exit', (code) =>
      resolve(code === 0 ? undefined : `The editor ${command} ended with ${code ?? 'a signal'}: set EDITOR to another one.`),
    );
  });
}

/** What the user's editor left: new arguments, nothing new, or something that can't be used. */
type EditedArguments = { readonly args: string } | { readonly fault: string } | undefined;

/** The argument that is a text by itself, and the file that it is opened as. */
const TEXTS: Readonly<
  Record<string, { readonly field: string; readonly fileName: (args: Record<string, unknown>) => string } | undefined>
> = {
  write_file: { field: 'content', fileName: ({ path }) => (typeof path === 'string' ? basename(path) : 'content.txt') },
  apply_patch: { field: 'diff', fileName: () => 'change.diff' },
  submit_plan: { field: 'plan', fileName: () => 'plan.md' },
  run_command: { field: 'command', fileName: () => 'command.sh' },
};

/**
 * Opens what a call is about in the user's editor: the content of a file, a patch or a command as the text that it is, else the arguments
 * as indented JSON. What is no JSON object is opened again with the reason above it.
 */
export async function editArguments(args: string, toolName: string): Promise<EditedArguments> {
  const given = JSON.parse(args) as Record<string, unknown>;
  const inside = TEXTS[toolName];
  const text = inside && given[inside.field];
  if (inside && typeof text === 'string') {
    const edited = await editText({
      fileName: inside.fileName(given),
      text,
      comment: '#',
      read: (saved) => ({ ok: true, value: endAs(text, saved) }),
    });
    if (edited === undefined) return undefined;
    return 'fault' in edited ? edited : { args: JSON.stringify({ ...given, [inside.field]: edited.value }) };
  }
  const edited = await editText({
    fileName: `${toolName}.json`,
    text: `${JSON.stringify(given, null, 2)}\n`,
    comment: '//',
    read: (text) => {
      const fault = faultOf(text);
      return fault === undefined ? { ok: true, value: text.trim() } : { ok: false, fault };
    },
  });
  if (edited === undefined) return undefined;
  return 'fault' in edited ? edited : { args: edited.value };
}

/** Editors end the last line of a text; where it wasn't ended before, that is not the user's doing. */
const endAs = (before: string, after: string): string => (before.endsWith('\n') ? after : after.replace(/\n$/, ''));

/** Why a text can't be the arguments of a call. */
export function faultOf(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'Arguments are a JSON object: { … }.';
  } catch (error) {
    return `This is no JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`;
  }
}

const HINTS = [
  'Edit this part of the patch, then save.',
  'To leave a “-” line in the file, make its “-” a blank. To leave a “+” line out, delete it.',
  'Lines with “+” can be changed and added. Everything else must stay: it is what the file holds.',
];

/** Opens lines of a hunk in the user's editor, as `git add -e` does. What doesn't fit the file any more is opened again with the reason. */
export async function editHunk({
  original,
  lines,
  endsHunk,
}: Pick<Extract<ChatEffect, { kind: 'edit_hunk' }>, 'original' | 'lines' | 'endsHunk'>): Promise<{
  readonly lines?: readonly PatchLine[];
  readonly fault?: string;
}> {
  const edited = await editText({
    fileName: 'hunk.diff',
    text: formatLines(lines),
    comment: '#',
    hints: HINTS,
    read: (text) => {
      const parsed = parseEditedLines(original, text, endsHunk);
      return parsed.ok ? { ok: true, value: parsed.lines } : parsed;
    },
  });
  if (edited === undefined) return {};
  return 'fault' in edited ? edited : { lines: edited.value };
}
