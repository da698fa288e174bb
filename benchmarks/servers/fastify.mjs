import { serveItems } from './fastify-items.mjs';

await serveItems();
