import { expect, test } from 'vitest';
import { completeTail } from './complete-tail.js';

test.each([
  ['a table from its first row', '| a | b |', '| a | b |\n| --- | --- |'],
  ['a table whose delimiter is coming', '| a | b |\n| -', '| a | b |\n| --- | --- |'],
  ['a table with rows stays', '| a |\n|---|\n| b', '| a |\n|---|\n| b'],
  ['bold that is not closed', 'a **b', 'a **b**'],
  ['bold that has only begun', 'a **', 'a '],
  ['half of the end of bold', 'a **b*', 'a **b**'],
  ['code', 'a `b', 'a `b`'],
  ['a link whose address is coming', 'see [the page](https://exa', 'see the page'],
  ['a link that has only begun', 'see [the pa', 'see the pa'],
  ['a list that begins is no heading', 'These:\n-', 'These:'],
  ['a whole text stays', 'a **b** `c` [d](e)', 'a **b** `c` [d](e)'],
])('%s', (_, source, expected) => expect(completeTail(source)).toBe(expected));
