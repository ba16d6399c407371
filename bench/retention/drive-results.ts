import { WebSocket } from 'ws';
import type { Place } from './drive-session.js';

/** A turn of one session whose calls are each answered at once by `resultOf`, the number of the call. Resolves with the milliseconds that it took. */
export function driveResults({ ws, token }: Place, session: string, resultOf: (call: number) => string): Promise<number> {
  const socket = new WebSocket(`${ws}/${session}`, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false });
  const startedMs = performance.now();
  let calls = 0;
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => reject(new Error(`${session}: its turn did not end within five minutes`)), 300_000);
    const send = (frame: object): void => socket.send(JSON.stringify(frame));
    const leave = (): void => {
      clearTimeout(silence);
      const tookMs = performance.now() - startedMs;
      socket.once('close', () => resolve(tookMs));
      socket.close();
    };
    socket.on('error', reject);
    socket.on('open', () => {
      send({
        type: 'hello',
        protocol_versions: ['2.1'],
        client: { name: 'bench', version: '1' },
        client_id: session,
        tools: ['read_file'],
      });
      send({ type: 'user_message', content: 'Please read it.' });
    });
    socket.on('message', (data) => {
      const frame = JSON.parse((data as Buffer).toString()) as { type: string; call_id: string; code?: string };
      if (frame.type === 'turn_ended') return leave();
      if (frame.type === 'error') return reject(new Error(`${session}: ${String(frame.code)} ${(data as Buffer).toString()}`));
      if (frame.type !== 'tool_call') return;
      send({ type: 'tool_result', call_id: frame.call_id, result: { content: resultOf((calls += 1)), encoding: 'utf-8' } });
    });
  });
}
