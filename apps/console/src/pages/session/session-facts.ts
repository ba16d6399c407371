import { useEffect } from 'react';
import type { Choice, PortFacts } from '@codelab/ui';
import { ask } from '../../rest/ask.js';
import { nameOf, type SessionInfo } from '../../rest/sessions.js';
import { useResource } from '../../resource/use-resource.js';
import type { ObservedSession } from './observed-session.js';

interface AgentList {
  readonly agents: readonly { readonly name: string; readonly description?: string }[];
}

interface ToolList {
  readonly tools: readonly { readonly name: string; readonly input_schema?: Readonly<Record<string, unknown>> }[];
}

const AWAY = {
  message:
    'The client that has the files is not connected. You can read, write messages and decide; calls wait until it is back: ' +
    'open the folder in an editor, or run `codelab chat` in it.',
};

/** Tells the components of a session what the gateway knows beside its frames: title, agents, argument schemas, whether somebody executes. */
export function useSessionFacts(session: ObservedSession, info: SessionInfo): void {
  const id = encodeURIComponent(info.session_id);
  const agents = useResource(`agents ${id}`, () => ask<AgentList>('GET', `/api/v1/sessions/${id}/agents`)).value;
  const tools = useResource(`tools ${id}`, () => ask<ToolList>('GET', `/api/v1/tools?session_id=${id}`)).value;
  const title = nameOf(info);
  const isAway = info.executor_connected === false;
  useEffect(() => {
    const facts: PortFacts = {
      title,
      agents: agents?.agents.map(({ name, description }): Choice => ({ value: name, detail: description })),
      toolSchemas: tools && Object.fromEntries(tools.tools.flatMap(({ name, input_schema: schema }) => (schema ? [[name, schema]] : []))),
      takesImages: true,
      trouble: isAway ? AWAY : undefined,
    };
    session.tell(facts);
  }, [session, title, agents, tools, isAway]);
}
