import { readKnowledge } from '@codelab/tools';
import type { PromptParts } from './system-prompt.js';

/** A workspace like many, for the pages that show the prompts, and for tests that weigh them. */
export const SAMPLE: Omit<PromptParts, 'agent' | 'etiquette'> = {
  family: 'other',
  hasTools: true,
  place: '',
  date: '2026-11-23',
  knowledge: readKnowledge(
    JSON.stringify({
      environment: {
        os: 'Linux 6.8.0',
        shell: '/bin/bash',
        root: '/home/dev/app',
        branch: 'main',
        git_status: ' M src/server.ts\n?? notes.txt',
        commits: 'a1b2c3d Answer HEAD requests\nd4e5f6a Add the server',
        tree: 'package.json\npnpm-lock.yaml\nsrc/: config.ts, routes/, server.ts\ntest/: server.test.ts',
        package_manager: 'pnpm',
        test_command: 'pnpm test',
      },
      files: [
        { path: 'AGENTS.md', scope: 'user', bytes: 22, content: 'I read German, too.\n' },
        { path: 'AGENTS.md', scope: 'workspace', bytes: 45, content: 'Tabs, no semicolons.\nRun `pnpm lint`, too.\n' },
        {
          ...{ path: '.codelab/rules/release.md', scope: 'workspace', bytes: 75 },
          content: '---\nname: Release\ndescription: How a release is made\nalwaysApply: false\n---\nTag it.\n',
        },
      ],
    }),
  ),
};
