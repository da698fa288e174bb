import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** What a shop needs to know of a provider. */
export interface RunningProvider {
  readonly issuer: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  stop(): void;
}

/**
 * Starts a provider on this machine, so that the example needs no network. Its pages take any name: it is for this example alone.
 *
 * @param port of the provider; 0 for a free one
 * @param shop origin of the shop
 */
export async function startProvider(port: number, shop: string): Promise<RunningProvider> {
  const client = { clientId: 'shop', clientSecret: randomBytes(24).toString('base64url') };
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${shop}/oauth/company/callback`],
        post_logout_redirect_uris: [`${shop}/`],
      },
    ],
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, name: id, email: `${id}@company.example`, email_verified: true }),
    }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    client,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
