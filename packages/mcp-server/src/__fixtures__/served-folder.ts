import { afterEach, beforeEach } from 'vitest';
import { openWorkspace, workspaceIdentity } from '@codelab/workspace';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consoleFolder } from '../consoles/console-folder.js';
import { openConsole, type OpenConsole, type Person } from '../consoles/open-console.js';
import { serveOverHttp, type HttpEndpoint } from '../http/serve-http.js';
import { serveWorkspace, type ServeOptions } from '../serve-workspace.js';
import { connectProgram, type Program, type ProgramOptions } from './programs.js';

/** A folder that is served over HTTP, for one test. */
export interface ServedFolder {
  readonly root: string;
  readonly dataDir: string;
  readonly token: string;
  /** Hears what the server found wrong. */
  readonly problems: string[];
  /** Begins to serve the folder. */
  serve(options?: Partial<ServeOptions>): Promise<HttpEndpoint>;
  /** Connects a program to what is served last. */
  connect(options: Omit<ProgramOptions, 'url' | 'token'>): Promise<Program>;
  /** Lets somebody watch the folder. */
  watch(person: Person): Promise<OpenConsole>;
  write(path: string, content: string): Promise<void>;
  read(path: string): Promise<string>;
}

/** A fresh one for each test of a file; everything is closed behind it. */
export function useServedFolder(): ServedFolder {
  let base = '';
  let root = '';
  let endpoint: HttpEndpoint | undefined;
  let cleanups: (() => Promise<unknown>)[] = [];
  const token = randomUUID();
  const problems: string[] = [];

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'codelab-mcp-')));
    root = join(base, 'work');
    await mkdir(root);
    await writeFile(join(root, 'a.txt'), 'one\n');
    problems.length = 0;
    endpoint = undefined;
  });
  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
    cleanups = [];
    await rm(base, { recursive: true, force: true });
  });

  const folder: ServedFolder = {
    get root() {
      return root;
    },
    get dataDir() {
      return join(base, 'data');
    },
    token,
    problems,
    async serve(options = {}) {
      const { dataDir } = folder;
      const served = serveWorkspace({
        ...{ dataDir, version: '0', mode: 'medium', approve: 'ask', approvalMs: 60_000 },
        workspace: await openWorkspace({ root, dataDir }),
        identity: await workspaceIdentity(root, dataDir),
        prompts: { list: () => Promise.resolve([]), read: () => Promise.resolve(undefined) },
        known: [token],
        onProblem: (message) => problems.push(message),
        ...options,
      });
      const tokenDigests = [createHash('sha256').update(token).digest('hex')];
      const opened = await serveOverHttp({
        ...{ served, host: '127.0.0.1', port: 0, hosts: [], tokenDigests, clock: options.clock },
        onProblem: (message) => problems.push(message),
      });
      endpoint = opened;
      cleanups.push(() => opened.close());
      return opened;
    },
    async connect(options) {
      const program = await connectProgram({ ...options, url: (endpoint ?? (await folder.serve())).url, token });
      cleanups.push(() => program.close().catch(() => undefined));
      return program;
    },
    async watch(person) {
      const desk = await openConsole(consoleFolder(folder.dataDir, root), person);
      cleanups.push(() => desk.close());
      return desk;
    },
    write: (path, content) => writeFile(join(root, path), content),
    read: (path) => readFile(join(root, path), 'utf8'),
  };
  return folder;
}
