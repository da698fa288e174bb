import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { Binary, type Document, MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';

const SEED = Number(process.env.LOGIN_SEED ?? 20_261);
const ROUNDS = 600;
let server: DocDbServer;
let client: MongoClient;
let root: MongoClient;
beforeAll(async () => {
  const auth = { user: 'ann', password: 'secret' };
  server = await DocDbServer.start({ auth });
  client = await new MongoClient(server.uri, { maxPoolSize: 1 }).connect();
  root = await new MongoClient(server.uri, { auth: { username: auth.user, password: auth.password } }).connect();
});
afterAll(async () => {
  await client.close();
  await root.close();
  await server.stop();
});

const answerOf = (of: MongoClient, db: string, command: Document): Promise<Document> =>
  of
    .db(db)
    .command(command)
    .catch((error: unknown) => error as Document);

const ODD: readonly unknown[] = [
  null,
  0,
  -1,
  1e300,
  '',
  'x',
  true,
  [],
  {},
  [null],
  { role: 1 },
  { user: 'a', db: 1 },
  new Date(0),
  new Binary(Buffer.alloc(3)),
];

/** A message of a login that is right in part. */
function message(random: Random, nonce: string): unknown {
  if (random.oneIn(8)) return random.pick(ODD);
  const header = random.pick(['n,,', 'y,,', 'p=tls-unique,,', 'n,a=root,', '', 'n', ',,']);
  const name = random.pick(['n=ann', 'n=nobody', 'n=', 'n==2C', 'n==', 'n=a,n=b', 'm=ext,n=ann', `n=${'x'.repeat(random.below(6000))}`]);
  const texts = [
    `${header}${name},r=${'r'.repeat(random.below(400))}`,
    `n,,n=ann,r=${'abc'.repeat(1 + random.below(4))}`,
    `c=biws,r=${nonce},p=${Buffer.alloc(random.pick([20, 32]), random.below(256)).toString('base64')}`,
    `c=${random.pick(['biws', '', '====', 'eSws'])},r=${random.pick([nonce, 'x', ''])},p=${'A'.repeat(random.below(60))}=`,
    '',
  ];
  const bytes = Buffer.from(random.pick(texts));
  if (bytes.length > 0 && random.oneIn(4)) bytes[random.below(bytes.length)] = random.below(256);
  return new Binary(bytes);
}

it('refuses whatever is no login, and goes on', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  let nonce = 'none';
  for (let round = 0; round < ROUNDS; round++) {
    const payload = message(random, nonce);
    const begins = random.below(2) === 0;
    const command: Document = begins
      ? {
          saslStart: 1,
          mechanism: random.oneIn(10) ? random.pick(ODD) : random.pick(['SCRAM-SHA-1', 'SCRAM-SHA-256']),
          payload,
          options: random.oneIn(9) ? random.pick(ODD) : {},
        }
      : { saslContinue: 1, conversationId: random.oneIn(9) ? random.pick(ODD) : 1, payload };
    const answer = await answerOf(client, random.pick(['admin', 'app']), command);
    variety.tried(JSON.stringify(command));
    variety.took(answer.ok === 1 ? 'goes on' : `code ${String(answer.code)}`);
    expect(answer.done).not.toBe(true);
    expect(answer.ok === 1 ? [18] : [14, 17, 18, 334, 40414]).toContain(answer.ok === 1 ? 18 : answer.code);
    if (answer.ok === 1) nonce = /^r=([^,]+)/.exec(Buffer.from((answer.payload as Binary).value()).toString())?.[1] ?? 'none';
    if (round % 100 === 0) expect(await answerOf(client, 'app', { find: 'x' })).toMatchObject({ code: 13 });
  }
  console.log(variety.report('LOGIN_SEED', SEED));
  expect(variety.distinct).toBeGreaterThan(ROUNDS / 3);
  for (const branch of ['goes on', 'code 18', 'code 17', 'code 14']) expect(variety.count(branch)).toBeGreaterThan(10);
});

it('answers commands on users that make no sense with an error of the caller', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  const names = ['createUser', 'updateUser', 'dropUser', 'grantRolesToUser', 'revokeRolesFromUser', 'usersInfo', 'connectionStatus'];
  const fields = ['pwd', 'roles', 'customData', 'mechanisms', 'digestPassword', 'filter', 'showCredentials', 'showPrivileges'];
  for (let round = 0; round < ROUNDS / 2; round++) {
    const name = random.pick(names);
    const command: Document = { [name]: random.oneIn(2) ? 'x' : random.pick(ODD) };
    for (const field of fields)
      if (random.oneIn(5)) command[field] = random.pick(random.oneIn(3) ? ['x', ['read'], [{ role: 'read', db: 'app' }]] : ODD);
    const answer = await answerOf(root, 'app', command);
    variety.tried(JSON.stringify(command));
    variety.took(answer.ok === 1 ? 'done' : 'refused');
    expect([1, 8]).not.toContain(answer.code);
    expect(answer.ok === 1 || typeof answer.code === 'number').toBe(true);
  }
  console.log(variety.report('LOGIN_SEED', SEED));
  expect(variety.distinct).toBeGreaterThan(ROUNDS / 4);
  expect(variety.count('done')).toBeGreaterThan(5);
});
