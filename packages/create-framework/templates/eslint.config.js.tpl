import js from '@eslint/js';
%% if ts
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'data'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
  // `node:test` waits for its own promises.
  { files: ['test/**'], rules: { '@typescript-eslint/no-floating-promises': 'off' } },
);
%% else
import globals from 'globals';

export default [{ ignores: ['data'] }, js.configs.recommended, { languageOptions: { globals: globals.node } }];
%% end
