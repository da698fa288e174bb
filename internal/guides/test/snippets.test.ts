import { describe, expect, it } from '@jest/globals';
import { snippets, syntaxErrors, typeErrors, type Snippet } from './snippets.ts';

const all = snippets().map((snippet) => ({ ...snippet, syntax: syntaxErrors(snippet) }));

const FAULTY: readonly Snippet[] = [
  { place: 'here:1', language: 'js', code: "import { frameworks } from '@framework/core';\n" },
  { place: 'here:2', language: 'ts', code: "import { framework } from '@framework/cores';\n" },
  { place: 'here:3', language: 'ts', code: "import { framework } from '@framework/core';\nframework().use(5, {});\n" },
  {
    place: 'here:4',
    language: 'ts',
    code: "import { framework } from '@framework/core';\nframework().use('messages', new MessageService());\n",
  },
];
// Checked together with those of the texts: a program of its own costs a second for each.
const errors = typeErrors([...all.filter(({ syntax }) => syntax.length === 0), ...FAULTY]);
const isOfFaulty = (message: string): boolean => message.startsWith('here:');

it('there is code in the texts', () => {
  expect(all.length).toBeGreaterThan(60);
  expect(new Set(all.map(({ language }) => language))).toEqual(new Set(['js', 'ts']));
});

it('all code can be parsed', () => {
  expect(all.flatMap(({ place, syntax }) => syntax.map((message) => `${place}: ${message}`))).toEqual([]);
});

it('code in TypeScript has its types right, and all code imports what there is', () => {
  expect(errors.filter((message) => !isOfFaulty(message))).toEqual([]);
});

describe('the checks find', () => {
  it('code that can not be parsed', () => {
    expect(syntaxErrors({ language: 'js', code: 'const a = ;' })).not.toEqual([]);
    expect(syntaxErrors({ language: 'ts', code: 'async find(params) { return []; }' })).toEqual([]);
  });

  it('an import that there is not, in both languages, and a wrong type', () => {
    expect(errors.filter(isOfFaulty).map((message) => message.split(',')[0])).toEqual(['here:1', 'here:2', 'here:3']);
  });
});
