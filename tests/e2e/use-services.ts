import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { ScriptedProvider } from '@codelab/testkit';
import { makeRepository, type Repository } from './make-repository.js';
import { startPlannedModel, type Planned } from './planned-model.js';
import { startSystem, type System } from './start-system.js';

/** What the model does, by words of the message. */
export type Plans = Readonly<Record<string, readonly Planned[]>>;

/** The services, and where people work with them. */
export interface UsedServices {
  readonly system: System;
  readonly model: ScriptedProvider;
  /** A new one for each test. */
  readonly repository: Repository;
  /** Does this behind the test that runs, before its repository goes. */
  after(work: () => Promise<unknown>): void;
}

export interface ServicesOptions {
  /** Of the repository, beside those that each one has. */
  readonly files?: Readonly<Record<string, string>>;
  /** For the services, asked for before they start. `modelUrl`: where the model with plans is. */
  readonly env?: (modelUrl: string) => Promise<NodeJS.ProcessEnv>;
}

/** The services with a model that follows plans, for all tests of a file, and a repository for each. */
export function useServices(plans: Plans, { files = { 'notes.txt': 'zero\n' }, env }: ServicesOptions = {}): UsedServices {
  let model: ScriptedProvider;
  let system: System;
  let repository: Repository;
  let works: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    model = await startPlannedModel(plans);
    const more = await env?.(model.baseUrl);
    system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test', ...more } });
  }, 60_000);
  afterAll(async () => {
    await system.stop();
    await model.close();
  });
  beforeEach(async () => {
    repository = await makeRepository({ extra: files });
  });
  afterEach(async () => {
    await Promise.all(works.map((work) => work()));
    works = [];
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
    after: (work) => void works.push(work),
  };
}
