import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { URI, type TOTP } from 'otpauth';
import { blocksOf, filesOf } from './guide-text.ts';
import { startGuide } from './running-guide.ts';

const { 'app.js': application = '', ...others } = filesOf(blocksOf('second-factors'));
/** What the server does with users and what it has stored, for the tests alone. */
const INSIDE = `app.use('inside', {
  find: async ({ query }) => db.collection(query.of).find().toArray(),
  patch: async (id, data) => app.service('users').patch(id, data),
});
const server =`;

type Answer = { readonly status: number; readonly body: Record<string, any> };
type Call = (method: string, path: string, body?: object, token?: string) => Promise<Answer>;

interface Started {
  readonly call: Call;
  /** The records of a collection that hold this, as the server has them. */
  stored(collection: string, part: object): Promise<Record<string, any>[]>;
  /** What was sent to an address, in its order, when there are so many. */
  mailed(email: string, count?: number): Promise<readonly Mail[]>;
  stop(): Promise<void>;
}

interface Mail {
  readonly subject: string;
  readonly token: string;
}

async function start(files: Readonly<Record<string, string>>): Promise<Started> {
  const env = { PORT: '0', AUTH_SECRET: randomBytes(48).toString('base64') };
  const { url, folder, stop } = await startGuide(application.replace('const server =', INSIDE), env, files);
  const call: Call = async (method, path, body, token) => {
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const response = await fetch(`${url}/${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: response.status, body: (await response.json()) as Record<string, any> };
  };
  return {
    call,
    stop,
    async stored(collection, part) {
      const records = (await call('GET', `inside?of=${collection}`)).body as unknown as Record<string, any>[];
      return records.filter((record) => Object.entries(part).every(([name, value]) => record[name] === value));
    },
    async mailed(email, count = 1) {
      const file = join(folder, 'mails.txt');
      for (;;) {
        const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
        const mails = lines.filter((line) => line.split(' ')[1] === email);
        if (mails.length >= count)
          return mails.map((line) => ({ subject: String(line.split(' ')[0]), token: String(line.split(' ').at(-1)) }));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

let server: Started;
beforeAll(async () => {
  server = await start(others);
});
afterAll(() => server.stop());

let users = 0;

interface Registered extends Started {
  readonly id: string;
  readonly email: string;
  readonly login: { readonly strategy: string; readonly email: string; readonly password: string };
}

/** Registers somebody, who says that the address is verified. */
async function register(at: Started = server): Promise<Registered> {
  const email = `user${String(++users)}@example.com`;
  const credentials = { email, password: 'correct horse' };
  const { status, body } = await at.call('POST', 'users', { ...credentials, emailVerified: true });
  expect(status).toBe(201);
  return { ...at, id: body._id as string, email, login: { strategy: 'local', ...credentials } };
}

interface TurnedOn extends Registered {
  readonly totp: TOTP;
  readonly recoveryCodes: readonly string[];
}

/** Registers somebody with a second factor, that was turned on with the code of half a minute ago: the next ones are free. */
async function turnOn(): Promise<TurnedOn> {
  const user = await register();
  const { accessToken } = (await user.call('POST', 'authentication', user.login)).body as { accessToken: string };
  const { url } = (await user.call('POST', 'second-factor', {}, accessToken)).body as { url: string };
  const totp = URI.parse(url) as TOTP;
  const { status, body } = await user.call('PATCH', 'second-factor', { code: codeOf(totp, -1) }, accessToken);
  expect(status).toBe(200);
  return { ...user, totp, recoveryCodes: body.recoveryCodes as string[] };
}

/** The code of so many half minutes from now. */
const codeOf = (totp: TOTP, steps: number): string => totp.generate({ timestamp: Date.now() + steps * 30_000 });

/** Away from the end of a half minute, in which codes count for one less. */
async function beginHalfMinute(): Promise<void> {
  while (Date.now() % 30_000 > 20_000) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('S26 with a second factor', () => {
  it('the password alone gives no token of any kind', async () => {
    const { call, login } = await turnOn();
    const { status, body } = await call('POST', 'authentication', login);
    expect(status).toBe(401);
    expect(JSON.stringify(body)).not.toMatch(/ey[\w-]+\.|oken/);
    expect(body.data).toEqual({ name: 'CodeNeeded' });
  });

  it('codes of this half minute, the one before and the one behind are taken, and no others', async () => {
    await beginHalfMinute();
    const { call, login, totp } = await turnOn();
    const statuses: number[] = [];
    // One that was taken is the first that counts no more; a login that is let in begins the limiter anew.
    for (const steps of [-2, 0, 1, 2])
      statuses.push((await call('POST', 'authentication', { ...login, code: codeOf(totp, steps) })).status);
    expect(statuses).toEqual([401, 201, 201, 401]);
  });

  it('a code is taken once, also when several logins bring it at once', async () => {
    const { call, login, totp } = await turnOn();
    const code = codeOf(totp, 1);
    const answers = await Promise.all([1, 2, 3, 4].map(async () => call('POST', 'authentication', { ...login, code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
  });

  it.each([[{ toString: 1 }], [['123456']], [123_456], [null], [true]])('a code that is %j is none', async (code) => {
    const { call, login } = await turnOn();
    expect((await call('POST', 'authentication', { ...login, code })).body).toMatchObject({ code: 401, data: { name: 'CodeNeeded' } });
    const other = await register();
    const { accessToken } = (await call('POST', 'authentication', other.login)).body as { accessToken: string };
    await call('POST', 'second-factor', {}, accessToken);
    expect((await call('PATCH', 'second-factor', { code }, accessToken)).status).toBe(400);
  });

  it('a code in a list is not taken for the code', async () => {
    const { call, login, totp, recoveryCodes } = await turnOn();
    const statuses: number[] = [];
    for (const code of [codeOf(totp, 1), recoveryCodes[0]])
      statuses.push((await call('POST', 'authentication', { ...login, code: [code] })).status);
    expect(statuses).toEqual([401, 401]);
  });

  it('the sixth code within a quarter of an hour is not looked at', async () => {
    const { call, login, totp } = await turnOn();
    const statuses: number[] = [];
    for (let round = 0; round < 5; round++) statuses.push((await call('POST', 'authentication', { ...login, code: 'no code' })).status);
    statuses.push((await call('POST', 'authentication', { ...login, code: codeOf(totp, 1) })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('a recovery code is taken once, also when several logins bring it at once', async () => {
    const { call, login, recoveryCodes } = await turnOn();
    const answers = await Promise.all([1, 2, 3].map(async () => call('POST', 'authentication', { ...login, code: recoveryCodes[0] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
  });

  it('a recovery code is one of its user alone', async () => {
    const { recoveryCodes } = await turnOn();
    const { call, login } = await turnOn();
    expect((await call('POST', 'authentication', { ...login, code: recoveryCodes[0] })).status).toBe(401);
  });

  it('recovery codes are kept as digests', async () => {
    const { id, stored, recoveryCodes } = await turnOn();
    const kept = await stored('recovery-codes', { user: id });
    const digests = recoveryCodes.map((code) => createHash('sha256').update(`${id} ${code}`).digest('hex'));
    expect(recoveryCodes).toHaveLength(10);
    expect(kept.map((record) => record._id as string).sort()).toEqual(digests.sort());
  });

  it('it is turned on by a code alone, by one of two at once, and not again', async () => {
    const { call, login } = await register();
    const { accessToken } = (await call('POST', 'authentication', login)).body as { accessToken: string };
    const { url } = (await call('POST', 'second-factor', {}, accessToken)).body as { url: string };
    const code = codeOf(URI.parse(url) as TOTP, 0);
    expect((await call('PATCH', 'second-factor', { code: 'none' }, accessToken)).status).toBe(400);
    const answers = await Promise.all([1, 2].map(async () => call('PATCH', 'second-factor', { code }, accessToken)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await call('POST', 'second-factor', {}, accessToken)).status).toBe(404);
  });

  it('a reset of the password does not pass it', async () => {
    const { call, mailed, email, login } = await turnOn();
    await call('POST', 'password-resets', { email });
    const [mail] = await mailed(email);
    const { status, body } = await call('PATCH', 'password-resets', { token: mail?.token, password: 'battery staple' });
    expect([status, body]).toEqual([200, { changed: true }]);
    expect((await call('POST', 'authentication', { ...login, password: 'battery staple' })).body.data).toEqual({ name: 'CodeNeeded' });
  });

  it('nothing of it leaves the server with the user', async () => {
    const { call, login, totp } = await turnOn();
    const { body } = await call('POST', 'authentication', { ...login, code: codeOf(totp, 1) });
    expect(Object.keys(body.user as object).sort()).toEqual(['_id', 'email']);
  });
});

describe('S27 a token that was sent', () => {
  /** Registers somebody who has forgotten the password. */
  async function forgetful(at: Started = server): Promise<Registered & { readonly token: string }> {
    const user = await register(at);
    await user.call('POST', 'password-resets', { email: user.email });
    const [mail] = await user.mailed(user.email);
    return { ...user, token: String(mail?.token) };
  }

  it('has 256 bits, and is kept as a digest', async () => {
    const { token, stored, email } = await forgetful();
    const kept = await stored('mailed-tokens', { email });
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(kept.map(({ _id }) => _id as string)).toEqual([createHash('sha256').update(`password reset ${token}`).digest('hex')]);
    expect(JSON.stringify(kept)).not.toContain(token);
  });

  it('is taken once, also when two bring it at once', async () => {
    const { call, token } = await forgetful();
    const set = async (password: string): Promise<Answer> => call('PATCH', 'password-resets', { token, password });
    const answers = await Promise.all([set('one password'), set('another one')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('ends the sessions of the user', async () => {
    const { call, token, login } = await forgetful();
    const { body } = await call('POST', 'authentication', login);
    await call('PATCH', 'password-resets', { token, password: 'battery staple' });
    const refreshed = await call('POST', 'authentication', { strategy: 'refresh', refreshToken: body.refreshToken });
    expect([(await call('POST', 'second-factor', {}, body.accessToken as string)).status, refreshed.status]).toEqual([401, 401]);
  });

  it('counts no longer than it may', async () => {
    const short = String(others['mailed-tokens.js']).replace('Date.now() + HOUR)', 'Date.now() - 1)');
    const late = await start({ ...others, 'mailed-tokens.js': short });
    try {
      const { call, token, stored, email } = await forgetful(late);
      expect(await stored('mailed-tokens', { email })).toHaveLength(1);
      expect((await call('PATCH', 'password-resets', { token, password: 'battery staple' })).body.message).toBe('Invalid token');
    } finally {
      await late.stop();
    }
  });

  it('is for the address that it was sent to', async () => {
    const { call, token, id } = await forgetful();
    expect((await call('PATCH', `inside/${id}`, { email: `other.${id}@example.com` })).status).toBe(200);
    expect((await call('PATCH', 'password-resets', { token, password: 'battery staple' })).status).toBe(400);
  });

  it('is for one purpose', async () => {
    const { call, token } = await forgetful();
    expect((await call('PATCH', 'email-verifications', { token })).status).toBe(400);
  });

  it('verifies an address, which nobody can say of their own', async () => {
    const { call, mailed, stored, email } = await register();
    expect((await stored('users', { email }))[0]).not.toHaveProperty('emailVerified');
    await call('POST', 'email-verifications', { email });
    const [mail] = await mailed(email);
    expect((await call('PATCH', 'email-verifications', { token: mail?.token })).body).toEqual({ verified: true });
    expect((await stored('users', { email }))[0]?.emailVerified).toBe(true);
  });

  it('is a text, and nothing that has it', async () => {
    const { call, token } = await forgetful();
    const answers: number[] = [];
    for (const given of [[token], { toString: 1 }, null, undefined]) {
      answers.push((await call('PATCH', 'password-resets', { token: given, password: 'battery staple' })).status);
      answers.push((await call('PATCH', 'email-verifications', { token: given })).status);
    }
    expect(answers).toEqual(answers.map(() => 400));
    expect((await call('PATCH', 'password-resets', { token, password: 'battery staple' })).status).toBe(200);
  });

  it('is not used up by a password that is refused', async () => {
    const { call, token } = await forgetful();
    expect((await call('PATCH', 'password-resets', { token, password: 'short' })).status).toBe(400);
    expect((await call('PATCH', 'password-resets', { token, password: 'battery staple' })).status).toBe(200);
  });

  it('comes three times an hour, and the answer does not tell', async () => {
    const { call, mailed, email } = await register();
    for (let count = 1; count <= 3; count++) {
      await call('POST', 'password-resets', { email });
      await mailed(email, count);
    }
    const fourth = await call('POST', 'password-resets', { email });
    expect(fourth).toEqual(await call('POST', 'password-resets', { email: 'nobody@example.com' }));
    // One for another purpose comes behind the fourth.
    await call('POST', 'email-verifications', { email });
    expect((await mailed(email, 4)).map(({ subject }) => subject)).toEqual(['reset', 'reset', 'reset', 'verify']);
  });
});

it.each([
  {},
  [],
  [{ email: 'list@example.com', password: 'correct horse' }],
  { email: 'none@example.com' },
  { email: { $ne: 1 }, password: 'correct horse' },
])('the guide registers nobody by %j', async (body) => {
  expect((await server.call('POST', 'users', body)).status).toBe(400);
});
