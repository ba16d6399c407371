import type { ReadStream, WriteStream } from 'node:tty';
import { CommandError } from '../../core/command-error.js';
import { askAboutFiles } from './ask-about-files.js';
import { commandPlace, type ServerOptions } from './command-place.js';
import { readWorkspaceFiles } from './config-files.js';
import { verdictOn } from './approved-files.js';

/**
 * Shows the files of a folder that name servers, and asks whether they may run: those too that were refused before. Only a person at a terminal
 * can say so, and no option says it for them: a command that a model runs has no terminal. Throws `CommandError`.
 */
export async function approveFiles(
  options: ServerOptions,
  { stdin, stdout }: { readonly stdin: ReadStream; readonly stdout: WriteStream },
): Promise<void> {
  const place = await commandPlace(options);
  const files = await readWorkspaceFiles(place.workspace.root);
  if (files.length === 0) {
    stdout.write('This folder names no MCP servers: there is neither .mcp.json nor .codelab/mcp.json.\n');
    return;
  }
  const verdicts = await Promise.all(files.map((file) => verdictOn(place.dataDir, place.workspace.id, file)));
  const open = files.filter((_, index) => verdicts[index] !== 'approved');
  for (const { path } of files.filter((file) => !open.includes(file))) stdout.write(`${path} is approved as it is now.\n`);
  if (open.length === 0) return;
  if (!stdin.isTTY || !stdout.isTTY)
    throw new CommandError(
      `${open.map(({ path }) => path).join(' and ')} can only be approved by a person at a terminal: run codelab mcp approve there.`,
      2,
    );
  for (const { file, verdict } of await askAboutFiles(place, open, { input: stdin, output: stdout }))
    stdout.write(verdict === 'approved' ? `${file.path} is approved.\n` : `${file.path} stays off.\n`);
}
