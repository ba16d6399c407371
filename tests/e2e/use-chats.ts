import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { ScriptedProvider } from '@codelab/testkit';
import { makeRepository, type Repository } from './make-repository.js';
import { startPlannedModel, type Planned } from './planned-model.js';
import { startChat, type Chat, type ChatStart } from './start-chat.js';
import { startSystem, type System } from './start-system.js';

/** What the model does, by words of the message. */
export type Plans = Readonly<Record<string, readonly Planned[]>>;

export interface Chats {
  readonly system: System;
  readonly model: ScriptedProvider;
  /** A new one for each test. */
  readonly repository: Repository;
  /** Opens a chat in the repository; it is closed behind the test. */
  readonly open: (options?: Partial<ChatStart>) => Promise<Chat>;
}

/**
 * The services with a model that follows plans, for all tests of a file, and a repository for each.
 * @param extra files of the repository, beside those that each one has
 */
export function useChats(plans: Plans, extra: Readonly<Record<string, string>> = { 'notes.txt': 'zero\n' }): Chats {
  let model: ScriptedProvider;
  let system: System;
  let repository: Repository;
  let chats: Chat[] = [];

  beforeAll(async () => {
    model = await startPlannedModel(plans);
    system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
  }, 60_000);
  afterAll(async () => {
    await system.stop();
    await model.close();
  });
  beforeEach(async () => {
    repository = await makeRepository({ extra });
  });
  afterEach(async () => {
    await Promise.all(chats.map((chat) => chat.close()));
    chats = [];
    await repository.remove();
  });

  return {
    get system() {
      return system;
    },
    get model() {
      return model;
    },
    get repository() {
      return repository;
    },
    open: async (options = {}) => {
      const chat = await startChat(system, { root: repository.root, ...options });
      chats.push(chat);
      return chat;
    },
  };
}
