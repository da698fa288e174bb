// Events of several processes: EVENTS_URL names the database or the Redis whose log they share. In a database each note is stored together with its event.
import { DocDbService, eventLog } from '@framework/adapter-docdb';
import { channels } from '@framework/channels';
import { framework } from '@framework/core';
import { redisEventLog } from '@framework/events-redis';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { socketio } from '@framework/transport-socketio';
import { MongoClient } from 'mongodb';
import { createClient } from 'redis';
import { NO_PINGS } from './events-publish.mjs';
import { say } from './shared.mjs';

const url = process.env.EVENTS_URL;
const app = express(framework());

async function shareInDatabase() {
  const db = (await new MongoClient(url).connect()).db('bench');
  app.configure(channels({ log: eventLog(db) }));
  app.use('notes', new DocDbService({ Model: db.collection('notes') }), { durable: true });
}

function shareInRedis() {
  app.configure(channels({ log: redisEventLog(createClient({ url }).on('error', console.error)) }));
  app.use('notes', { create: async (data) => data });
}

await (url.startsWith('redis:') ? shareInRedis() : shareInDatabase());
app.use(json()).configure(rest()).configure(socketio(NO_PINGS));
app.service('notes').publish(() => app.channel('everybody'));
app.on('connection', (connection) => app.channel('everybody').join(connection));
app.use(errorHandler({ logger: false }));
say(await app.listen(0, '127.0.0.1'));
