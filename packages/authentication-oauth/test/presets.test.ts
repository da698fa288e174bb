import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, exportPKCS8, generateKeyPair } from 'jose';
import { OAuthStrategy, providers, type OAuthData, type OAuthProfile } from '../src/index.ts';
import { answerAt, API, CLIENT, exchange, startShop } from './harness.ts';
import { RECORDED } from './recorded-answers.ts';
import { startRecorded, type RecordedProviders } from './recorded.ts';

let database: TestDatabase;
let recorded: RecordedProviders;
beforeAll(async () => {
  database = await startDatabase();
  recorded = await startRecorded();
});
afterAll(async () => {
  await recorded.stop();
  await database.close();
});

const profiles: OAuthProfile[] = [];
class Noting extends OAuthStrategy {
  override async getProfile(data: OAuthData): Promise<OAuthProfile> {
    profiles.push(data.profile);
    return Promise.resolve(data.profile);
  }
}

describe('presets', () => {
  it('each one has an answer that was recorded', () => {
    expect(RECORDED.map(({ name }) => name).sort()).toEqual(
      Object.keys(providers)
        .filter((name) => name !== 'openid')
        .sort(),
    );
  });

  it.each(RECORDED)('$name', async (one) => {
    const { name, settings = {}, expected } = one;
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const signed =
      name === 'apple' ? { clientId: CLIENT.clientId, teamId: 'TEAM', keyId: 'KEY', privateKey: await exportPKCS8(privateKey) } : CLIENT;
    recorded.play(one, CLIENT.clientId);
    const shop = await startShop({
      oauth: { [name]: { ...signed, ...settings } },
      options: { fetch: recorded.fetch },
      strategies: { [name]: new Noting() },
      database,
    });
    const browser = shop.browser();
    const start = await browser.request(`${API}/oauth/${name}`);
    const { host, pathname, searchParams } = new URL(String(start.headers.location));
    expect([`${host}${pathname}`, searchParams.get('scope')]).toEqual([expected.authorization, expected.scope]);
    recorded.nonce = searchParams.get('nonce') ?? undefined;
    const answer: Record<string, string> = { code: 'code-of-the-provider', state: String(searchParams.get('state')) };
    if (name === 'keycloak') answer.iss = 'https://id.example.com/realms/shop';
    // Only its first login has the name, and it comes from the browser.
    if (name === 'apple') answer.user = JSON.stringify({ name: { firstName: 'Ann', lastName: 'Lee' }, email: 'victim@example.com' });
    const body = new URLSearchParams(answer).toString();
    const posted = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const end = await browser.request(
      name === 'apple' ? `${API}/oauth/apple/callback` : `${API}/oauth/${name}/callback?${body}`,
      name === 'apple' ? posted : {},
    );
    const { access_token: ticket } = answerAt({ url: String(end.headers.location), answer: undefined });
    expect((await exchange(shop, ticket)).body.user).toMatchObject({ [`${name}Id`]: expected.subject });
    const profile = profiles.at(-1) as OAuthProfile;
    expect([providers[name]?.emailVerified(profile), profile.email]).toEqual([expected.verified, expected.email]);
    const token = recorded.asked.find(({ body: asked }) => asked.includes('code-of-the-provider'));
    expect(token?.body).toMatch(/code_verifier=[\w-]{43}/);
    if (name === 'apple') {
      expect(profile.name).toBe('Ann Lee');
      expect(start.headers['set-cookie']?.[0]).toContain('; Secure; HttpOnly; SameSite=None;');
      const secret = decodeJwt(String(new URLSearchParams(token?.body).get('client_secret')));
      expect(secret).toMatchObject({ iss: 'TEAM', sub: CLIENT.clientId, aud: 'https://appleid.apple.com' });
    }
    if (name === 'x' || name === 'okta') expect(token?.headers.authorization).toMatch(/^Basic /);
    await shop.stop();
  });

  it('addresses that a provider only passes on are not verified by it', () => {
    const google = providers.google?.emailVerified as (profile: OAuthProfile) => boolean;
    expect(google({ email: 'ann@example.com', email_verified: true })).toBe(false);
    expect(google({ email: 'ann@example.com', email_verified: true, hd: 'example.com' })).toBe(true);
    expect(google({ email: 'ann@gmail.com', email_verified: 'true' })).toBe(false);
    const microsoft = providers.microsoft?.emailVerified as (profile: OAuthProfile) => boolean;
    expect([microsoft({ email_verified: true }), microsoft({ xms_edov: true }), microsoft({ xms_edov: '1' })]).toEqual([false, true, true]);
  });
});
