import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const NO_HASH = { selector: 'PrivateIdentifier', message: 'Write `private name`: one way to say it, and parameters can say it, too.' };
const ABSENT = 'Write `field: value`: absent is undefined, and JSON drops it. Where the key itself counts, disable this line and say why.';
/** `...(x === undefined ? {} : { x })` and `...(x !== undefined && { x })` */
const NO_SPREAD = [
  "SpreadElement > ConditionalExpression[test.right.type='Identifier'][test.right.name='undefined'] > ObjectExpression[properties.length=0]",
  "SpreadElement > LogicalExpression[operator='&&'][left.right.type='Identifier'][left.right.name='undefined']",
].map((selector) => ({ selector, message: ABSENT }));
/** Folders that still have such spreads; the list only shrinks. */
const STILL_SPREAD = ['apps/gateway', 'packages/bus'];

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '**/.turbo/', 'docs/', 'packages/*/schema/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/require-await': 'off', // a port's method is async whatever one implementation needs
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', NO_HASH, ...NO_SPREAD],
    },
  },
  { files: STILL_SPREAD.map((folder) => `${folder}/**/*.ts`), rules: { 'no-restricted-syntax': ['error', NO_HASH] } },
  {
    // Configuration enters a process in one file.
    files: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
    ignores: ['**/edge/config.ts', '**/*.test.ts', 'packages/testkit/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in edge/config.ts only.' },
      ],
    },
  },
  {
    files: ['**/*.test.ts'],
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off', '@typescript-eslint/no-unsafe-member-access': 'off' },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    languageOptions: { globals: { Buffer: 'readonly', process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' } },
  },
);
