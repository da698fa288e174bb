// PORT and ADMIN_KEY change what stands here.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { shutdownOn } from '@framework/transport-express';
import { createApp } from './app.ts';

const { PORT = '3030', ADMIN_KEY = randomBytes(16).toString('base64url') } = process.env;
const app = createApp(ADMIN_KEY, ({ path, method, provider }) => {
  console.log(`${path}.${method} by ${provider ?? 'the server'}`);
});
const server = await app.listen(Number(PORT), 'localhost');
shutdownOn(app, ['SIGINT', 'SIGTERM', 'disconnect']);
await app.service('people').create({ firstName: 'Ann', lastName: 'Lee' });

const url = `http://localhost:${String((server.address() as AddressInfo).port)}`;
console.log(`
The application is ready at ${url}

  People, in the second version of the API and in the first:
    curl '${url}/v2/people'
    curl -i '${url}/v1/people'

  One more:
    curl '${url}/v2/people' -H 'Content-Type: application/json' -d '{"firstName":"Bob","lastName":"Ray"}'

  Behind a key:
    curl '${url}/admin/counts' -H 'X-Admin-Key: ${ADMIN_KEY}'
`);
