import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { default: config } = (await import(join(ROOT, '.dependency-cruiser.mjs'))) as {
  default: { forbidden: IForbiddenRuleType[]; options: object };
};
const rules = config.forbidden;

/** One line per rule, and per alternative inside a rule. */
const PLANTED: readonly (readonly [rule: string, file: string, imports: string])[] = [
  ['everything-resolves', 'packages/llm/src/p0.ts', './nowhere.js'],
  ['no-cycles', 'packages/llm/src/p1.ts', './p1b.js'],
  ['packages-never-import-apps', 'packages/llm/src/p2.ts', '../../../apps/cli/src/core/empty.js'],
  ['apps-never-import-apps', 'apps/gateway/src/core/p3.ts', '../../../cli/src/core/empty.js'],
  ['protocol-imports-leftwards', 'packages/protocol/src/p4.ts', '../../llm/src/index.js'],
  ['clock-imports-leftwards', 'packages/clock/src/p4b.ts', '../../llm/src/index.js'],
  ['tracing-imports-leftwards', 'packages/tracing/src/p4d.ts', '../../llm/src/index.js'],
  ['egress-imports-leftwards', 'packages/egress/src/p4c.ts', '../../llm/src/index.js'],
  ['llm-imports-leftwards', 'packages/llm/src/p5.ts', '../../tools/src/index.js'],
  ['tools-imports-leftwards', 'packages/tools/src/p6.ts', '../../workspace/src/index.js'],
  ['mcp-imports-leftwards', 'packages/mcp/src/p6c.ts', '../../workspace/src/index.js'],
  ['config-file-imports-leftwards', 'packages/config-file/src/p6c.ts', '../../workspace/src/index.js'],
  ['grammars-imports-leftwards', 'packages/grammars/src/p6c.ts', '../../code-index/src/index.js'],
  ['code-index-imports-leftwards', 'packages/code-index/src/p6d.ts', '../../workspace/src/index.js'],
  ['web-imports-leftwards', 'packages/web/src/p6e.ts', '../../workspace/src/index.js'],
  ['vocabularies-imports-leftwards', 'packages/vocabularies/src/p6b.ts', '../../workspace/src/index.js'],
  ['workspace-imports-leftwards', 'packages/workspace/src/p7.ts', '../../client/src/index.js'],
  ['conformance-imports-leftwards', 'packages/conformance/src/p7b.ts', '../../client/src/index.js'],
  ['client-imports-leftwards', 'packages/client/src/p8.ts', '../../bus/src/index.js'],
  ['ui-imports-leftwards', 'packages/ui/src/p8b.ts', '../../bus/src/index.js'],
  ['bus-imports-leftwards', 'packages/bus/src/p9.ts', '../../service-shell/src/index.js'],
  ['auth-imports-leftwards', 'packages/auth/src/p9b.ts', '../../service-shell/src/index.js'],
  ['service-shell-imports-leftwards', 'packages/service-shell/src/p10.ts', '../../testkit/src/index.js'],
  ['testkit-imports-leftwards', 'packages/testkit/src/p10b.ts', '../../chaos/src/index.js'],
  ['protocol-runs-anywhere', 'packages/protocol/src/p11.ts', 'node:fs'],
  ['view-runs-anywhere', 'packages/client/src/view/p11b.ts', 'node:fs'],
  ['ui-runs-in-browsers', 'packages/ui/src/p11c.ts', 'node:fs'],
  ['observer-runs-anywhere', 'packages/client/src/observer/p11c.ts', 'node:fs'],
  ['observer-runs-anywhere', 'packages/client/src/observer/p11d.ts', '../inner.js'],
  ['packages-have-a-front-door', 'apps/cli/src/core/p12.ts', '../../../../packages/llm/src/inner.js'],
  ['packages-have-a-front-door', 'packages/client/src/p13.ts', '../../workspace/src/inner.js'],
  ['core-is-plain', 'apps/cli/src/core/p14.ts', '../edge/empty.js'],
  ['core-is-plain', 'apps/cli/src/core/p15.ts', 'ws'],
  ['core-is-plain', 'apps/cli/src/core/p16.ts', 'node:process'],
  ['core-is-plain', 'apps/gateway/src/core/p17.ts', '../../../../packages/bus/src/redis/index.js'],
  ['core-is-plain', 'apps/gateway/src/core/p18.ts', '../../../../packages/service-shell/src/index.js'],
  ['core-is-plain', 'apps/gateway/src/core/p19.ts', '@nestjs/common'],
  ['nest-stays-at-the-edge', 'packages/bus/src/p20.ts', '@nestjs/common'],
  ['vscode-stays-at-the-edge', 'apps/vscode/src/core/p20b.ts', 'vscode'],
  ['redis-stays-in-bus', 'apps/gateway/src/edge/p21.ts', 'ioredis'],
  ['redis-stays-in-bus', 'packages/client/src/p22.ts', 'bullmq'],
  ['redis-stays-in-bus', 'packages/chaos/src/run/p22b.ts', 'ioredis'],
  ['testkit-is-for-tests', 'apps/gateway/src/core/p23.ts', '../../../../packages/testkit/src/index.js'],
];

const PACKAGES = [
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
];
const FILLERS = [
  ...PACKAGES.flatMap((name) => [`packages/${name}/src/index.ts`, `packages/${name}/src/inner.ts`]),
  'packages/bus/src/redis/index.ts',
  'apps/cli/src/core/empty.ts',
  'apps/cli/src/edge/empty.ts',
];

let tree: string;
let fired: { name: string; file: string }[];

const write = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(join(tree, file)), { recursive: true });
  await writeFile(join(tree, file), text);
};

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'codelab-rules-'));
  for (const file of FILLERS) await write(file, 'export {};\n');
  for (const name of ['ws', '@nestjs/common', 'ioredis', 'bullmq']) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    await write(`node_modules/${name}/index.js`, '');
  }
  for (const [, file, imports] of PLANTED) await write(file, `import '${imports}';\n`);
  await write('packages/llm/src/p1b.ts', "import './p1.js';\n");
  await write('tsconfig.json', JSON.stringify({ compilerOptions: { module: 'NodeNext', moduleResolution: 'NodeNext' } }));
  await symlink(join(ROOT, 'node_modules/typescript'), join(tree, 'node_modules/typescript'));
  const { tsConfig: _, ...options } = config.options as { tsConfig: unknown };
  const reply = await cruise(['packages', 'apps'], { ...options, baseDir: tree, ruleSet: { forbidden: rules }, validate: true });
  fired = (reply.output as ICruiseResult).summary.violations.map(({ rule, from }) => ({ name: rule.name, file: from }));
});

afterAll(() => rm(tree, { recursive: true, force: true }));

test('every rule has a planted violation', () => {
  expect(new Set(PLANTED.map(([name]) => name))).toEqual(new Set(rules.map(({ name }) => name)));
});

test.each(PLANTED)('%s fires for %s', (name, file) => {
  expect(fired).toContainEqual({ name, file });
});
