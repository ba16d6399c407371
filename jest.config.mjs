/** One configuration for every layer; `scripts/run-tests.mjs` picks a layer by file name. */
export default {
  testMatch: ['<rootDir>/{packages,apps,tests,bench}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  testEnvironmentOptions: { customExportConditions: ['codelab-source', 'node', 'node-addons'] },
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  testTimeout: 60_000,
};
