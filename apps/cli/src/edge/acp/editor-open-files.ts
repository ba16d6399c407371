import { methods, RequestError } from '@agentclientprotocol/sdk';
import { ToolFailure, type OpenFiles } from '@codelab/workspace';
import type { Editor } from './editor.js';

/** An editor that doesn't answer has not got the file: the disk counts. */
const READ_MS = 5_000;
const WRITE_MS = 60_000;

/**
 * The files of an editor as it holds them, as far as it lets agents read and write them. What it refuses to read is read from disk; what it refuses to write
 * is not written, since it may hold another text. Undefined for an editor that can't read.
 */
export function editorOpenFiles(editor: Editor): OpenFiles | undefined {
  const { abilities, client } = editor;
  if (!abilities.reads) return undefined;
  const { readTextFile, writeTextFile } = methods.client.fs;
  const write = async (path: string, content: string): Promise<boolean> => {
    const { sessionId } = editor;
    if (sessionId === '') return false;
    await editor.ready;
    const late = AbortSignal.timeout(WRITE_MS);
    const options = { cancellationSignal: late, stopWaitingOnCancel: true };
    try {
      await client.request(writeTextFile, { sessionId, path, content }, options);
      return true;
    } catch (cause) {
      const refused = cause instanceof RequestError && !late.aborted;
      const words = cause instanceof Error ? cause.message : String(cause);
      throw refused
        ? new ToolFailure('PERMISSION_DENIED', `The editor did not write the file (${words}); nothing was written.`, { cause })
        : new ToolFailure('OUTCOME_UNKNOWN', `The editor did not say whether it wrote the file (${words}): look before trying again.`, {
            cause,
          });
    }
  };
  return {
    async read(path) {
      const { sessionId } = editor;
      if (sessionId === '') return undefined;
      await editor.ready;
      const options = { cancellationSignal: AbortSignal.timeout(READ_MS), stopWaitingOnCancel: true };
      return client.request(readTextFile, { sessionId, path }, options).then(
        ({ content }) => content,
        () => undefined, // not there for it, or not for agents
      );
    },
    ...(abilities.writes && { write }),
  };
}
