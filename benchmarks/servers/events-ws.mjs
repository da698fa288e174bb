// Connections of `ws` alone.
import http from 'node:http';
import { WebSocketServer } from 'ws';
import { publisher } from './events-publish.mjs';
import { say } from './shared.mjs';

const sockets = new Set();
const server = http.createServer(
  publisher((event) => {
    const text = JSON.stringify(['notes told', event]);
    for (const socket of sockets) socket.send(text);
  }),
);
new WebSocketServer({ server, path: '/socket.io/' }).on('connection', (socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
});
say(server.listen(0, '127.0.0.1'));
