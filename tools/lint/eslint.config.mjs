// SPDX-License-Identifier: MIT
//
// The rules for our JavaScript. Layout is no concern of theirs. The packages are where
// tools/lint-web.sh has put them, which is not beside this file.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.env.OSSA_LINT_MODULES, 'of-the-linter.js'));
const js = require('@eslint/js');
const globals = require('globals');

export default [
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2023,
      sourceType: 'module',
      // ossa.js runs everywhere, and tests have functions in them that run in the browser.
      globals: { ...globals.browser, ...globals.worker, ...globals.node },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      'consistent-return': 'error',
      'dot-notation': 'error',
      eqeqeq: 'error',
      'no-constant-binary-expression': 'error',
      'no-else-return': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-lonely-if': 'error',
      'no-new-func': 'error',
      'no-param-reassign': 'error',
      'no-self-compare': 'error',
      'no-shadow': 'error',
      'no-template-curly-in-string': 'error',
      'no-throw-literal': 'error',
      'no-undef-init': 'error',
      'no-unneeded-ternary': 'error',
      'no-unreachable-loop': 'error',
      // What is taken apart to leave a member out is used by that.
      'no-unused-vars': ['error', { caughtErrors: 'all', ignoreRestSiblings: true }],
      'no-useless-concat': 'error',
      'no-useless-rename': 'error',
      'no-useless-return': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-arrow-callback': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
    },
  },
  // The page is for people, and says nothing in a console.
  { files: ['web/page/**'], rules: { 'no-console': 'error' } },
];
