import { findChromium } from './scripts/find-chromium.mjs';

// One place looks for it; the workers of jest inherit the variable.
process.env.CODELAB_CHROMIUM ??= findChromium() ?? '';

/** One configuration for every layer; `scripts/run-tests.mjs` picks a layer by file name. */
export default {
  testEnvironment: '<rootDir>/scripts/test-environment.mjs',
  testMatch: ['<rootDir>/{packages,apps,tests,bench}/**/*.test.{ts,tsx}'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  testEnvironmentOptions: { customExportConditions: ['codelab-source', 'node', 'node-addons'] },
  transform: { '^.+\\.tsx?$': ['@swc/jest'] },
  testTimeout: 60_000,
};
