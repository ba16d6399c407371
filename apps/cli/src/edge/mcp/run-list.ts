import type { WriteStream } from 'node:tty';
import { describeServer } from '../../core/mcp/describe-server.js';
import { renderServers } from '../../core/mcp/render-servers.js';
import { printLines } from '../print-lines.js';
import { declineAll } from './answer-elicitation.js';
import { commandPlace, type ServerOptions } from './command-place.js';
import { openMcp } from './open-mcp.js';

/** Time that servers have to connect before the list shows them as they are then. */
const CONNECT_MS = 8_000;
/** Where there is no terminal, rows are broken only where they would be unreadable. */
const PLAIN_COLUMNS = 160;

/** Prints the servers, each as it is after a short connect, and what is wrong with the files. Returns the exit code: 1 where a file has a mistake. */
export async function listServers({ json, ...options }: ServerOptions & { readonly json?: true }, out: WriteStream): Promise<number> {
  const { servers, configuration } = await openMcp(await commandPlace(options), { elicit: declineAll });
  try {
    await Promise.race([servers.start(), new Promise((resolve) => setTimeout(resolve, CONNECT_MS).unref())]);
    const states = servers.servers().map((state) => {
      const { file, config } = configuration.servers.find((one) => one.config.name === state.name)!; // opened from these
      return { state, file, what: describeServer(config) };
    });
    const { problems } = configuration;
    const waiting = configuration.waiting.map(
      ({ path, refused }) =>
        `${path} of this folder is ${refused ? 'refused' : 'not approved'}, so its servers are off: codelab mcp approve`,
    );
    const notes = [...configuration.notes, ...waiting];
    const exitCode = problems.length === 0 ? 0 : 1;
    if (json !== true) {
      printLines(renderServers({ servers: states, problems, notes }, out.columns ?? PLAIN_COLUMNS), out);
      return exitCode;
    }
    const listed = states.map(({ state: { stderr: _, instructions: __, ...state }, file, what }) => ({ ...state, file, what }));
    out.write(`${JSON.stringify({ servers: listed, problems, notes }, undefined, 2)}\n`);
    return exitCode;
  } finally {
    await servers.close();
  }
}
