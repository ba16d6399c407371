import type { WorkspaceEnvironment } from '@codelab/protocol';
import { block } from './quote-block.js';

type Known = WorkspaceEnvironment | undefined;

const named = (name: string, value: string | undefined): string[] => (value === undefined || value === '' ? [] : [`${name}: ${value}`]);

const listed = (name: string, value: string | undefined): string[] =>
  value === undefined || value === '' ? [] : [`${name}:`, ...value.split('\n').map((line) => `  ${line}`)];

/** What of an environment lasts, a fact in each line: a change of it is told. `place` stands for one that nobody describes. */
export const lastingFacts = (environment: Known, place: string): readonly string[] =>
  environment === undefined
    ? [place].filter((line) => line !== '')
    : [
        ...named('Workspace', environment.root),
        ...named('Operating system', environment.os),
        ...named('Shell', environment.shell),
        ...named('Git branch', environment.branch),
        ...named('Package manager', environment.package_manager),
        ...named('Tests', environment.test_command),
      ];

/** The environment as it was when the session began, with what passes. */
export const renderEnvironment = (environment: Known, { place, date }: { readonly place: string; readonly date: string }): string =>
  block(
    'environment',
    {},
    [
      `Date: ${date} (UTC)`,
      ...lastingFacts(environment, place),
      ...listed('Git status', environment?.git_status),
      ...listed('Last commits', environment?.commits),
      ...listed('Top of the tree', environment?.tree),
    ].join('\n'),
  );
