import { describe, expect, it } from '@jest/globals';
import { npmFlags } from '../src/arguments/npm-flags.ts';
import { parseArguments } from '../src/arguments/parse-arguments.ts';

const npm = (flags: Record<string, string>): NodeJS.ProcessEnv => ({ npm_config_user_agent: 'npm/11.0.0 node/v24', ...flags });

describe('arguments', () => {
  it.each([
    [['my-api', '--database', 'memory', '--js']],
    [['--js', '--database=memory', 'my-api']],
    [['my-api', 'database=memory', 'js=true']],
    [['--no-ts=false', '--ts=no', '--js', '--database=memory', 'my-api']],
  ])('%j say the same', (args) => {
    const { words, flags } = parseArguments(args.filter((each) => !each.includes('ts=')));
    expect([words, flags]).toEqual([['my-api'], { database: 'memory', js: true }]);
  });

  it('turn switches round, and take short forms', () => {
    expect(parseArguments(['-y', '--no-install', 'git=no']).flags).toEqual({ yes: true, install: false, git: false });
  });

  it('behind -- are words', () => {
    expect(parseArguments(['--', '--js', 'database=memory']).words).toEqual(['--js', 'database=memory']);
  });

  it('with = that name no flag are words', () => {
    expect(parseArguments(['a=b', '__proto__=x']).words).toEqual(['a=b', '__proto__=x']);
  });

  it.each([
    ['--databse=memory', 'Did you mean --database?'],
    ['--realtime', 'Did you mean --real-time?'],
    ['--no-instal', 'Did you mean --no-install?'],
    ['--__proto__', 'There are --database'],
    ['--constructor=x', 'There are --database'],
    ['-x', 'There is no flag "-x"'],
    ['--no-database', 'There is no flag'],
    [`--${'x'.repeat(100_000)}`, 'There are --database'],
  ])('%.20s is refused', (flag, said) => {
    expect(() => parseArguments([flag])).toThrow(said);
  });

  it.each([
    [['--database'], '--database needs a value'],
    [['--database', '--js'], '--database needs a value'],
    [['--js=perhaps'], '--js is on or off'],
    [['--login=none', 'login=local'], '--login is given twice'],
  ])('%j are refused', (args, said) => {
    expect(() => parseArguments(args)).toThrow(said);
  });
});

describe('flags that npm has taken', () => {
  it('count, where npm has kept their values', () => {
    const env = npm({ npm_config_database: 'memory', npm_config_real_time: 'sse', npm_config_install: '', npm_config_dry_run: 'true' });
    expect(npmFlags(env, {})).toEqual({ database: 'memory', 'real-time': 'sse', install: false, 'dry-run': true });
  });

  it('are asked for again, where npm has lost their values', () => {
    expect(() => npmFlags(npm({ npm_config_database: 'true' }), {})).toThrow('npm create framework my-api -- --database=…');
    expect(() => npmFlags(npm({ npm_config_json: 'true' }), {})).toThrow('npm create framework my-api -- --js');
    expect(npmFlags(npm({ npm_config_json: 'true' }), { ts: true })).toEqual({});
  });

  it('are not looked for with other package managers', () => {
    expect(npmFlags({ npm_config_user_agent: 'pnpm/10.0.0', npm_config_js: 'true' }, {})).toEqual({});
  });

  it('are none where npm has a setting of its own by the name', () => {
    expect(npmFlags(npm({ npm_config_git: '/opt/bin/git' }), {})).toEqual({});
    expect(npmFlags(npm({ npm_config_git: '' }), {})).toEqual({ git: false });
  });
});
