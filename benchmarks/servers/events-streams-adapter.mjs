// Events of several processes with Socket.IO alone, over its adapter for Redis Streams.
import http from 'node:http';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import { createClient } from 'redis';
import { Server } from 'socket.io';
import { NO_PINGS } from './events-publish.mjs';
import { say } from './shared.mjs';

const client = await createClient({ url: process.env.EVENTS_URL }).connect();
const server = http.createServer(async (req, res) => {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) text += chunk;
  io.to('everybody').emit('notes created', JSON.parse(text));
  res.writeHead(201, { 'Content-Type': 'application/json' }).end(text);
});
const io = new Server(server, { ...NO_PINGS, adapter: createAdapter(client) });
io.on('connection', (socket) => socket.join('everybody'));
say(server.listen(0, '127.0.0.1'));
