#!/usr/bin/env node
// The first step of the `build` of the package in the current folder, as `tsc -p tsconfig.build.json --noCheck` is: writes what its sources declare, and
// JavaScript where no bundle is made of them. Types are checked by `typecheck`.
import { fileURLToPath, pathToFileURL } from 'node:url';

const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', import.meta.url));
process.argv.push('-p', 'tsconfig.build.json', '--noCheck');
await import(pathToFileURL(compiler).href);
