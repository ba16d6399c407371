import { startScriptedProvider, type RecordedRequest } from '@codelab/testkit';
import type { ChaosEventBody } from '../../recording/chaos-event.js';
import { answerTo } from './answer.js';
import { FaultLine, type UpstreamFaults } from './upstream-faults.js';

/** A language model of a run: real HTTP and SSE in the dialects chat and messages. */
export interface Upstream {
  /** For `OPENAI_BASE_URL`. */
  readonly baseUrl: string;
  /** For `ANTHROPIC_BASE_URL`. */
  readonly anthropicBaseUrl: string;
  readonly faults: UpstreamFaults;
  close(): Promise<void>;
}

const SESSION = /chaos-session:([A-Za-z0-9_-]+)/;

/**
 * Starts it. Requests are recorded by what `record` is when they come: it outlives a run.
 *
 * @param key what it says in its errors, as careless servers do: nobody may see it
 */
export async function startUpstream(options: {
  readonly key: string;
  readonly record: (event: ChaosEventBody) => void;
}): Promise<Upstream> {
  const line = new FaultLine(options.key);
  const provider = await startScriptedProvider({
    forgets: true,
    script: (request) => {
      const { reply, fault } = line.spoil(answerTo(request.body));
      record(request, fault?.how === 'status');
      return reply;
    },
  });
  const record = ({ n, path, headers, body, text, ended }: RecordedRequest, fails: boolean): void => {
    const dialect = path.split('?')[0]!.endsWith('/messages') ? 'messages' : 'chat';
    const authorization = headers.authorization ?? (headers['x-api-key'] as string | undefined);
    const session = SESSION.exec(text)?.[1];
    options.record({ kind: 'model-request', id: n, dialect, session, authorization, body });
    void ended.then((how) =>
      options.record({ kind: 'model-end', id: n, how: how === 'hung_up' ? 'hung-up' : how === 'answered' && fails ? 'failed' : how }),
    );
  };
  return {
    baseUrl: provider.baseUrl,
    anthropicBaseUrl: provider.origin,
    faults: line,
    close: async () => {
      line.clear();
      await provider.close();
    },
  };
}
