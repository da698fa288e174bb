// Calls without HTTP, in a process of its own for each version of Node.js; sends figures and tables to its parent.
import { adapter } from './calls/adapter.mjs';
import { docdb } from './calls/docdb.mjs';
import { inProcess } from './calls/in-process.mjs';
import { memory } from './calls/memory.mjs';
import { queries } from './calls/queries.mjs';
import { tokens } from './calls/tokens.mjs';

const parts = { inProcess, queries, tokens, adapter, memory, docdb };
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
const results = {};
for (const name of wanted) results[name] = await parts[name]();
if (process.send) process.send(results, () => process.exit(0));
else
  for (const { head, rows } of Object.values(results))
    console.table(rows.map((row) => Object.fromEntries(row.map((cell, at) => [head[at], cell]))));
