import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { elementsOf, insertion, membersOf, removal, setMembers, splice } from './json-text.js';

// as other programs write them: numbers, escapes, order of keys, line ends and blanks that JSON.stringify would change
const LIST = [
  '{',
  '\t"nbformat_minor" : 5, "ratio":1.0,',
  '\t"cells": [',
  '\t\t{"id":"a","n":1e3,"source":["x\\u00e9"],"outputs":[{"data":1.50}],"execution_count":7},',
  '\t\t{',
  '\t\t\t"metadata": {"w": 0.10},',
  '\t\t\t"id": "b",',
  '\t\t\t"source": [',
  '\t\t\t\t"one\\n",',
  '\t\t\t\t"} ] \\" ,"',
  '\t\t\t]',
  '\t\t}',
  '\t],',
  '\t"big": 12345678901234567890',
  '}',
  '',
].join('\r\n');

const cellsIn = (text: string) => membersOf(text, text.indexOf('{')).find(({ key }) => key === 'cells')!.value;
const set = (text: string, place: number, values: Parameters<typeof setMembers>[3]): string => {
  const cell = elementsOf(text, cellsIn(text).start)[place]!;
  return splice(text, { ...cell, put: setMembers(text, cell, '\t', values) });
};

test(verifies('L3:notebook-text', 'an edit of a cell leaves every other character of the notebook as it is written'), () => {
  expect(set(LIST, 0, { source: ['y'], outputs: [], execution_count: null })).toBe(
    LIST.replace('["x\\u00e9"]', '["y"]').replace('[{"data":1.50}]', '[]').replace(':7}', ':null}'),
  );
  expect(set(LIST, 0, { outputs: undefined, execution_count: undefined })).toBe(
    LIST.replace(',"outputs":[{"data":1.50}],"execution_count":7', ''),
  );
  expect(set(LIST, 1, { source: ['two\n', 'three'], outputs: [] })).toBe(
    LIST.replace('"one\\n",', '"two\\n",')
      .replace('"} ] \\" ,"', '"three"')
      .replace('\t]\r\n\t\t}', '\t],\r\n\t\t\t"outputs": []\r\n\t\t}'),
  );
});

test(verifies('L3:notebook-text', 'a cell comes and goes with one comma, written as its neighbours are'), () => {
  const list = cellsIn(LIST);
  const put = (place: number): string => splice(LIST, insertion({ text: LIST, list, indent: '\t' }, place, { id: 'c', source: [] }));
  const cell = '{\r\n\t\t\t"id": "c",\r\n\t\t\t"source": []\r\n\t\t}';
  expect(put(-1)).toBe(LIST.replace('{"id":"a"', `${cell},\r\n\t\t{"id":"a"`));
  expect(put(1)).toBe(LIST.replace('\t\t}\r\n\t],', `\t\t},\r\n\t\t${cell}\r\n\t],`));
  const spans = elementsOf(LIST, list.start);
  const first = splice(LIST, removal(LIST, spans, 0));
  expect(first).toBe(LIST.replace(/\{"id":"a".*\r\n\t\t/, ''));
  const none = splice(first, removal(first, elementsOf(first, cellsIn(first).start), 0));
  expect(none).toContain('"cells": [],\r\n\t"big": 12345678901234567890');
  expect(splice(none, insertion({ text: none, list: cellsIn(none), indent: '\t' }, -1, { id: 'c', source: [] }))).toContain(
    `"cells": [\r\n\t\t${cell}\r\n\t],\r\n\t"big"`,
  );
  expect(splice('{"cells":[]}', insertion({ text: '{"cells":[]}', list: { start: 9, end: 11 }, indent: ' ' }, -1, 1))).toBe(
    '{"cells":[1]}',
  );
});
