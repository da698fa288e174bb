// The time of wrong logins by their kind, tried in turn: somebody who measures must not learn who has an account. What they have to compute
// is asserted by a test (`packages/authentication-local`); this is the clock's word on it, on a machine that does nothing else.
// LOGIN_TRIES=1000 for more than 200 tries of each.
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework } from '@framework/core';
import { table } from './measure/table.mjs';
import { Users } from './servers/shared.mjs';

const TRIES = Number(process.env.LOGIN_TRIES ?? 200);
/** Of `right password`, at the lowest cost of bcrypt. */
const BCRYPT = '$2b$04$KETRR5fW0Nk4.K1IV7M78.3pxbizYodHLbDz.DO72KhdkTDP/3M1K';
const [MEDIAN, MOST] = [0.5, 1.1];

const app = framework();
app.set('authentication', {
  secret: 'a secret of more than thirty-two bytes, for benchmarks',
  service: 'users',
  entity: 'user',
  authStrategies: ['jwt', 'local'],
  limiter: false,
  local: { usernameField: 'email', passwordField: 'password', formerHashes: ['$2b$04'] },
});
const stored = new Users();
app.use('users', stored);
app.service('users').hooks({ before: { create: [hashPassword('password')] } });
const service = new AuthenticationService(app);
service.register('jwt', new JWTStrategy());
service.register('local', new LocalStrategy());
app.use('authentication', service);
const users = app.service('users');
await users.create({ email: 'known', password: 'right password' });
await users.create({ email: 'disabled', password: 'right password', disabled: true });
for (const password of [undefined, BCRYPT]) {
  const { id } = await users.create({ email: password === undefined ? 'without' : 'bcrypt', password: 'x' });
  stored.rows.get(String(id)).password = password;
}

const KINDS = {
  'an unknown user': ['nobody', 'wrong password'],
  'a wrong password': ['known', 'wrong password'],
  'a disabled user': ['disabled', 'right password'],
  'a user without a password': ['without', 'wrong password'],
  'a user with a hash of bcrypt': ['bcrypt', 'wrong password'],
  'a long password of a known user': ['known', 'x'.repeat(2000)],
  'a long password of an unknown user': ['nobody', 'x'.repeat(2000)],
};

async function wrongLogin([email, password]) {
  const begin = performance.now();
  const status = await service.create({ strategy: 'local', email, password }, { provider: 'rest' }).then(
    () => 201,
    ({ code }) => code,
  );
  if (status !== 401) throw new Error(`The login of ${email} is answered ${status}`);
  return performance.now() - begin;
}

const times = new Map(Object.keys(KINDS).map((kind) => [kind, []]));
for (let round = -5; round < TRIES; round++) {
  for (const [kind, login] of Object.entries(KINDS)) {
    const spent = await wrongLogin(login);
    if (round >= 0) times.get(kind).push(spent);
  }
}
const medians = [...times].map(([kind, list]) => [kind, list.sort((a, b) => a - b)[Math.floor(list.length * MEDIAN)]]);
const all = medians.map(([, median]) => median);
const ratio = Math.max(...all) / Math.min(...all);
console.log(
  table(
    ['A wrong login', 'median, ms'],
    medians.map(([kind, median]) => [kind, median.toFixed(2)]),
  ).join('\n'),
);
console.log(`${TRIES} tries of each, the longest ${ratio.toFixed(3)} times the shortest; at most ${MOST}`);
process.exitCode = ratio > MOST ? 1 : 0;
