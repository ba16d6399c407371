import { defineConfig } from 'vitest/config';
import { findChromium } from './scripts/find-chromium.mjs';
import { findCodeServer } from './scripts/find-code-server.mjs';
import { SlowFilesFirst } from './scripts/slow-files-first.mjs';

// One place looks for them; the workers inherit the variables.
process.env.CODELAB_CHROMIUM ??= findChromium() ?? '';
process.env.CODELAB_CODE_SERVER ??= findCodeServer() ?? '';

/** Packages of ours are tested as their sources. */
const conditions = ['codelab-source', 'node'];

/** A layer of tests, by the names of its files. */
const layer = (name, include, exclude = []) => ({
  extends: true,
  test: { name, include, exclude: ['**/node_modules/**', '**/dist/**', ...exclude] },
});
const TESTS = '{packages,apps,tests,bench}/**/*';
const KINDS = ['int', 'e2e', 'browser', 'ide'].map((kind) => `${TESTS}.${kind}.test.ts`);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    isolate: false, // files in one worker share what they import: to load all of it anew for each of them took most of the time
    setupFiles: ['packages/testkit/src/setup/leave-as-found.ts'],
    sequence: { sequencer: SlowFilesFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      layer('freshness', ['tests/architecture/**/*.test.ts']),
      layer('unit', [`${TESTS}.test.{ts,tsx}`], ['tests/architecture/**', ...KINDS]),
      layer('integration', [KINDS[0]]),
      layer('e2e', [KINDS[1]]),
      layer('browser', [KINDS[2]]),
      layer('ide', [KINDS[3]]),
      ...(process.argv.includes('canary') ? [layer('canary', ['packages/*/test/*.canary.ts'])] : []), // takes minutes: only where it is named
    ],
  },
});
