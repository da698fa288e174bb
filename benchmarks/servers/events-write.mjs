// Server-sent events written by hand: the text is made once and written to every response.
import http from 'node:http';
import { publisher } from './events-publish.mjs';
import { say } from './shared.mjs';

const readers = new Set();
const emit = (event) => {
  const text = `event: notes told\ndata: ${JSON.stringify(event)}\n\n`;
  for (const reader of readers) reader.write(text);
};
const read = (req, res) => {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  res.flushHeaders();
  readers.add(res);
  res.on('close', () => readers.delete(res));
};
say(http.createServer(publisher(emit, read)).listen(0, '127.0.0.1'));
