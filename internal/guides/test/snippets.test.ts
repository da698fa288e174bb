import { describe, expect, it } from '@jest/globals';
import { snippets, syntaxErrors, typeErrors } from './snippets.ts';

const all = snippets().map((snippet) => ({ ...snippet, syntax: syntaxErrors(snippet) }));

it('there is code in the texts', () => {
  expect(all.length).toBeGreaterThan(60);
  expect(new Set(all.map(({ language }) => language))).toEqual(new Set(['js', 'ts']));
});

it('all code can be parsed', () => {
  expect(all.flatMap(({ place, syntax }) => syntax.map((message) => `${place}: ${message}`))).toEqual([]);
});

it('code in TypeScript has its types right, and all code imports what there is', () => {
  expect(typeErrors(all.filter(({ syntax }) => syntax.length === 0))).toEqual([]);
});

describe('the checks find', () => {
  const place = 'here:1';
  it('code that can not be parsed', () => {
    expect(syntaxErrors({ language: 'js', code: 'const a = ;' })).not.toEqual([]);
    expect(syntaxErrors({ language: 'ts', code: 'async find(params) { return []; }' })).toEqual([]);
  });

  it('an import that there is not, in both languages, and a wrong type', () => {
    const errors = typeErrors([
      { place, language: 'js', code: "import { frameworks } from '@framework/core';\n" },
      { place, language: 'ts', code: "import { framework } from '@framework/cores';\n" },
      { place, language: 'ts', code: "import { framework } from '@framework/core';\nframework().use(5, {});\n" },
      { place, language: 'ts', code: "import { framework } from '@framework/core';\nframework().use('messages', new MessageService());\n" },
    ]);
    expect(errors).toHaveLength(3);
  });
});
