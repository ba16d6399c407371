import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const NO_HASH = { selector: 'PrivateIdentifier', message: 'Write `private name`: one way to say it, and parameters can say it, too.' };
const ABSENT = 'Write `field: value`: absent is undefined, and JSON drops it. Where the key itself counts, disable this line and say why.';
/** `...(x === undefined ? {} : { x })` and `...(x !== undefined && { x })` */
const NO_SPREAD = [
  "SpreadElement > ConditionalExpression[test.right.type='Identifier'][test.right.name='undefined'] > ObjectExpression[properties.length=0]",
  "SpreadElement > LogicalExpression[operator='&&'][left.right.type='Identifier'][left.right.name='undefined']",
].map((selector) => ({ selector, message: ABSENT }));
/** What a model or a workspace says is text: nothing turns it into HTML. */
const NO_HTML = {
  selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  message: 'Render elements: text from outside is never HTML.',
};
/** Folders that still have such spreads; the list only shrinks. */
const STILL_SPREAD = ['apps/gateway', 'packages/bus'];

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '**/.turbo/', 'docs/', 'packages/*/schema/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommended], // what needs types is in .oxlintrc.json: read by a compiler in Go it takes a fifth of the time
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', NO_HASH, ...NO_SPREAD],
    },
  },
  {
    files: ['**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended],
    rules: { 'no-restricted-syntax': ['error', NO_HASH, ...NO_SPREAD, NO_HTML] },
  },
  { files: STILL_SPREAD.map((folder) => `${folder}/**/*.ts`), rules: { 'no-restricted-syntax': ['error', NO_HASH] } },
  {
    // Configuration enters a process in one file.
    files: ['packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.{ts,tsx}'],
    ignores: ['**/edge/config.ts', '**/*.test.{ts,tsx}', 'packages/testkit/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in edge/config.ts only.' },
      ],
    },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        ['AbortController', 'Buffer', 'URL', 'clearTimeout', 'console', 'process', 'setTimeout'].map((name) => [name, 'readonly']),
      ),
    },
  },
);
