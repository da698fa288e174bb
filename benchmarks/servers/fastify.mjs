import fastify from 'fastify';
import qs from 'qs';
import { NOT_FOUND, say, work } from './shared.mjs';

const app = fastify({ routerOptions: { querystringParser: (text) => qs.parse(text) } });
app.get('/items/:id', (req) => work.get(req.params.id));
app.get('/items', (req) => work.find({ query: req.query }));
app.post('/items', async (req, reply) => reply.code(201).send(await work.create(req.body)));
app.setErrorHandler((error, _req, reply) => reply.code(error.status ?? 500).send(NOT_FOUND));
await app.listen({ port: 0, host: '127.0.0.1' });
say(app.server);
