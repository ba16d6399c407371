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

const RESULT = { content: 'x'.repeat(200), encoding: 'utf-8' };

/**
 * Turns on one session, one after another: answers each call at once, until the final text.
 * @param between is waited for after each turn
 */
export function driveTurns(target: Target, session: string, turns = 1, between?: () => Promise<void>): Promise<TurnTimes> {
  const times: TurnTimes = { acknowledgements: [], steps: [] };
  const socket = new WebSocket(`${target.ws}/${session}`, {
    headers: { authorization: `Bearer ${target.token}` },
    perMessageDeflate: false,
  });
  let sentAt = 0;
  let begun = 0;
  const ask = (): void => {
    begun += 1;
    sentAt = 0;
    socket.send(JSON.stringify({ type: 'user_message', content: 'go on', message_id: `m-${session}-${String(begun)}` }));
  };
  return new Promise((resolve, reject) => {
    const endTurn = async (): Promise<void> => {
      await between?.();
      if (begun < turns) return ask();
      clearTimeout(silence);
      socket.once('close', () => resolve(times));
      socket.close();
    };
    const fail = (error: Error): void => {
      socket.terminate();
      reject(error);
    };
    const silence = setTimeout(() => fail(new Error(`${target.name}: its turns did not end within five minutes`)), 300_000);
    const noteStep = (): void => void (sentAt > 0 && times.steps.push(performance.now() - sentAt));
    socket.on('error', fail);
    socket.on('open', () => {
      for (const frame of target.greeting(session)) socket.send(JSON.stringify(frame));
      ask();
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
        void endTurn();
      } else if (frame.type === 'error') {
        fail(new Error(`${target.name}: ${String(frame.code)}`));
      }
    });
  });
}
