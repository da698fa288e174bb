// Events over sockets and streams. `POST /publish` with `{ count, bytes }` publishes so many events of so many bytes to everybody.
import { channels } from '@framework/channels';
import { framework } from '@framework/core';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { socketio } from '@framework/transport-socketio';
import { sse } from '@framework/transport-sse';
import { say } from './shared.mjs';

const app = express(framework());
// Readers that stop are to stay: what they cost is measured.
app.configure(channels({ lagTimeout: 3_600_000 }));
app
  .use(json())
  .configure(rest())
  .configure(sse())
  .configure(socketio({ pingTimeout: 3_600_000 }));
app.use('notes', { get: async (id) => ({ id }) }, { events: ['told'] });
app.use('publish', {
  async create({ count, bytes }) {
    const notes = app.service('notes');
    for (let number = 0; number < count; number++) {
      notes.emit('told', { number, text: String(number).padEnd(bytes, 'x') });
      // Others have their turn.
      if (number % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return { count };
  },
});
app.service('notes').publish(() => app.channel('everybody'));
app.on('connection', (connection) => app.channel('everybody').join(connection));
app.use(errorHandler({ logger: false }));
say(await app.listen(0, '127.0.0.1'));
