import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';
import type { ServedWorkspace } from './serve-workspace.js';

/** Bytes of one message: a file of 1 MB can be six as JSON. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** How long calls that were given up may take to stop. */
const STOP_MS = 5_000;

/** The two ends of the pipe. */
export interface StdioStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/**
 * Serves one program over stdin and stdout, in whichever version of MCP it begins with. Resolves when it has closed its end, or `signal` has
 * been aborted, and what it wanted has stopped.
 */
export async function serveOverStdio(
  served: ServedWorkspace,
  { stdin, stdout }: StdioStreams,
  signal: AbortSignal,
  onProblem: (message: string) => void,
): Promise<void> {
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    stdout.once('error', () => resolve()); // nobody reads any more
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const handle = serveStdio(({ era }) => served.connection(era), { transport, onerror: ({ message }) => onProblem(message) });
  await ended;
  await handle.close();
  let callOff: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (callOff = setTimeout(resolve, STOP_MS)));
  await Promise.race([served.idle(), late]);
  clearTimeout(callOff);
}
