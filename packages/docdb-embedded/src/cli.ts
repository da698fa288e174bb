#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { DocDbServer } from './server.ts';

const USAGE = `Usage: framework-docdb [--port <n>] [--path <folder>] [--sync always|interval|never] [--repair]

A document database for development and tests, over loopback. The first line printed is its URL.

  --port <n>        port, 0 for a free one (default 27017)
  --path <folder>   keep the data in this folder (default: in memory only)
  --sync <policy>   when writes are forced to the disk itself (default always)
  --repair          open a damaged folder up to the damage`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '27017' },
      path: { type: 'string' },
      sync: { type: 'string', default: 'always' },
      repair: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port takes a number from 0 to 65535, not '${values.port}'`);
  const { sync } = values;
  if (sync !== 'always' && sync !== 'interval' && sync !== 'never')
    throw new Error(`--sync takes always, interval or never, not '${sync}'`);
  const server = await DocDbServer.start({
    port,
    sync,
    repair: values.repair,
    unref: false,
    ...(values.path === undefined ? {} : { path: values.path }),
    log: (message) => {
      console.error(message);
    },
  });
  console.log(server.uri);
  console.error('docdb-embedded is for development and tests. Use a MongoDB server in production.');
  // `disconnect` comes when the process that started this one is gone.
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) {
    process.once(event, () => {
      void server.stop().then(() => process.exit(0));
    });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
