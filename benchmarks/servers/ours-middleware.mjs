import { serveItems } from './ours-items.mjs';
import { ordinaryMiddleware } from './shared-middleware.mjs';

await serveItems({ middleware: ordinaryMiddleware() });
