// Node's own server and qs, by hand: what everything is compared with.
import http from 'node:http';
import qs from 'qs';
import { NOT_FOUND, say, work } from './shared.mjs';

function answer(res, status, body) {
  const text = JSON.stringify(body);
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}

async function handle(req, res, body) {
  const mark = req.url.indexOf('?');
  const path = mark < 0 ? req.url : req.url.slice(0, mark);
  const query = mark < 0 ? {} : qs.parse(req.url.slice(mark + 1));
  try {
    if (req.method === 'POST' && path === '/items') answer(res, 201, await work.create(JSON.parse(body)));
    else if (path === '/items') answer(res, 200, await work.find({ query }));
    else answer(res, 200, await work.get(decodeURIComponent(path.slice('/items/'.length))));
  } catch (error) {
    answer(res, error.status ?? 500, NOT_FOUND);
  }
}

const server = http.createServer((req, res) => {
  if (req.method !== 'POST') {
    void handle(req, res);
    return;
  }
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => void handle(req, res, Buffer.concat(chunks).toString()));
});
say(server.listen(0, '127.0.0.1'));
