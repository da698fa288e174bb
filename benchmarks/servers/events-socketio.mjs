// Socket.IO alone: events to one room, and a call with an acknowledgement.
import http from 'node:http';
import { Server } from 'socket.io';
import { NO_PINGS, publisher } from './events-publish.mjs';
import { RECORD, say } from './shared.mjs';

const server = http.createServer(publisher((event) => io.to('everybody').emit('notes told', event)));
const io = new Server(server, { ...NO_PINGS, connectionStateRecovery: { maxDisconnectionDuration: 120_000 } });
io.on('connection', (socket) => {
  socket.join('everybody');
  socket.on('get', (path, id, query, done) => done(null, RECORD));
});
say(server.listen(0, '127.0.0.1'));
