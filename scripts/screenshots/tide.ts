import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlannedModel, type Planned } from '../../tests/e2e/planned-model.js';
import { startSystem, type System } from '../../tests/e2e/start-system.js';

/** What is asked of the model. */
export const REQUEST = 'Tell when the tide is late';

const FILES = {
  'AGENTS.md': 'Run `node --test` before you say that it works.\n',
  'package.json': '{ "name": "tide", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/tide.js': 'export function describe(tide) {\n  return `High water at ${tide.time}`;\n}\n',
  'test/tide.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { describe } from '../src/tide.js';\n\n" +
    "test('says when it is late', () => assert.match(describe({ time: '14:30', late: true }), /late/));\n",
};

const todos = (...states: readonly string[]) => ({
  tool: 'TodoWrite',
  args: {
    todos: ['Look at how a tide is described', 'Say when it is late', 'Run the tests'].map((content, n) => ({
      ...{ content, status: states[n], activeForm: content },
    })),
  },
});

const PLAN: readonly Planned[] = [
  {
    text: 'I look at how tides are described first.',
    calls: [todos('in_progress', 'pending', 'pending'), { tool: 'Read', args: { file_path: 'src/tide.js' } }],
  },
  {
    calls: [
      todos('completed', 'in_progress', 'pending'),
      {
        tool: 'Edit',
        args: {
          file_path: 'src/tide.js',
          old_string: '  return `High water at ${tide.time}`;',
          new_string: "  const late = tide.late ? ', later than predicted' : '';\n  return `High water at ${tide.time}${late}`;",
        },
      },
    ],
  },
  {
    calls: [todos('completed', 'completed', 'in_progress'), { tool: 'Bash', args: { command: 'npm test', description: 'Run the tests' } }],
  },
  { text: 'A tide that is late now says so. The test for it passes.', calls: [todos('completed', 'completed', 'completed')] },
  { text: '`describe` adds **later than predicted** to a tide that is late; `npm test` passes.' },
];

/** A system with a repository and a model that knows one story, for pictures. */
export interface Tide {
  readonly system: System;
  /** The repository. */
  readonly root: string;
  stop(): Promise<void>;
}

export async function startTide(): Promise<Tide> {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-shots-'));
  const root = join(folder, 'tide');
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const git = (...argv: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=tide', '-c', 'user.email=tide@localhost', ...argv], { cwd: root });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const model = await startPlannedModel({ [REQUEST]: PLAN });
  const system = await startSystem({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'qwen3-coder', CODELAB_VOCABULARY: 'claude-code' },
  });
  return {
    system,
    root,
    stop: async () => {
      await system.stop();
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
