// Given to Node.js with `--import`: TypeScript is read from its sources, and `@jest/globals` are those of `globals.mjs`.
import { register } from 'node:module';

register('./module-hooks.mjs', import.meta.url);
