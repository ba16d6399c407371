import { HttpConnection, type TimedAnswer } from './http-connection.js';

/** Where requests go, and what they are. */
export interface Drive {
  readonly port: number;
  readonly request: Buffer;
}

const withConnections = async <T>(port: number, count: number, run: (connections: readonly HttpConnection[]) => Promise<T>): Promise<T> => {
  const connections = await Promise.all(Array.from({ length: count }, () => HttpConnection.open(port)));
  try {
    return await run(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
};

const asked = async (connection: HttpConnection, request: Buffer): Promise<TimedAnswer> => {
  const answer = await connection.ask(request);
  if (answer.status !== 200) throw new Error(`status ${String(answer.status)}: ${answer.body.toString('utf8').slice(0, 300)}`);
  return answer;
};

export const askOnce = ({ port, request }: Drive): Promise<TimedAnswer> =>
  withConnections(port, 1, ([connection]) => connection!.ask(request));

/** Requests in a second, each connection asking again as soon as it has its answer. */
export const requestsPerSecond = (
  { port, request }: Drive,
  connections: number,
  durationMs: number,
): Promise<{ readonly perSecond: number; readonly requests: number }> =>
  withConnections(port, connections, async (all) => {
    const started = performance.now();
    let requests = 0;
    await Promise.all(
      all.map(async (connection) => {
        while (performance.now() - started < durationMs) {
          await asked(connection, request);
          requests += 1;
        }
      }),
    );
    return { perSecond: (requests * 1_000) / (performance.now() - started), requests };
  });

/** Answers to requests one after the other, on one connection. */
export const oneByOne = ({ port, request }: Drive, times: number): Promise<readonly TimedAnswer[]> =>
  withConnections(port, 1, async ([connection]) => {
    const answers: TimedAnswer[] = [];
    for (let n = 0; n < times; n += 1) answers.push(await asked(connection!, request));
    return answers;
  });
