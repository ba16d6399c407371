import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startChat, type ChatStart } from '../e2e/start-chat.js';
import type { Plans, UsedServices } from '../e2e/use-services.js';

/** What the model does in {@link passThroughPlaces}. */
export const PLACES_PLANS: Plans = {
  'write the notes': [
    { calls: [{ tool: 'write_file', args: { path: 'notes.txt', content: 'from the editor\n' } }] },
    { text: 'The notes are written.' },
  ],
  'add the rest': [
    { calls: [{ tool: 'write_file', args: { path: 'rest.txt', content: 'from the terminal\n' } }] },
    { text: 'The rest is there, too.' },
  ],
};

/** An editor in which a session begins. */
export interface Place {
  /** Begins a session with a message. */
  say(message: string): Promise<void>;
  /** Waits until these words of the model are shown in it. */
  shows(words: string): Promise<void>;
  /** Closes it. Answers how a terminal goes on with its session. */
  leave(): Promise<Omit<ChatStart, 'root'>>;
}

interface Stage {
  readonly services: Pick<UsedServices, 'system' | 'model' | 'repository'>;
  readonly place: Place;
  /** Opens the approvals of the console, signed in. */
  readonly openApprovals: () => Promise<Page>;
  /** The session in the console, where that is looked at beside the terminal. */
  readonly consoleUrl?: () => string;
}

/** One session is begun in an editor, approved in the console and continued in a terminal. Fails if anything is done too early, twice or not at all. */
export async function passThroughPlaces({ services, place, openApprovals, consoleUrl }: Stage): Promise<void> {
  const { system, model, repository } = services;
  const fileOf = (name: string): Promise<string> => readFile(join(repository.root, name), 'utf8');
  await place.say('write the notes');
  const page = await openApprovals();
  const asked = page.getByRole('article', { name: 'write_file in write the notes' });
  await asked.locator('[data-armed]').waitFor();
  expect(await fileOf('notes.txt')).toBe('zero\n');
  await asked.getByRole('button', { name: 'Approve', exact: true }).click();
  await place.shows('The notes are written.');
  expect(await fileOf('notes.txt')).toBe('from the editor\n');

  const chat = await startChat(system, { root: repository.root, ...(await place.leave()) });
  try {
    await chat.shows('The notes are written.');
    if (consoleUrl !== undefined) await page.goto(consoleUrl());
    chat.say('add the rest');
    await chat.decide(/rest\.txt/, 'a');
    await chat.shows('The rest is there, too.');
    await chat.rests();
    if (consoleUrl !== undefined) await page.getByLabel('Conversation').getByText('The rest is there, too.').first().waitFor();
  } finally {
    await chat.close();
  }
  expect(await fileOf('rest.txt')).toBe('from the terminal\n');
  const said = JSON.stringify(model.requests.at(-1)!.body.messages);
  for (const words of ['write the notes', 'The notes are written.', 'add the rest']) expect(said).toContain(words);
  expect((await repository.git('status', '--porcelain')).trim().split('\n').sort()).toEqual(['?? rest.txt', 'M notes.txt']);
}
