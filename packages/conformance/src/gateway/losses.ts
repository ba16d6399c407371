import { randomUUID } from 'node:crypto';
import { demand } from '../check.js';
import { about, show } from '../wire/frame.js';
import type { GatewayStage, Joined } from './gateway-stage.js';

/** How the answer to a frame gets lost, and how the client comes back: it says what it has read. */
export interface Loss {
  readonly lose: (stage: GatewayStage, client: Joined) => Promise<void>;
  readonly comeBack: (stage: GatewayStage, options: JoinOptions) => Promise<Joined>;
}
type JoinOptions = NonNullable<Parameters<GatewayStage['join']>[0]>;

/** The connection is lost, as by a network. */
export const CUT: Loss = { lose: (_stage, { wire }) => wire.cut(), comeBack: (stage, options) => stage.join(options) };

/** The gateway is killed. */
export const KILLED: Loss = {
  lose: async (stage, { wire }) => {
    await stage.command('kill');
    await wire.ended;
  },
  comeBack: (stage, options) => stage.joinAgain(options),
};

/** A message whose answer was lost is sent again, and counts once. */
export async function messageCountsOnce(stage: GatewayStage, { lose, comeBack }: Loss): Promise<void> {
  const first = await stage.join();
  const message = { type: 'user_message', message_id: randomUUID(), content: 'read a.txt' };
  await first.wire.sent(message);
  await lose(stage, first);
  const { clientId, welcome } = first;
  const { wire } = await comeBack(stage, { clientId, resume: { epoch: welcome['epoch'], seq: welcome['seq'] } });
  wire.send(message);
  await wire.next('message_accepted', about('message_accepted'));
  const call = await stage.called(wire, 'read_file');
  await stage.answer(wire, call);
  await stage.ended(wire);
  await wire.hearsNo('a second turn', (frame) => about('tool_call')(frame) && frame['call_id'] !== call['call_id']);
}

/** A result whose answer was lost is sent again, and counts once. */
export async function resultCountsOnce(stage: GatewayStage, { lose, comeBack }: Loss): Promise<void> {
  const first = await stage.join();
  const call = await stage.call(first.wire, 'read a.txt', 'read_file');
  const { call_id, fence } = call;
  await first.wire.sent({ type: 'tool_result', call_id, fence, result: { content: 'alpha\n', encoding: 'utf-8' } });
  await lose(stage, first);
  const { clientId, welcome } = first;
  const { wire } = await comeBack(stage, { clientId, resume: { epoch: welcome['epoch'], seq: call['seq'] } });
  const ack = await stage.answer(wire, call);
  demand(['accepted', 'duplicate'].includes(String(ack['outcome'])), show(ack));
  const ended = await stage.ended(wire);
  demand(ended['status'] === 'completed', `the turn ended as ${show(ended)}`);
}
