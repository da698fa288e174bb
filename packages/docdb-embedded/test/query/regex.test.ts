import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocDbError } from '../../src/errors.ts';
import { interruptible } from '../../src/interrupt.ts';
import { textPattern } from '../../src/query/regex.ts';
import { start, type Harness } from '../harness.ts';

const found = (pattern: string, text: string, options = ''): string | undefined => textPattern(pattern, options).find(text)?.text;

function codeOf(work: () => unknown): number | string {
  try {
    work();
  } catch (error) {
    return error instanceof DocDbError ? error.code : String(error);
  }
  return 'nothing failed';
}

describe('patterns of the library that the server has', () => {
  it.each([
    ['\\Aabc', 'xabc', undefined],
    ['abc\\Z', 'abc\n', 'abc'],
    ['abc\\z', 'abc\n', undefined],
    ['abc$', 'abc\n', 'abc'],
    ['a.b', 'a\rb', 'a\rb'],
    ['foo\\Kbar', 'foobar', 'bar'],
    ['a++ab', 'aaab', undefined],
    ['(?>a+)b', 'aaab', 'aaab'],
    ['(?P<one>ab)(?P=one)', 'abab', 'abab'],
    ['(a)(?>b)\\1', 'aba', 'aba'],
    ['[[:alpha:]]+', '12ab3', 'ab'],
    ['[[:^digit:]]+', '12ab3', 'ab'],
    ['[]a]+', 'x]a]', ']a]'],
    ['\\x{41}\\103\\Q.*\\E', 'AC.*', 'AC.*'],
    ['\\p{Han}', 'a字', '字'],
    ['^\\p{Xan}+$', '박9á', '박9á'],
    ['\\P{Xan}', 'a_', '_'],
    ['[\\p{Xwd}-]+', '!á_-!', 'á_-'],
    ['a\\p{Xps}b', 'a\u180eb', 'a\u180eb'],
    ['\\p{Xuc}', 'aé', 'é'],
    ['(*UCP)^\\w+$', 'café', 'café'],
    ['^\\w+$', 'café', undefined],
    ['a(?i)b', 'aB', 'aB'],
    ['a(?i:[b-d])e', 'aCe', 'aCe'],
    ['a{,2}', 'a{,2}', 'a{,2}'],
    ['\\R', '\r\n', '\r\n'],
  ] as const)('%s in %j', (pattern, text, wanted) => {
    expect(found(pattern, text)).toBe(wanted);
  });

  it('looks at lines with the option m, and passes over white space with x', () => {
    expect(found('^b$', 'a\nb\nc', 'm')).toBe('b');
    expect(found('^b', 'a\rb', 'm')).toBe(undefined);
    expect(found('a b # comment\n c', 'abc', 'x')).toBe('abc');
  });

  it.each(['(', 'a)', '[b', '*a', 'a{3,2}', '(?<=a+)b', '(?(1)a|b)', '\\1', '(?R)', '[z-a]', '\\y'])('refuses %s', (pattern) => {
    expect(codeOf(() => textPattern(pattern, ''))).toBe(51091);
  });

  it('gives the captures of the pattern and not those that it was written with', () => {
    expect(textPattern('(?>x)(a)(?:y++)(b)?', '').find('xayy')?.captures).toEqual(['a', undefined]);
  });
});

describe('the time that a search takes', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await start();
    await harness.db.collection('texts').insertOne({ text: `${'x'.repeat(40)}z` });
    await harness.db.collection('texts').insertOne({ text: 'a'.repeat(200_000) });
  });
  afterAll(() => harness.stop());

  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing failed',
      (error: unknown) => (error as { code?: unknown }).code,
    );

  it.each(['^(x+)+y', '(x|xx)*y', '(x*)*y', 'a*a*a*a*b'])(
    '%s over a text of the caller is an error and not the end of the process',
    async (pattern) => {
      const texts = harness.db.collection('texts');
      expect(await failure(texts.find({ text: { $regex: pattern } }).toArray())).toBe(51156);
      const matched = { $match: { $expr: { $regexMatch: { input: '$text', regex: pattern } } } };
      expect(await failure(texts.aggregate([matched]).toArray())).toBe(51156);
      expect(await texts.countDocuments({ text: /^x/ })).toBe(1);
    },
  );

  it.each(['(x?)'.repeat(40) + '\\1y', '(|x)'.repeat(40) + '\\1y', '(x|xx|x)'.repeat(30) + '\\1y'])(
    'is watched where each of many parts may be there or not: %s',
    (pattern) => {
      expect(codeOf(() => textPattern(pattern, '').test('x'.repeat(60)))).toBe(51156);
    },
  );

  it('looks at the time of the command behind each search that is watched', () => {
    const stop = (): never => {
      throw new DocDbError(50, 'operation exceeded time limit');
    };
    const watched = textPattern('a.*b.*c', '');
    expect(codeOf(() => interruptible(stop, () => watched.test('x'.repeat(5000))))).toBe(50);
  });
});
