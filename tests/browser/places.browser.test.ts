import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { startEditor } from '../e2e/start-editor.js';
import { agentOf } from '../e2e/use-editors.js';
import { PLACES_PLANS, passThroughPlaces } from './pass-through-places.js';
import { useConsole } from './use-console.js';

const used = useConsole(PLACES_PLANS);

// The same story with VS Code itself is tests/ide/places.ide.test.ts: here any editor that speaks ACP stands in its place.
test(
  verifies(
    'R4:places-acp',
    'one session is begun in an editor by ACP, approved in the console and continued in a terminal; each write is done once',
  ),
  async () => {
    const editor = await startEditor({ root: used.repository.root, ...agentOf(used.system) });
    const { sessionId } = await editor.open();
    let turn: Promise<unknown>;
    await passThroughPlaces({
      services: used,
      openApprovals: () => used.open('/approvals'),
      consoleUrl: () => `${used.url}/sessions/${sessionId}`,
      place: {
        say: async (message) => void (turn = editor.prompt(sessionId, message)),
        shows: async (words) => {
          expect(await turn).toMatchObject({ stopReason: 'end_turn' });
          expect(editor.said(sessionId)).toContain(words);
        },
        leave: async () => {
          await editor.close();
          return { argv: ['--session', sessionId] };
        },
      },
    });
  },
);
