// Takes the rules that sessions depend on out of the source of the authentication package, one at a time, and looks whether the
// model notices. `pnpm --filter @framework-internal/integration model:rules`; RULE=name for one of them, `--check` to see that they are there.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeOutRules } from '../../../../scripts/take-out-rules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const source = join(root, '../../packages/authentication');
const STEPS = process.env.MODEL_STEPS ?? '1000';

/** Name of a rule: places, each with what it says there and what is said without it. */
const RULES = {
  'a session belongs to one service': [
    ['sessions/session-scope.ts', 'return record.service === scope.service', 'return true || record.service === scope.service'],
    [
      'sessions/session-store.ts',
      'const query = { ...scope, refresh: from, endedAt: null };',
      'const query = { refresh: from, endedAt: null };',
    ],
    // The secrets of the users of two services are seldom the same: a second line of defence.
    ['strategies/refresh-strategy.ts', 'if (draft.hasSecrets(secrets)) return;', 'return;'],
  ],
  'a session of an earlier epoch gives no access': [
    ['sessions/live-sessions.ts', "return (this.#newest.get(live.epochKey) ?? 0) <= record.epoch ? record : 'ended';", 'return record;'],
  ],
  'a session of an earlier epoch is not refreshed': [
    ['sessions/refresh-session.ts', 'if (!(await this.#host.isOfPresentEpoch(record))) throw usedRefreshToken();', ''],
  ],
  'a session gives access while its user has the same secrets': [
    ['sessions/sessions.ts', 'if (await this.#live.hasSecrets(session, secrets)) return;', 'return;'],
  ],
  'a session is refreshed while its user has the same secrets': [
    ['strategies/refresh-strategy.ts', 'if (draft.hasSecrets(secrets)) return;', 'return;'],
  ],
  'a disabled user has no access': [['entity/entity-state.ts', 'if (isDisabled(entity, field)) throw', 'if (false) throw']],
  'who is enabled finds no session of before': [['sessions/user-sessions.ts', 'await this.endAll(user);\n      found', 'found']],
  'who is enabled counts once everybody knows that': [
    ['sessions/user-sessions.ts', 'if (found > 0) await this.#live.heardEverywhere();', 'void found;'],
  ],
  'the refresh token is replaced last': [
    [
      'strategies/refresh-strategy.ts',
      'if (entityName === null) return result;',
      'await draft.store();\n    if (entityName === null) return result;',
    ],
    ['login/login.ts', 'await session?.store();', 'if (!refreshed) await session?.store();'],
  ],
  'an answer that was lost is given again': [
    ['sessions/refresh-session.ts', "return (await this.#isBeingAnswered(record.id, digest)) ? 'refuse' : 'repeat';", "return 'refuse';"],
  ],
  'a refresh token that comes again ends its family': [
    ['sessions/refresh-session.ts', "if (verdict === 'reuse') await this.#host.endReused(record);", ''],
  ],
  'refreshes at one time are no reuse': [
    [
      'sessions/refresh-session.ts',
      "if (record.answered === digest) return this.#isOnTheWay(record) ? 'refuse' : 'reuse';",
      "return 'reuse';",
    ],
  ],
  'processes hear what has ended elsewhere': [
    ['sessions/live-sessions.ts', 'for (const change of news.changes) this.#note(change);', 'for (const _ of news.changes);'],
  ],
  'what a process has ended is written': [
    [
      'sessions/sessions.ts',
      "await this.#live.announce({ kind: 'session', id: session }, () => this.#store.end(session, this.scope, Date.now()));",
      "await this.#live.announce({ kind: 'session', id: session });",
    ],
  ],
  'clocks may differ': [['tokens/verify-token.ts', 'if (issuedAt > now + MAX_TOLERANCE) throw', 'if (issuedAt > now) throw']],
};

function bundle() {
  const { status, stderr } = spawnSync(process.execPath, ['../../scripts/bundle.mjs'], { cwd: source, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The package can not be built: ${stderr}`);
}

/** @returns what the model says: nothing when it passes, the step that went wrong otherwise */
function run() {
  bundle();
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', '../../node_modules/jest/bin/jest.js', 'model.test', '--forceExit'],
    { cwd: root, encoding: 'utf8', timeout: 1_800_000, env: { ...process.env, MODEL_STEPS: STEPS } },
  );
  if (status === 0) return undefined;
  if (error) return 'a step that never ended';
  const said = /step \d+ of seed [^"]*/.exec(stdout + stderr)?.[0];
  if (said === undefined) throw new Error(`The model failed for another reason: ${(stdout + stderr).slice(0, 2000)}`);
  return said.slice(0, 160);
}

const rules = Object.entries(RULES).map(([name, places]) => [name, { places }]);
takeOutRules(join(source, 'src'), Object.fromEntries(rules), run);
if (!process.argv.includes('--check')) bundle();
