import { serveItems } from './ours-items.mjs';

await serveItems();
