import { startChangeable } from '@framework-internal/testing/oidc';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Fetch } from '../src/index.ts';

import { bearer, type Recorded } from './recorded-answers.ts';

/** A request to a provider. */
export interface AskedProvider {
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Servers of providers that answer as they are recorded. */
export interface RecordedProviders {
  readonly fetch: Fetch;
  readonly asked: AskedProvider[];
  /** Sets who answers, and the nonce of the next ID token. */
  play(recorded: Recorded, clientId: string): void;
  nonce: string | undefined;
  stop(): Promise<void>;
}

export async function startRecorded(): Promise<RecordedProviders> {
  const server = await startChangeable();
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const asked: AskedProvider[] = [];
  const playing: RecordedProviders = {
    asked,
    nonce: undefined,
    // As through a proxy: what is asked goes to one server, which knows whom it stands for.
    fetch: (url, options) => fetch(`${server.url}/?url=${encodeURIComponent(url)}`, options),
    play: ({ metadata, claims, answers }, clientId) => {
      asked.length = 0;
      const answerTo = async (address: URL): Promise<unknown> => {
        const bare = `${address.origin}${address.pathname}`;
        if (bare in answers) return answers[bare];
        if (bare.endsWith('/.well-known/openid-configuration')) return metadata;
        if (bare === metadata?.jwks_uri) return { keys: [key] };
        if (bare !== metadata?.token_endpoint) return undefined;
        const all: Record<string, unknown> = {
          iss: metadata.issuer,
          aud: clientId,
          ...(playing.nonce === undefined ? {} : { nonce: playing.nonce }),
          ...claims,
        };
        const token = new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid: 'one' }).setIssuedAt().setExpirationTime('1h');
        return bearer({ id_token: await token.sign(privateKey) });
      };
      server.listener = (req, res) => {
        const url = new URL(String(new URL(String(req.url), server.url).searchParams.get('url')));
        let body = '';
        req.on('data', (chunk: Buffer) => (body = `${body}${chunk.toString()}`));
        req.on('end', () => {
          asked.push({ url: url.href, headers: req.headers, body });
          void answerTo(url).then((answer) => {
            res.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
          });
        });
      };
    },
    stop: () => server.stop(),
  };
  return playing;
}
