import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { describeServer } from './server/describe-server.ts';
import { formatDescription } from './server/format-description.ts';

const USAGE = `Usage: framework-adapter-docdb probe <url> [--json]

Says what the server of a database is and what of the adapter it can serve. Nothing is written.

  <url>     mongodb://… with the name of a database that the user may read; or - to read it from the variable DOCDB_URL
  --json    print it as JSON

Ends with 0, or with 2 when the server can not be asked.`;

/** Milliseconds in which a server has to be found. */
const PATIENCE = 10_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const [command, given, ...more] = positionals;
  if (command !== 'probe' || given === undefined || more.length > 0) throw new Error(USAGE);
  const url = given === '-' ? process.env.DOCDB_URL : given;
  if (url === undefined) throw new Error('The variable DOCDB_URL is not set');
  const client = new MongoClient(url, url.includes('serverSelectionTimeoutMS') ? {} : { serverSelectionTimeoutMS: PATIENCE });
  try {
    const description = await describeServer((await client.connect()).db());
    console.log(values.json ? JSON.stringify(description, undefined, 2) : formatDescription(description));
  } finally {
    await client.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
