import { TOOLS } from '@codelab/tools';
import { WebSocket } from 'ws';

/** Where the gateway is, and with which token. */
export interface Place {
  readonly ws: string;
  readonly token: string;
}

const words = (count: number): string =>
  Array.from({ length: count }, (_, n) => `Rule ${String(n)}: keep functions small and say why.`).join('\n');

/** Tools that this client brings along, as those of some MCP server. */
const FOREIGN = Array.from({ length: 8 }, (_, n) => ({
  name: `tracker_action_${String(n)}`,
  description: 'Looks up tickets of the tracker by their number, state, label or words of their text, the latest first.',
  input_schema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to look for.' }, limit: { type: 'integer' } },
  },
}));

const HELLO = {
  type: 'hello',
  protocol_versions: ['2.1'],
  client: { name: 'bench', version: '1' },
  tools: [...TOOLS.map(({ name }) => name), ...FOREIGN],
  workspace: { id: 'b1946ac92492d2347c6235b4d2611184', name: 'project', root: '/home/ann/project', branch: 'main' },
  capabilities: ['tool_status', 'agent_switched', 'todos_updated', 'queue_updated', 'tool_output', 'agent_status', 'executor_changed'],
};

/** As a person's client sends them of one workspace: the same in all of its sessions. */
const FACTS = {
  type: 'workspace_facts',
  environment: { os: 'Linux 6.8', shell: 'bash', root: '/home/ann/project', branch: 'main', tree: words(20), commits: words(5) },
  files: [{ path: 'AGENTS.md', scope: 'workspace', bytes: 4_000, content: words(80) }],
};

/** Begins a turn in a session, answers the calls that ask nobody, and leaves when a human is asked or the turn is over. */
export function driveSession({ ws, token }: Place, session: string): Promise<void> {
  const socket = new WebSocket(`${ws}/${session}`, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => reject(new Error(`${session}: nothing came within two minutes`)), 120_000);
    const leave = (): void => {
      clearTimeout(silence);
      socket.once('close', () => resolve());
      socket.close();
    };
    const send = (frame: object): void => socket.send(JSON.stringify(frame));
    socket.on('error', reject);
    socket.on('open', () => {
      send({ ...HELLO, client_id: `bench-${session}` });
      send(FACTS);
      send({ type: 'user_message', content: `Please look after ${session}.` });
    });
    socket.on('message', (data) => {
      const frame = JSON.parse((data as Buffer).toString()) as {
        type: string;
        call_id: string;
        requires_approval?: boolean;
        code?: string;
      };
      if (frame.type === 'turn_ended') return leave();
      if (frame.type === 'error') return reject(new Error(`${session}: ${String(frame.code)}`));
      if (frame.type !== 'tool_call') return;
      if (frame.requires_approval === true) return leave();
      send({ type: 'tool_result', call_id: frame.call_id, result: { content: 'x'.repeat(2_000), encoding: 'utf-8' } });
    });
  });
}
