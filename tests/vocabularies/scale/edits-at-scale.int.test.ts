import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { FORMATS, runScale } from './run-scale.js';
import { tallyOf } from './tally.js';

describe('edits at scale', () => {
  test(verifies('L3:edits-at-scale', 'each of 2,000 edits of real sources is right or refused, none is misplaced'), async () => {
    const trials = await runScale({ files: 12, changes: 5, seed: 1 });
    const bad = trials.filter(({ verdict }) => verdict === 'misplaced' || verdict === 'no hint');
    expect(bad.map(({ path, format, style, how, edit, got }) => ({ path, format, style, how, edit, got }))).toEqual([]);
    expect(trials.length).toBeGreaterThanOrEqual(2_000);
    expect(new Set(trials.map(({ path }) => path.replace(/^(@[^/]+\/[^/]+|[^/]+)\/.*/, '$1'))).size).toBeGreaterThanOrEqual(20);
    expect(new Set(trials.map(({ language }) => language)).size).toBe(5);
    for (const format of FORMATS) {
      const { accepted } = tallyOf(trials.filter((trial) => trial.format === format && !trial.isHard));
      expect({ format, accepted: accepted > (format === 'lazy' ? 0.6 : 0.9) }).toEqual({ format, accepted: true });
    }
  });
});
