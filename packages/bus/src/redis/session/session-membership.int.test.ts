import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { newId } from '../../new-id.js';
import { sessionRef } from '../../session-ref.js';
import { useBus } from '../../../test/bus-fixture.js';

const fixture = useBus();

/** What an IDE says of itself, with the mode that it has heard of last. */
const CLIENT = { clientId: 'ide', tools: '["write_file"]', protocolVersion: '2.0', mode: 'strict' } as const;

test(verifies('H2:mode-anew', 'a session that the store lost begins anew with the mode that its client has heard of last'), async () => {
  const { store } = fixture.bus;
  const ref = sessionRef({ tenant: 'acme', sub: 'ann' }, newId('ses'));
  const meta = await store.join(ref, { ...CLIENT, seen: { epoch: 'that of the lost one', seq: 7 } }, { create: true });
  expect(meta).toMatchObject({ mode: 'strict' });
});

test(
  verifies('H2:mode-anew', 'a session that is there keeps its mode when a client goes on; who comes without a position chooses one'),
  async () => {
    const { store } = fixture.bus;
    const session = await fixture.session();
    await store.patch(session.ref, { mode: 'plan' });
    const { epoch, seq } = (await store.readMeta(session.ref))!;
    for (const seen of [
      { epoch, seq },
      { epoch: 'another', seq },
    ])
      expect(await store.join(session.ref, { ...CLIENT, seen }, { create: true })).toMatchObject({ mode: 'plan' });
    // A client that starts has a journal and no position.
    expect(await store.join(session.ref, { ...CLIENT, seen: { epoch: 'none', seq: 0 } }, { create: true })).toMatchObject({
      mode: 'strict',
    });
    await store.patch(session.ref, { mode: 'plan' });
    expect(await store.join(session.ref, CLIENT, { create: true })).toMatchObject({ mode: 'strict' });
  },
);
