import http from 'node:http';
import express, { json, rest, errorHandler } from '@framework/transport-express';
import { framework } from '@framework/core';
import { say, workWith } from './shared.mjs';
const mode = process.env.MODE;
if (mode === 'raw-created' || mode === 'raw') {
  const { createApplicationServer } = await import('../../packages/transport-express/dist/application/application-server.js');
  const fn = (req, res) => {
    const c = [];
    req.on('data', (x) => c.push(x));
    req.on('end', () => {
      const b = JSON.parse(Buffer.concat(c).toString());
      const t = JSON.stringify({ id: 2, ...b });
      res.writeHead(201, { 'Content-Length': Buffer.byteLength(t) });
      res.end(t);
    });
  };
  fn.request = Object.create(Object.create(http.IncomingMessage.prototype));
  fn.response = Object.create(Object.create(http.ServerResponse.prototype));
  say((mode === 'raw' ? http.createServer(fn) : createApplicationServer(fn)).listen(0, '127.0.0.1'));
} else {
  const app = express(framework());
  if (mode.includes('slow')) app.disable('fast dispatch');
  if (mode.includes('hand')) {
    app.use((req, res, next) => {
      const c = [];
      req.on('data', (x) => c.push(x));
      req.on('end', () => {
        req.body = JSON.parse(Buffer.concat(c).toString());
        next();
      });
    });
  } else if (mode.includes('direct')) {
    app.use((req, res, next) => {
      const c = [];
      req.on('data', (x) => c.push(x));
      req.on('end', () => {
        const b = JSON.parse(Buffer.concat(c).toString());
        const t = JSON.stringify({ id: 2, ...b });
        res.writeHead(201, { 'Content-Length': Buffer.byteLength(t) });
        res.end(t);
      });
    });
  } else if (mode !== 'exjson') app.use(json());
  else app.use(express.original.json());
  if (mode.includes('end'))
    app.use((req, res) => {
      const t = JSON.stringify({ id: 2, ...req.body });
      res.writeHead(201, { 'Content-Length': Buffer.byteLength(t) });
      res.end(t);
    });
  app.configure(rest());
  app.use(
    'items',
    workWith(() => new Error('x')),
  );
  app.use(errorHandler());
  if (mode === 'plainserver') say(http.createServer(app).listen(0, '127.0.0.1'));
  else say(await app.listen(0, '127.0.0.1'));
}
