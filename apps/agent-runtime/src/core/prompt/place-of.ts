import type { SessionFacts } from '../session/session-facts.js';

/** What `hello.workspace` says of a workspace, '' where there is none. */
export const placeOf = ({ workspace }: Pick<SessionFacts, 'workspace'>): string => {
  if (workspace === undefined) return '';
  const { name, branch } = workspace;
  return `The workspace is called ${JSON.stringify(name)}${branch === undefined ? '' : `, on the branch ${JSON.stringify(branch)}`}.`;
};
