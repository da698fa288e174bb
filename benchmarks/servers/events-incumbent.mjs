// Events and calls of the incumbent over its Socket.IO transport.
import express from '@feathersjs/express';
import feathers from '@feathersjs/feathers';
import socketio from '@feathersjs/socketio';
import { NO_PINGS, publishAll } from './events-publish.mjs';
import { RECORD, say } from './shared.mjs';

const app = express.default(feathers.feathers());
app.use(express.json());
app.configure(express.rest());
app.configure(socketio({ ...NO_PINGS }));
app.use('notes', { get: async () => RECORD }, { events: ['told'] });
app.use('publish', {
  async create(order) {
    await publishAll(order, (event) => app.service('notes').emit('told', event));
    return {};
  },
});
app.service('notes').publish(() => app.channel('everybody'));
app.on('connection', (connection) => app.channel('everybody').join(connection));
app.use(express.errorHandler({ logger: false }));
say(await app.listen(0, '127.0.0.1'));
