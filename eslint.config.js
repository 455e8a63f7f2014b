import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['dist/', 'release/', 'node_modules/', 'test/artifacts/'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: {
      'no-console': 'error',
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^electron$', message: 'Only hosts/electron knows Electron.' }] },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-undef': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-expressions': 'error',
      '@typescript-eslint/unified-signatures': 'off',
    },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  { files: ['src-main/hosts/electron/**'], rules: { 'no-restricted-imports': 'off' } },
  // Every text of the window, in one list a language: nothing in it to be understood but its order.
  { files: ['src-renderer/i18n/{en,zh-cn}.ts'], rules: { 'max-lines': 'off' } },
  { files: ['test/**', 'src-main/hosts/cli/**'], rules: { 'no-console': 'off' } },
);
