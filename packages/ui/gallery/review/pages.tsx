import type { ComponentType } from 'react';
import { DiffView } from '../../src/diff/diff-view.js';
import { CUT, huge, MANY, SMALL } from './fixtures/diffs.js';

/** The pages of the gallery, by `?page=`. */
export const PAGES: Readonly<Record<string, ComponentType>> = {
  diff: () => (
    <>
      <section>
        <h2>A small change</h2>
        <DiffView diff={SMALL} />
      </section>
      <section>
        <h2>A patch of many files</h2>
        <DiffView diff={MANY} />
      </section>
      <section>
        <h2>Cut</h2>
        <DiffView diff={CUT} />
      </section>
    </>
  ),
  huge: () => <DiffView diff={huge(10_000)} />,
};
