// Compiled by the type check, never run: what an application says of its connections.
import { framework } from '@framework/core';
import type { Connection } from '../src/index.ts';

declare module '../src/index.ts' {
  interface Connection {
    user?: { readonly id: number; readonly roles: readonly string[] };
  }
}

const app = framework();
app.on('connection', (connection: Connection) => app.channel('anonymous').join(connection));
app
  .channel('authenticated')
  .filter(({ user }) => user?.roles.includes('admin'))
  .leave((connection) => connection.user?.id === 1);
const [first] = app.channel('authenticated').connections;
if (first) first.user = { id: 1, roles: [] };
// @ts-expect-error it may be nobody's
app.channel('authenticated').filter((connection) => connection.user.id === 1);
// @ts-expect-error nothing is said of others
app.channel('authenticated').filter((connection) => connection.device.id === 1);
