import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose';
import { startChangeable } from './changeable-server.ts';

/** What a bad provider does wrong. */
export interface Misbehaviour {
  /** Claims of the ID token that differ. `undefined` leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signature of the ID token. Default: RS256 with the key of the provider. */
  readonly signature?: 'none' | 'HS256' | 'other-key' | 'unknown-kid';
  /** `iss` of the answer; `null` for none. Default: the issuer. */
  readonly iss?: string | null;
  /** Codes are exchanged without a look at the verifier, as by providers that do not know PKCE. */
  readonly ignoresPkce?: boolean;
  /** Claims of userinfo that differ. */
  readonly userinfo?: Readonly<Record<string, unknown>>;
  /** Userinfo comes as a signed token; by whose key. Default: it comes as JSON. */
  readonly userinfoToken?: 'own-key' | 'other-key';
  /** How an address answers. */
  readonly answers?: Readonly<
    Partial<Record<'token' | 'userinfo' | 'jwks' | 'metadata', 'huge' | 'redirect' | 'silence' | 'broken' | 'html' | 'jwt' | 500>>
  >;
  /** Metadata that differ. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A provider that can be told to do wrong. It logs in whomever it is told to, and asks nobody. */
export interface BadProvider {
  readonly issuer: string;
  does: Misbehaviour;
  /** Who logs in. */
  subject: string;
  /** Codes that were given, the latest last. */
  readonly codes: string[];
  /** Bodies of requests to the token address. */
  readonly tokenRequests: URLSearchParams[];
  /** How often each path was asked. */
  readonly asked: Map<string, number>;
  /** Changes the key of the provider: the one before does not count any more. */
  rotate(): Promise<void>;
  /** Signs claims as the provider does. */
  sign(claims: JWTPayload, type?: string): Promise<string>;
  stop(): Promise<void>;
}

const WHAT: Readonly<Record<string, keyof NonNullable<Misbehaviour['answers']>>> = {
  '/.well-known/openid-configuration': 'metadata',
  '/jwks': 'jwks',
  '/token': 'token',
  '/me': 'userinfo',
};

interface Given {
  readonly nonce: string | undefined;
  readonly challenge: string;
  readonly subject: string;
}

/** Starts a provider for one client. */
export async function startBadProvider(clientId: string, clientSecret: string): Promise<BadProvider> {
  const server = await startChangeable();
  const other = await generateKeyPair('RS256');
  const newKey = async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const kid = randomBytes(4).toString('hex');
    return { kid, privateKey, shown: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
  };
  let own = await newKey();
  const given = new Map<string, Given>();
  const silent = new Set<ServerResponse>();
  const now = (): number => Math.floor(performance.timeOrigin / 1000 + performance.now() / 1000);

  const sign = async (claims: JWTPayload, type = 'JWT'): Promise<string> => {
    const { signature } = provider.does;
    if (signature === 'none') return new UnsecuredJWT(claims).encode();
    if (signature === 'HS256') return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret));
    const kid = signature === 'unknown-kid' ? randomBytes(4).toString('hex') : own.kid;
    return signedBy(signature === 'other-key' ? other.privateKey : own.privateKey, claims, { kid, typ: type });
  };

  const userinfoBy = (whose: 'own-key' | 'other-key', claims: JWTPayload): Promise<string> =>
    signedBy(whose === 'own-key' ? own.privateKey : other.privateKey, { iss: server.url, aud: clientId, ...claims }, { kid: own.kid });

  const provider: BadProvider = {
    issuer: server.url,
    does: {},
    subject: 'ann',
    codes: [],
    tokenRequests: [],
    asked: new Map(),
    rotate: async () => {
      own = await newKey();
    },
    sign,
    stop: async () => {
      for (const res of silent) res.destroy();
      await server.stop();
    },
  };

  const metadata = (): object => ({
    issuer: server.url,
    authorization_endpoint: `${server.url}/auth`,
    token_endpoint: `${server.url}/token`,
    userinfo_endpoint: `${server.url}/me`,
    jwks_uri: `${server.url}/jwks`,
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ['RS256'],
    ...provider.does.metadata,
  });

  const authorize = (query: URLSearchParams, res: ServerResponse): void => {
    const code = randomBytes(16).toString('hex');
    provider.codes.push(code);
    given.set(code, {
      nonce: query.get('nonce') ?? undefined,
      challenge: query.get('code_challenge') ?? '',
      subject: provider.subject,
    });
    const { iss = server.url } = provider.does;
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    if (iss !== null) back.searchParams.set('iss', iss);
    res.writeHead(303, { location: back.href }).end();
  };

  const token = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = new URLSearchParams(await textOf(req));
    provider.tokenRequests.push(body);
    const known = given.get(body.get('code') ?? '');
    given.delete(body.get('code') ?? '');
    const isVerified =
      known !== undefined && (provider.does.ignoresPkce === true || challengeOf(body.get('code_verifier') ?? '') === known.challenge);
    if (!isVerified) {
      json(res, { error: 'invalid_grant', error_description: `<b>the code ${String(body.get('code'))}</b>` }, 400);
      return;
    }
    const claims = {
      iss: server.url,
      aud: clientId,
      sub: known.subject,
      iat: now(),
      exp: now() + 300,
      nonce: known.nonce,
      ...provider.does.claims,
    };
    const tokens = { access_token: `access-of-${known.subject}`, token_type: 'Bearer', expires_in: 300, id_token: await sign(claims) };
    json(res, padded('token', tokens));
  };

  /** An answer that is right, and as large as it should not be. */
  const padded = (what: keyof NonNullable<Misbehaviour['answers']>, value: object): object =>
    provider.does.answers?.[what] === 'huge' ? { ...value, padding: 'x'.repeat(1_048_576) } : value;

  const misbehaves = (what: keyof NonNullable<Misbehaviour['answers']>, res: ServerResponse): boolean => {
    const how = provider.does.answers?.[what];
    if (how === undefined || how === 'huge') return false;
    if (how === 'silence') silent.add(res);
    else if (how === 'redirect') res.writeHead(302, { location: 'http://127.0.0.1:9/secrets' }).end();
    else if (how === 'html') res.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>');
    else if (how === 'jwt') res.writeHead(200, { 'content-type': 'application/jwt' }).end('e30.e30.e30');
    else if (how === 500) res.writeHead(500).end();
    else res.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":');
    return true;
  };

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(req.url ?? '/', server.url);
    provider.asked.set(pathname, (provider.asked.get(pathname) ?? 0) + 1);
    const what = WHAT[pathname];
    if (pathname === '/auth') authorize(searchParams, res);
    else if (what === undefined) res.writeHead(404).end();
    else if (misbehaves(what, res)) return;
    else if (what === 'metadata') json(res, padded('metadata', metadata()));
    else if (what === 'jwks') json(res, padded('jwks', { keys: [own.shown] }));
    else if (what === 'token') await token(req, res);
    else {
      const subject = String(req.headers.authorization).replace('Bearer access-of-', '');
      const claims = { sub: subject, email: `${subject}@example.com`, email_verified: true, ...provider.does.userinfo };
      const { userinfoToken } = provider.does;
      if (userinfoToken === undefined) json(res, padded('userinfo', claims));
      else res.writeHead(200, { 'content-type': 'application/jwt' }).end(await userinfoBy(userinfoToken, claims));
    }
  };
  server.listener = (req, res) => void answer(req, res);
  return provider;
}

function signedBy(key: CryptoKey, claims: JWTPayload, header: { readonly kid: string; readonly typ?: string }): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(key);
}

function json(res: ServerResponse, value: unknown, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
