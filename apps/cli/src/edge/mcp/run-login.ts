import { McpError } from '@codelab/mcp';
import { CommandError } from '../../core/command-error.js';
import { sayLogin } from '../../core/mcp/say-login.js';
import { commandPlace, onlyServer, type ServerOptions } from './command-place.js';
import { readConfiguration } from './config-files.js';
import { openBrowser } from './open-browser.js';
import { openConfigured } from './open-mcp.js';
import { lookupVariable } from './server-environment.js';

/** Logs in to a remote server in the browser, and says where to go without one. Throws `CommandError`. */
export function login(name: string, options: ServerOptions, out: NodeJS.WritableStream): Promise<void> {
  return withServer(
    name,
    options,
    async (servers) => {
      await servers.login(name);
      out.write(`You are logged in to ${name}.\n`);
    },
    out,
  );
}

/** Forgets the login of a server. Throws `CommandError`. */
export function logout(name: string, options: ServerOptions, out: NodeJS.WritableStream): Promise<void> {
  return withServer(
    name,
    options,
    async (servers) => {
      await servers.logout(name);
      out.write(`The login to ${name} is forgotten.\n`);
    },
    out,
  );
}

async function withServer(
  name: string,
  options: ServerOptions,
  use: (servers: ReturnType<typeof openConfigured>) => Promise<void>,
  out: NodeJS.WritableStream,
): Promise<void> {
  const place = await commandPlace(options);
  const configuration = onlyServer(await readConfiguration(place, lookupVariable), name);
  if (configuration.servers[0]?.config.transport.kind === 'stdio')
    throw new CommandError(`${name} is a program, and logs in by itself, if at all: its keys go into env of mcp.json.`, 1);
  const servers = openConfigured(configuration, place, {
    openBrowser: async (url) => {
      const opened = await openBrowser(url);
      out.write(`${sayLogin({ server: name, url, opened, stop: 'Ctrl-C' })}\n`);
    },
  });
  try {
    await use(servers);
  } catch (error) {
    throw error instanceof McpError ? new CommandError(error.message, 1, { cause: error }) : error;
  } finally {
    await servers.close();
  }
}
