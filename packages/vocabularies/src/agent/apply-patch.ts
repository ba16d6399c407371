import { formatPatch } from '@codelab/tools';
import { planPatch, type PlannedPatch } from '../edits/patch/plan-patch.js';
import { PatchRefused, type PatchOperation } from '../edits/patch/patch-parts.js';
import { sourcesOf } from '../edits/patch/patched-files.js';
import { readPatch } from '../edits/patch/read-patch.js';
import { canonicalError } from '../table/composite.js';
import { defineRow, type Next, type Outcome } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { UseContext } from '../table/use-context.js';

interface PatchArgs {
  readonly patch: string;
}

/**
 * `apply_patch`: a patch as models write it; read, placed in the files as they are, and given to the client as one correct diff.
 */
export const applyPatch = defineRow<PatchArgs>({
  name: 'apply_patch',
  displayName: 'Apply patch',
  description:
    'Changes several places or files at once, all or nothing; for one place take edit_file. Takes a unified diff, or "*** Begin Patch", "*** Update ' +
    'File: path", "@@ line above", lines that begin with " ", "-" or "+", "*** End Patch" (also "*** Add File:", "*** Delete File:", "*** Move to:"). ' +
    'Line numbers and counts may be missing; the lines must be those of the file, with enough of them around each change to have one place only.',
  parameters: takes(['patch'], {
    patch: {
      type: 'string',
      minLength: 1,
      description: 'Example: "*** Begin Patch\\n*** Update File: src/a.ts\\n@@\\n-old\\n+new\\n*** End Patch".',
    },
  }),
  argumentAliases: { diff: 'patch', input: 'patch' },
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'apply_patch'],
  stands: 'apply_patch',
  files: ({ patch }, context) => filesOf(patch, context),
  next: ({ patch }, outcomes, context) => {
    try {
      return nextOf(resolved(readPatch(patch), context), outcomes);
    } catch (error) {
      if (!(error instanceof PatchRefused)) throw error;
      return { text: `Error: ${error.message}`, isError: true };
    }
  },
});

const filesOf = (patch: string, context: UseContext): readonly string[] => {
  try {
    return resolved(readPatch(patch), context).flatMap((operation) =>
      operation.kind === 'move' ? [operation.path, operation.to] : [operation.path],
    );
  } catch (error) {
    if (error instanceof PatchRefused) return [];
    throw error;
  }
};

/** The operations with paths of the workspace. */
function resolved(operations: readonly PatchOperation[], context: UseContext): readonly PatchOperation[] {
  const pathOf = (given: string): string => {
    const to = context.toPath(given);
    if (!to.ok) throw new PatchRefused(to.message.replace(/^Error: ?/, ''));
    return to.path;
  };
  return operations.map((operation) => ({
    ...operation,
    path: pathOf(operation.path),
    ...(operation.kind === 'move' && { to: pathOf(operation.to) }),
  }));
}

function nextOf(operations: readonly PatchOperation[], outcomes: readonly Outcome[]): Next {
  const paths = sourcesOf(operations);
  const reads = outcomes.filter(({ tool }) => tool === 'read_file');
  if (reads.length < paths.length) return { calls: paths.map((path) => ({ tool: 'read_file', args: { path } })) };
  const texts = new Map<string, string>();
  for (const [index, path] of paths.entries()) texts.set(path, textOf(path, reads[index]!));
  const planned = planPatch(operations, texts);
  const last = outcomes.at(-1);
  if (last?.tool !== 'apply_patch') return { call: { tool: 'apply_patch', args: { diff: formatPatch(planned.patch), allow_dirty: true } } };
  if (!last.ok) return { text: canonicalError(last.code, last.message), isError: true };
  return {
    text:
      last.edited === undefined ? report(planned) : `${report(planned)}\nThe user changed the patch before it was applied: read the files.`,
  };
}

function textOf(path: string, outcome: Outcome): string {
  if (outcome.ok) {
    const { content } = outcome.result;
    if (typeof content === 'string') return content;
    throw new PatchRefused(`${path} is not text`);
  }
  if (outcome.code === 'FILE_NOT_FOUND')
    throw new PatchRefused(`no file at ${path}; nothing was changed. "*** Add File:" or "--- /dev/null" makes one.`);
  throw new PatchRefused(`${path}: ${outcome.code}: ${outcome.message}`);
}

/** Lines of changes that are shown. */
const MAX_SHOWN = 40;

const report = ({ files, tolerated }: PlannedPatch): string => {
  const shown = files.flatMap(({ path, verb, added, deleted, lines }) => [
    `${verb} ${path} (+${String(added)} -${String(deleted)} lines)`,
    ...lines,
  ]);
  const cut = shown.length > MAX_SHOWN ? [`[${String(shown.length - MAX_SHOWN)} more lines]`] : [];
  return [...shown.slice(0, MAX_SHOWN), ...cut, ...tolerated].join('\n');
};
