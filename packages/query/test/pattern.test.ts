import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { checkPattern, PATTERN_LENGTH } from '../src/index.ts';

describe('patterns from outside (S13)', () => {
  it.each([
    '^ann',
    'ann',
    '^\\d{4}-\\d{2}$',
    'foo|bar',
    'foo.*',
    '^a.*b$',
    '^[A-Z]{2}$',
    '^(a|b)+$',
    'colou?r',
    '^.{0,20}$',
    '\\bfoo\\b',
    '^foo-(bar|baz)-\\d+$',
    '(ab)+',
    'a\\.c',
    '^\\s*x',
    '^\\s*\\b',
    '^a+|^b*',
    '\\B-\\B',
    '(((((a)))))',
    '(((((a)))))-(((((b)))))',
    '^[((((((]\\(\\(\\(\\(\\(\\($',
    'a{2}',
    'a{}',
    '',
    `^${'a'.repeat(PATTERN_LENGTH - 1)}`,
  ])('S13 takes %p', (pattern) => {
    expect(() => checkPattern(pattern, 'i')).not.toThrow();
    expect(() => checkPattern(pattern)).not.toThrow();
  });

  it.each([
    [
      'a repetition of a repetition',
      ['(a+)+$', '((a+))+$', '((a)*)*$', '(a+){20}', '(.*a){25}', '(\\d+)*-', '^(([a-z])+.)+[A-Z]([a-z])+$'],
    ],
    ['alternatives that match the same', ['(a|a)*$', '(a|b|ab)*c', '(?:a|aa)+$', '(a?){30}a{30}']],
    ['repetitions that meet', ['.*.*.*x', 'a*a*b', '(x+x+)+y', '^(\\w+\\s?)*$', 'a{1,1000}a{1,1000}b', '.*foo', '[a-z]+@x']],
    ['what costs another time in the database', ['(?=(a+))*b', '(.*)\\1', '(?<=a)b', '(?<n>a)\\k<n>', '(?!a)b', '(?i)a', '(?>a+)b']],
    [
      'what means another thing in the database',
      ['\\h+\\s+$', '[[:alpha:]]+\\w', '\\Qa+\\E', '\\R', '\\X+', '\\pL+', '\\v', '[\\v]', '\\u0061', '\\0'],
    ],
    ['what newer databases take for a repetition', ['a{,9}a{,9}', 'a{,9}', 'a{1, 3}', 'a{ 1,}', 'a{ 2 }']],
    [
      'a place that may not be there after a repetition that begins anywhere',
      ['\\s+\\b', 'a*\\B', '(?:a+|b)\\b', '\\s*^', 'a*(^|b)', 'a+|\\s+(?:^)', '\\w+$', 'b|\\d{2,}\\b'],
    ],
    ['what is costly to analyse', ['((((((a))))))', '^(a|(b|(c|(d|(e|(f))))))', '(?:(?:(?:(?:(?:(?:a))))))']],
    ['what can not be read', ['(', '[a', 'a)', '*', 'a++', '\\', '[b-a]', '(?R)', '(*ACCEPT)']],
  ])('S13 refuses %s', (_name, patterns) => {
    for (const pattern of patterns) expect([pattern, outcome(pattern)]).toEqual([pattern, 400]);
  });

  it('S13 refuses other flags, and x where it changes the pattern', () => {
    for (const flags of ['g', 'u', 'ii '.trim() + 'y', 5, null]) expect([flags, outcome('a', flags)]).toEqual([flags, 400]);
    expect(outcome('a* a*b', 'x')).toBe(400);
    expect(outcome('a #', 'x')).toBe(400);
    expect(outcome('^a', 'imsx')).toBe('taken');
    for (const pattern of [5, null, {}, ['a'], /a/, 'a'.repeat(PATTERN_LENGTH + 1)]) expect(outcome(pattern)).toBe(400);
  });

  it('S13 refuses more flags than there are, whose verdicts would fill the memory', () => {
    expect([outcome('^a', 'imsx'), outcome('^a', 'imsxi'), outcome('^a', 'i'.repeat(100_000))]).toEqual(['taken', 400, 400]);
  });

  it.each<[unknown, unknown, string]>([
    [5, '', '$regex must be text'],
    ['a', 5, '$options may hold i, m, s and x'],
    ['a', 'g', '$options may hold i, m, s and x'],
    ['a'.repeat(PATTERN_LENGTH + 1), '', `$regex may have at most ${PATTERN_LENGTH} characters`],
    ['a b', 'x', '$options may hold x only for a pattern without spaces and #'],
    ['(a+)+$', '', '$regex may take too long: repeat nothing that repeats'],
    ['^(?=a)b', '', '$regex may take too long: repeat nothing that repeats'],
    ['Smith (', '', '$regex can not be read: a character that is to stand for itself, such as ( [ * + ? or \\, needs a \\ before it'],
    ['[a', 'i', '$regex can not be read'],
    ['*a', '', '$regex can not be read'],
    ['a\\', '', '$regex can not be read'],
    ['a{2,1}', '', '$regex can not be read'],
  ])('S13 says what is wrong with %j and the flags %j', (pattern, flags, message) => {
    expect(() => checkPattern(pattern, flags)).toThrow(message);
  });

  it('S13 takes spaces without the flag x, and remembers the verdict of a pattern for the flags that it came with', () => {
    expect(outcome('^a b', 'i')).toBe('taken');
    for (let round = 0; round < 2; round++) {
      expect([outcome('^a+A+$'), outcome('^a+A+$', 'i'), outcome('^a+A+$', 'si'), outcome('^a+A+$', 'is'), outcome('^a+A+$', 's')]).toEqual(
        ['taken', 400, 400, 400, 'taken'],
      );
    }
  });

  it('S13 takes account of what flags make equal', () => {
    expect(outcome('^a+A+$')).toBe('taken');
    expect(outcome('^a+A+$', 'i')).toBe(400);
    expect(outcome('^.*\\n*$')).toBe('taken');
    expect(outcome('^.*\\n*$', 's')).toBe(400);
  });

  it.each([
    '^\\s*x',
    '^\\n*x',
    '^[^a]*a',
    '^\\W*x',
    '^\\x0a*x',
    '^\n*x',
    '^\\\n*x',
    '^[\\r]*x',
    '$\u2028*x',
    '^\u2029*x',
    '^(\\n?)x',
    '^\\n{1,9}x',
  ])('S13 refuses %j with m, where each line is a beginning', (pattern) => {
    expect(outcome(pattern, 'm')).toBe(400);
  });

  it.each([
    ['^a.*b$', 'm', 'taken'],
    ['^a.*b$', 'ms', 400],
    ['^a.*b$', 's', 'taken'],
    ['^\\S+$', 'm', 'taken'],
    ['^\\d{4}-\\d{2}$', 'im', 'taken'],
    ['^foo\\nbar$', 'm', 'taken'],
    ['foo\\s*', 'm', 'taken'],
    ['[^a]foo', 'm', 'taken'],
    ['[$]foo\\s*', 'm', 'taken'],
    ['\\^foo\\s*', 'm', 'taken'],
    ['^\\s*x', 'i', 'taken'],
  ])('S13 %j with %s is %s', (pattern, flags, expected) => {
    expect(outcome(pattern, flags)).toBe(expected);
  });

  it('S13 judges a pattern that it has not seen before, and again, alike', () => {
    const text = randomUUID().replaceAll('-', '');
    for (let round = 0; round < 2; round++) {
      expect([outcome(`^${text}.*`), outcome(`^${text}.*`, 'ms'), outcome(`(a*)*${text}`), outcome(`(${text}`)]).toEqual([
        'taken',
        400,
        400,
        400,
      ]);
    }
  });

  it('S13 takes flags as text alone', () => {
    expect([outcome('a', ['i']), outcome('a', { toString: () => 'i' })]).toEqual([400, 400]);
  });
});

function outcome(pattern: unknown, flags?: unknown): unknown {
  try {
    checkPattern(pattern, flags);
    return 'taken';
  } catch (error) {
    return (error as { code?: number }).code ?? error;
  }
}
