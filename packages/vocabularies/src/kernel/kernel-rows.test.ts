import { expect, test } from 'vitest';
import type { JsonObject } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { findRow } from '../vocabularies.js';
import type { UseResult } from '../table/row.js';
import { restartKernel } from './restart-kernel.js';
import { runCell } from './run-cell.js';
import { tellMissingKernel } from './tell-missing-kernel.js';

const args = { code: 'x', timeout_ms: 1_500 };
const tell = (result: JsonObject): UseResult =>
  runCell.next(args, [{ tool: 'kernel.execute', args, asked: true, ok: true, result }], undefined as never) as UseResult; // it looks at no context
const png = { type: 'image/png', data: 'cG5n' };

test(
  verifies('L3:kernel-row', 'a model reads what a cell printed, its value and what went wrong, with images beside, in every vocabulary'),
  () => {
    for (const vocabulary of ['agent', 'claude-code', 'continue'] as const) {
      expect(findRow(vocabulary, 'run_cell')).toBe(runCell);
      expect(findRow(vocabulary, 'restart_kernel')).toBe(restartKernel);
    }
    expect(runCell.next(args, [], undefined as never)).toEqual({ call: { tool: 'kernel.execute', args } });
    expect(tell({ outputs: [] })).toMatchObject({ text: '(no output)', isError: false });
    expect(tell({ outputs: [png] })).toMatchObject({ text: '[1 image]', images: [{ mediaType: 'image/png', data: 'cG5n' }] });
    expect(
      tell({ outputs: [{ type: 'stdout', text: 'a\n' }, png, { type: 'stdout', text: 'b\n' }, png, { ...png, type: 'image/tiff' }] }),
    ).toMatchObject({
      text: "a\n[image 1]\nb\n[image 2]\n[image/tiff can't be shown]",
      images: [{}, {}],
    });
    const error = { name: 'E', value: 'v', traceback: '----> 1 x\n\nE: v' };
    expect(tell({ outputs: [{ type: 'stdout', text: 'a\n' }], error })).toMatchObject({ text: 'a\n----> 1 x\n\nE: v', isError: true });
    expect(tell({ outputs: [], error: { name: 'E', value: 'v' }, restarted: true, started: 'Python 3 (p)' }).text).toBe(
      '[kernel was restarted: its variables are gone; Python 3 (p)]\nE: v',
    );
    expect(tell({ outputs: [], timed_out: true, ended: true }).text).toBe(
      '[stopped after 1.5 s: give it more with timeout_ms; the kernel has ended: its variables are gone, the next cell starts a new one]',
    );
    const long = tell({ outputs: [{ type: 'stdout', text: `${'a'.repeat(99_000)}b` }], error: { name: 'E', value: 'v' } }).text;
    expect(long.length).toBeLessThan(31_000);
    expect(long).toMatch(/^a+\n\[cut: 69001 characters left out; print less\]\na+b\nE: v$/);
  },
);

test('who has notebooks and no kernel is told how to get one', () => {
  const told = (has: readonly string[], tree: string, vocabulary: 'agent' | 'text-editor' = 'agent'): number =>
    tellMissingKernel(vocabulary, (name) => has.includes(name), tree).length;
  expect(told(['run_command'], 'a.ipynb\nb.py')).toBe(1);
  expect(told(['run_command'], 'notebooks/ (3)\nb.py')).toBe(1);
  expect(told(['run_command'], 'src/\nb.py')).toBe(0);
  expect(told(['run_command', 'kernel.execute'], 'a.ipynb')).toBe(0);
  expect(told([], 'a.ipynb')).toBe(0);
  expect(told(['run_command'], 'a.ipynb', 'text-editor')).toBe(0);
});
