import { serveItems } from './fastify-items.mjs';

await serveItems({ headers: true, tag: true });
