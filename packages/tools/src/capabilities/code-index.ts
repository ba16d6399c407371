import { reads } from '../policy/policy-row.js';
import { answer, defineTool, takes } from '../tools/tool-definition.js';
import { count, shown } from '../tools/wording.js';

/** Places of the code that a query is about, best first (docs/specification/tools.md#capabilities). */
export const indexSearch = defineTool({
  name: 'index.search',
  since: '2.1',
  group: 'search',
  access: 'readonly',
  description: 'Finds places of the code by what they are about.',
  parameters: takes(['query'], {
    query: { type: 'string', minLength: 1, maxLength: 1_000, description: 'What is looked for.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 15, description: 'At most so many places.' },
  }),
  result: answer(['hits'], {
    hits: {
      type: 'array',
      items: answer(['path', 'start_line', 'end_line', 'text', 'score'], {
        path: { type: 'string' },
        start_line: { type: 'integer' },
        end_line: { type: 'integer' },
        text: { type: 'string' },
        score: { type: 'number' },
      }),
    },
    note: { type: 'string', description: 'What should be known of the answer, such as that the index is still being built.' },
  }),
  essential: ['hits'],
  errors: ['PERMISSION_DENIED', 'INVALID_ARGUMENTS'],
  limits: ['15 places unless "limit" says otherwise, at most 100'],
  policy: reads('searches the code'),
  paths: { named: [], orWhole: true, deep: true },
  describe: (args) => `“${shown(args, 'query')}”`,
  summarise: (result) => count(result, 'hits', 'place'),
});

/** What a directory has, in its files and what they define. */
export const indexMap = defineTool({
  name: 'index.map',
  since: '2.1',
  group: 'search',
  access: 'readonly',
  description: 'Shows what the files below a directory define.',
  parameters: takes([], {
    path: { type: 'string', default: '.', description: 'Directory, relative to the workspace.' },
    max_tokens: { type: 'integer', minimum: 1, maximum: 100_000, default: 4_000, description: 'About so much text.' },
  }),
  result: answer(['text'], { text: { type: 'string' } }),
  essential: ['text'],
  errors: ['FILE_NOT_FOUND', 'INVALID_PATH', 'PATH_OUTSIDE_WORKSPACE', 'PERMISSION_DENIED', 'INVALID_ARGUMENTS'],
  limits: ['4,000 tokens unless "max_tokens" says otherwise'],
  policy: reads('looks at what files define'),
  paths: { named: ['path'], orWhole: true, deep: true },
  describe: (args) => shown(args, 'path') || '.',
});
