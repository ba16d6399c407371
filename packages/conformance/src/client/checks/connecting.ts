import { demand, Skip, type Check } from '../../check.js';
import { about } from '../../wire/frame.js';
import type { ClientStage } from '../client-stage.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** How a client comes in. */
export const CONNECT_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'connect.hello',
    says: 'authenticates, then says hello within 2 s: versions, tools, and a client_id that is a UUID',
    section: 'connecting.md#hello-and-welcome',
    run: async (stage) => {
      await stage.begin();
      demand(UUID.test(String(stage.hello['client_id'])), `client_id is ${String(stage.hello['client_id'])}, not a UUID`);
      demand(((stage.hello['tools'] ?? []) as readonly unknown[]).length > 0, 'hello names no tools: this client would only observe');
    },
  },
  {
    id: 'connect.same-client',
    says: 'keeps its client_id over a lost connection and over kill -9',
    section: 'connecting.md#hello-and-welcome',
    run: async (stage) => {
      await stage.begin();
      const { client_id } = stage.hello;
      stage.session.peer.cut();
      await stage.rejoin();
      demand(stage.hello['client_id'] === client_id, 'another client_id came after the connection was lost');
      await stage.kill();
      await stage.restart();
      demand(stage.hello['client_id'] === client_id, 'another client_id came after kill -9: it belongs beside the journal');
    },
  },
  {
    id: 'connect.busy',
    says: 'comes again when the upgrade is answered with 503 or 429',
    section: 'connecting.md#the-token',
    run: async (stage) => {
      await stage.begin();
      stage.server.refuseNext(503, 429);
      stage.session.peer.cut();
      await stage.rejoin();
      demand(stage.server.refused === 2, 'the client did not try again');
    },
  },
  {
    id: 'connect.unknown-frames',
    says: 'passes over frames and fields that it does not know, and counts their seq',
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage) => {
      await stage.begin(['read_file']);
      await stage.write('a.txt', 'alpha\n');
      const { session } = stage;
      session.peer.send({ type: 'weather_report', sky: 'blue' });
      session.write({ type: 'moon_phase', phase: 3 });
      session.write({ type: 'assistant_message', message_id: 'm1', token: 'Hel', is_final: false, mood: 'good' });
      const call = session.offer('read_file', { args: { path: 'a.txt' } });
      await session.result(call);
      const again = await stage.server.maybeNext(0);
      demand(again === undefined, 'the client connected again: it took an unknown frame for a gap');
    },
  },
  {
    id: 'connect.replaces',
    says: 'goes on when a message replaces one whose model request was repeated',
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage) => {
      await stage.begin(['read_file']);
      await stage.write('a.txt', 'alpha\n');
      const { session } = stage;
      const message = { type: 'assistant_message', is_final: false };
      session.write({ ...message, message_id: 'm1', token: 'It is ' });
      session.write({ ...message, message_id: 'm2', token: 'It was ', replaces: 'm1' });
      session.write({ ...message, message_id: 'm2', token: 'so.' });
      await session.result(session.offer('read_file', { args: { path: 'a.txt' } }));
    },
  },
  {
    id: 'connect.ack',
    says: 'acknowledges what it has read, never more than was sent (a client that sends no ack is skipped)',
    section: 'connecting.md#ack',
    run: async (stage) => {
      await stage.begin();
      const { session } = stage;
      for (let i = 0; i < 100; i += 1)
        session.write({ type: 'assistant_message', message_id: 'm1', token: `word ${String(i)} `, is_final: false });
      const isLast = (frame: { readonly [field: string]: unknown }): boolean => frame['seq'] === session.seq;
      const ack = await session.peer.maybeNext((frame) => about('ack')(frame) && isLast(frame), 3_000);
      const some = session.peer.received.some(about('ack'));
      demand(ack !== undefined || !some, 'the last frame was not acknowledged within 3 s');
      if (!some) throw new Skip('the client sends no ack, which is its choice');
    },
  },
];
