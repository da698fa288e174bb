import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { testRules } from './scripts/test-rules.mjs';

// The rules that need no types. Those that do are in `.oxlintrc.json`: the compiler in Go that `oxlint` asks takes a tenth of the time (decision 0042).
export default tseslint.config(
  { ignores: ['**/dist/**', '**/.cache/**', '**/node_modules/**', '**/coverage/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // The interface of the framework has overloads that read better apart.
      '@typescript-eslint/unified-signatures': 'off',
      'no-control-regex': 'off',
    },
  },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], rules: { 'no-undef': 'off' } },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['**/test/**', '**/test-d/**', 'internal/testing/**'],
    plugins: { tests: testRules },
    rules: {
      'tests/no-wall-clock': 'error',
      'tests/no-own-random': 'error',
    },
  },
  {
    files: ['**/test/**', '**/test-d/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-this-alias': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
    },
  },
  {
    // Values are there for their types, and each refusal is one line.
    files: ['**/test-d/**'],
    rules: { '@typescript-eslint/no-unused-vars': 'off', '@typescript-eslint/ban-ts-comment': 'off', 'no-useless-assignment': 'off' },
  },
);
