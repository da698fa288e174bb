// Events of several processes of the incumbent, with feathers-sync over Redis.
import express from '@feathersjs/express';
import feathers from '@feathersjs/feathers';
import socketio from '@feathersjs/socketio';
import sync from 'feathers-sync';
import { NO_PINGS } from './events-publish.mjs';
import { say } from './shared.mjs';

const app = express.default(feathers.feathers());
app.configure(sync({ uri: process.env.EVENTS_URL }));
app.use(express.json());
app.configure(express.rest());
app.configure(socketio({ ...NO_PINGS }));
app.use('notes', { create: async (data) => data });
app.service('notes').publish(() => app.channel('everybody'));
app.on('connection', (connection) => app.channel('everybody').join(connection));
app.use(express.errorHandler({ logger: false }));
say(await app.listen(0, '127.0.0.1'));
