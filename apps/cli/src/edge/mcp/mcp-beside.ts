import type { ToolExecutor } from '@codelab/client';
import type { Attachment } from '@codelab/protocol';
import type { SessionEvent } from '@codelab/client/view';
import { problemText } from '../../core/mcp/render-servers.js';
import { ServerNewsReader } from '../../core/mcp/server-news.js';
import { watchRun } from '../session/watch-executor.js';
import { askHuman, declineAll, type FormFiller } from './answer-elicitation.js';
import type { ConfigPlace } from './config-files.js';
import { leftOutNote } from './left-out-note.js';
import { McpResources } from './mcp-resources.js';
import { openMcp, withServers } from './open-mcp.js';

/** What a command without a chat has of MCP servers. */
export interface McpBeside {
  /** The tools of the workspace and those of the servers. */
  readonly executor: ToolExecutor;
  /** What a message mentions of servers. */
  attachments(content: string): Promise<readonly Attachment[]>;
  close(): Promise<void>;
}

interface Parts {
  readonly place: ConfigPlace;
  readonly workspace: ToolExecutor;
  readonly tell: (event: SessionEvent) => void;
  /** What is said on stderr, whatever else is shown. */
  readonly say: (text: string) => void;
  /** Whoever sits at the terminal; without one everything is declined. */
  readonly human?: FormFiller | undefined;
}

/** A command of one turn waits so long for its servers: what comes later is not there for its model. */
const READY_MS = 15_000;

/**
 * Starts the MCP servers of a command that has one message, or one after the other, and waits for them: a turn that has begun without a tool never
 * sees it. Files of the workspace that nobody approved start nothing; that is said, with how to approve.
 */
export async function openBeside({ place, workspace, tell, say, human }: Parts): Promise<McpBeside> {
  const decline = human === undefined ? declineAll : askHuman(human, (url) => say(`Open this address: ${url}`), say);
  const { servers, configuration } = await openMcp(place, { elicit: decline });
  for (const problem of configuration.problems) say(problemText(problem));
  for (const note of configuration.notes) say(note);
  for (const { path } of configuration.waiting)
    say(`The MCP servers of ${path} were not started, since nobody has approved it as it is now: codelab mcp approve shows it and asks.`);
  const executor = withServers(workspace, servers, {
    dataDir: place.dataDir,
    watch: (run) => watchRun(run, { dataDir: place.dataDir, tell }),
    onProblem: say,
  });
  await Promise.race([servers.start(), new Promise((resolve) => setTimeout(resolve, READY_MS).unref())]);
  for (const { text } of new ServerNewsReader().read(servers.servers(), Date.now()))
    say(text.replace(' (/mcp shows more)', '').replace('/mcp login', 'codelab mcp login'));
  const left = leftOutNote(executor.leftOut);
  if (left !== undefined) say(left);
  const resources = new McpResources(servers);
  return { executor, attachments: (content) => resources.attachments(content), close: () => servers.close() };
}
