import { serveItems } from './incumbent-items.mjs';

await serveItems([]);
