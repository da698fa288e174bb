// Events over sockets and streams, and calls. `POST /publish` with `{ count, bytes }` publishes so many events of so many bytes to everybody.
import { channels } from '@framework/channels';
import { framework } from '@framework/core';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { socketio } from '@framework/transport-socketio';
import { sse } from '@framework/transport-sse';
import { NO_PINGS, publishAll } from './events-publish.mjs';
import { RECORD, say } from './shared.mjs';

const app = express(framework());
// Readers that stop are to stay: what they cost is measured.
app.configure(channels({ lagTimeout: 3_600_000 }));
app
  .use(json())
  .configure(rest())
  .configure(sse({ maxStreams: 20_000, maxPerAddress: 20_000 }))
  .configure(socketio({ ...NO_PINGS, maxPerAddress: 20_000 }));
app.use('notes', { get: async () => RECORD }, { events: ['told'] });
app.use('publish', {
  async create(order) {
    await publishAll(order, (event) => app.service('notes').emit('told', event));
    return {};
  },
});
app.service('notes').publish(() => app.channel('everybody'));
app.on('connection', (connection) => app.channel('everybody').join(connection));
app.use(errorHandler({ logger: false }));
say(await app.listen(0, '127.0.0.1'));
