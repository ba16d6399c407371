import { demand, type Check } from '../../check.js';
import { PATIENCE } from '../../patience.js';
import { demandResult } from '../scripted-session.js';
import type { ClientStage } from '../client-stage.js';

const BACK = [4000, 4001, 4002, 4003, 4123, 4401, 4499, 1011] as const;
const AWAY = [4500, 4501, 4502, 4504, 4999, 1000] as const;

/** Who comes back, and who doesn't. */
export const END_CHECKS: readonly Check<ClientStage>[] = [
  {
    id: 'end.come-back',
    says: `comes back with resume after the codes ${BACK.join(', ')}, and after a cut`,
    section: 'connecting.md#ends',
    run: async (stage) => {
      await stage.begin();
      const { session } = stage;
      for (const code of [...BACK, 'cut'] as const) {
        if (code === 'cut') session.peer.cut();
        else session.peer.close(code);
        await stage.rejoin();
        const { resume } = stage;
        demand(resume.epoch === session.epoch, `after ${String(code)} the client came back without resume`);
      }
    },
  },
  ...AWAY.map((code) => ({
    id: `end.stay-away-${String(code)}`,
    says: `does not come back after ${String(code)}`,
    section: 'connecting.md#ends',
    run: async (stage: ClientStage) => {
      await stage.begin();
      stage.session.peer.close(code);
      const again = await stage.server.maybeNext(PATIENCE.awayMs);
      demand(again === undefined, `the client connected again after the close code ${String(code)}`);
    },
  })),
  {
    id: 'end.drain',
    says: 'goes on after drain, and connects again after its time with resume',
    section: 'connecting.md#ends',
    run: async (stage) => {
      await stage.begin(['write_file']);
      const { session } = stage;
      session.peer.send({ type: 'drain', retry_after_ms: 3_000 });
      const call = session.offer('write_file', { args: { path: 'a.txt', content: 'one\n' } });
      demandResult(await session.result(call));
      const { peer } = session;
      await stage.rejoin();
      const { resume } = stage;
      demand(resume.epoch === session.epoch && resume.seq === session.seq, `resume is ${JSON.stringify(resume)}`);
      peer.close(4000);
    },
  },
];
