/** What may import what. Each rule is proven by a planted violation: tests/architecture/import-rules.test.ts. */
const rule = (name, from, to) => ({ name, severity: 'error', from, to });
const ORDER = [
  'protocol',
  'clock',
  'tracing',
  'egress',
  'llm',
  'tools',
  'mcp',
  'web',
  'config-file',
  'grammars',
  'code-index',
  'vocabularies',
  'workspace',
  'conformance',
  'client',
  'ui',
  'bus',
  'auth',
  'service-shell',
  'testkit',
  'chaos',
]; // a package imports leftwards only
const TEST = '[.]test[.]tsx?$';
const CORE = '^apps/[^/]+/src/core/';
export default {
  forbidden: [
    rule('everything-resolves', {}, { couldNotResolve: true, pathNot: '^vscode$' }), // what doesn't resolve is invisible to the rules below
    rule('no-cycles', {}, { circular: true }),
    rule('packages-never-import-apps', { path: '^packages/' }, { path: '^apps/' }),
    rule('apps-never-import-apps', { path: '^apps/([^/]+)/' }, { path: '^apps/', pathNot: '^apps/$1/' }),
    ...ORDER.slice(0, -1).map((name, i) =>
      rule(
        `${name}-imports-leftwards`,
        { path: `^packages/${name}/src/`, pathNot: TEST },
        { path: ORDER.slice(i + 1).map((right) => `^packages/${right}/`) },
      ),
    ),
    rule('protocol-runs-anywhere', { path: '^packages/protocol/src/', pathNot: TEST }, { dependencyTypes: ['core'] }), // no Node built-in
    rule(
      'view-runs-anywhere', // a web console renders it, too
      { path: '^packages/client/src/view/', pathNot: TEST },
      { pathNot: ['^packages/(client/src/view|protocol/src)/', '^packages/client/src/approvals/approval-request[.]ts$'] },
    ),
    rule('ui-runs-in-browsers', { path: '^packages/ui/src/', pathNot: TEST }, { dependencyTypes: ['core'] }),
    rule(
      'observer-runs-anywhere', // pages and extension hosts bundle it: nothing that it reaches may need Node
      { path: '^packages/client/src/observer/', pathNot: TEST },
      {
        reachable: true,
        pathNot: [
          '^packages/client/src/(observer|view)/',
          '^packages/client/src/connection/(backoff|build-hello|connection|connection-state|decide-after-close|heard-mode|link|log-position|read-pacer|socket)[.]ts$',
          '^packages/client/src/requests/(match-answer|pending-requests|random-id|session-requests)[.]ts$',
          '^packages/client/src/(client-errors|approvals/approval-request)[.]ts$',
          '^packages/(protocol|clock)/src/',
          'node_modules/class-validator/', // the only one of protocol
        ],
      },
    ),
    rule(
      'packages-have-a-front-door',
      { path: '^(packages/[^/]+|apps/[^/]+|tests)/' },
      {
        path: '^packages/',
        pathNot: [
          '^packages/[^/]+/src/index[.]tsx?$',
          '^packages/ui/src/styles/index[.]css$',
          '^packages/(bus/src/redis|client/src/(view|mcp|observer|local-stack)|tools/src/(patch|human)|testkit/src/browser|ui/src/port|tracing/src/otel)/index[.]ts$',
          '^$1/',
        ],
      },
    ),
    rule(
      'core-is-plain',
      { path: CORE },
      { path: ['^apps/[^/]+/src/edge/', '^packages/(bus/src/redis|service-shell)/', 'node_modules/(@nestjs|ws)/', '^(node:)?process$'] },
    ),
    rule('nest-stays-at-the-edge', { pathNot: ['^apps/[^/]+/src/edge/', '^packages/service-shell/'] }, { path: 'node_modules/@nestjs/' }),
    rule(
      'vscode-stays-at-the-edge',
      { pathNot: ['^apps/vscode/src/edge/', '/__fixtures__/'] },
      { path: '^vscode$|node_modules/@types/vscode/' },
    ),
    rule(
      'redis-stays-in-bus',
      { pathNot: '^packages/(bus/(src/redis|test)|testkit|chaos/src/redis)/' },
      { path: 'node_modules/(ioredis|bullmq)/' },
    ),
    rule(
      'testkit-is-for-tests',
      { pathNot: [TEST, '^(tests|packages/(testkit|chaos)|(packages|apps)/[^/]+/test)/', '/__fixtures__/'] },
      { path: '^packages/testkit/' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['codelab-source', 'import', 'node', 'default'] },
  },
};
