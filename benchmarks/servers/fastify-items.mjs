import fastify from 'fastify';
import { hash } from 'node:crypto';
import qs from 'qs';
import { NOT_FOUND, say, work } from './shared.mjs';

/**
 * The same service on fastify.
 *
 * @param options `headers`: with the headers that our answers have; `tag`: with Express's weak entity tag
 */
export async function serveItems({ headers = false, tag = false } = {}) {
  const app = fastify({ routerOptions: { querystringParser: (text) => qs.parse(text) } });
  if (headers) app.addHook('onRequest', commonHeaders);
  if (tag) app.addHook('onSend', entityTag);
  app.get('/items/:id', (req) => work.get(req.params.id));
  app.get('/items', (req) => work.find({ query: req.query }));
  app.post('/items', async (req, reply) => {
    const record = await work.create(req.body);
    if (headers) reply.header('Location', `/items/${record.id}`);
    return reply.code(201).send(record);
  });
  app.setErrorHandler((error, _req, reply) => {
    if (headers) reply.header('Cache-Control', 'no-store');
    return reply.code(error.status ?? 500).send(NOT_FOUND);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  say(app.server);
}

function commonHeaders(_req, reply, done) {
  reply.header('X-Content-Type-Options', 'nosniff').header('Vary', 'Accept, Authorization, Origin');
  done();
}

/** Reads alone, as ours; the text is hashed in the quickest way there is. */
function entityTag(req, reply, payload, done) {
  if (req.method !== 'GET' || reply.statusCode !== 200) {
    done(null, payload);
    return;
  }
  const tag = `W/"${Buffer.byteLength(payload).toString(16)}-${hash('sha1', payload, 'base64').slice(0, 27)}"`;
  reply.header('ETag', tag);
  if (req.headers['if-none-match'] === tag) {
    reply.code(304);
    done(null, null);
  } else done(null, payload);
}
