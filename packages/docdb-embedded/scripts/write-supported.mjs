// Writes SUPPORTED.md from the tables of the built package.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { supportedText } from '../dist/declarations/supported.js';

writeFileSync(join(dirname(fileURLToPath(import.meta.url)), '../SUPPORTED.md'), supportedText());
