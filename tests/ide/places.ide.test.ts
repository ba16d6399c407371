import { test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { PLACES_PLANS, passThroughPlaces } from '../browser/pass-through-places.js';
import { signIn } from '../browser/use-console.js';
import { useEditor } from './use-editor.js';

const used = useEditor(PLACES_PLANS);

test(
  verifies(
    'R4:places',
    'one session is begun in VS Code, approved in the console, continued in a terminal, and read again in VS Code: nothing is done twice or lost',
  ),
  async () => {
    const editor = await used.open();
    await editor.run('CodeLab: Open the Chat');
    await passThroughPlaces({
      services: used,
      openApprovals: async () => {
        const page = await used.page(`${used.system.gateways[0]!.url}/approvals`);
        await signIn(page, used.system.token);
        return page;
      },
      place: {
        say: async (message) => {
          await editor.say(message);
          await editor.asked();
        },
        shows: (words) => editor.shows(words),
        leave: async () => {
          await editor.leave();
          return { isLocal: true, argv: ['--continue'] };
        },
      },
    });
    await editor.load();
    await editor.run('CodeLab: Open the Chat');
    await editor.shows('The rest is there, too.');
    await editor.picture('again');
  },
  300_000,
);
