import { WebSocket } from 'ws';

/** Where to connect, and what to say first. */
export interface Target {
  readonly name: string;
  readonly ws: string;
  readonly token: string;
  /** Frames to send before the message: `hello` where the gateway knows it. */
  readonly greeting: (session: string) => readonly object[];
}

/** Times of one turn, in milliseconds. */
export interface TurnTimes {
  /** From each `tool_result` to its acknowledgement: the durable round trip. */
  readonly acknowledgements: number[];
  /** From each `tool_result` to the next `tool_call` or final text: a whole agent step. */
  readonly steps: number[];
}

const RESULT = { content: 'x'.repeat(512), encoding: 'utf-8' };

/** One turn on one session: answers each call at once, until the final text. */
export function driveTurn(target: Target, session: string): Promise<TurnTimes> {
  const times: TurnTimes = { acknowledgements: [], steps: [] };
  const socket = new WebSocket(`${target.ws}/${session}`, {
    headers: { authorization: `Bearer ${target.token}` },
    perMessageDeflate: false,
  });
  let sentAt = 0;
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      socket.terminate();
      reject(error);
    };
    const silence = setTimeout(() => fail(new Error(`${target.name}: a turn did not end within two minutes`)), 120_000);
    const noteStep = (): void => void (sentAt > 0 && times.steps.push(performance.now() - sentAt));
    socket.on('error', fail);
    socket.on('open', () => {
      for (const frame of target.greeting(session)) socket.send(JSON.stringify(frame));
      socket.send(JSON.stringify({ type: 'user_message', content: 'go', message_id: `m-${session}` }));
    });
    socket.on('message', (data) => {
      const frame = JSON.parse((data as Buffer).toString()) as { type: string; call_id: string; is_final?: boolean; code?: string };
      if (frame.type === 'tool_call') {
        noteStep();
        sentAt = performance.now();
        socket.send(JSON.stringify({ type: 'tool_result', call_id: frame.call_id, result: RESULT }));
      } else if (frame.type === 'tool_result_ack') {
        times.acknowledgements.push(performance.now() - sentAt);
      } else if (frame.type === 'assistant_message' && frame.is_final === true) {
        noteStep();
        clearTimeout(silence);
        socket.once('close', () => resolve(times));
        socket.close();
      } else if (frame.type === 'error') {
        fail(new Error(`${target.name}: ${String(frame.code)}`));
      }
    });
  });
}
