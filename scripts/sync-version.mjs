// Writes the version of @framework/core into its source; runs with `pnpm version-packages`.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../packages/core/package.json', import.meta.url), 'utf8'));
const file = new URL('../packages/core/src/version.ts', import.meta.url);
writeFileSync(file, readFileSync(file, 'utf8').replace(/'[^']*';$/m, `'${version}';`));
