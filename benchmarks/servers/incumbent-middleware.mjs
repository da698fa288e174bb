import { serveItems } from './incumbent-items.mjs';
import { ordinaryMiddleware } from './shared-middleware.mjs';

await serveItems(ordinaryMiddleware());
