import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import qs from 'qs';
import { NOT_FOUND, say, work } from './shared.mjs';

const app = new Hono();
app.get('/items/:id', async (c) => c.json(await work.get(c.req.param('id'))));
app.get('/items', async (c) => c.json(await work.find({ query: qs.parse(c.req.url.split('?')[1] ?? '') })));
app.post('/items', async (c) => c.json(await work.create(await c.req.json()), 201));
app.onError((error, c) => c.json(NOT_FOUND, error.status ?? 500));
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
say(server);
