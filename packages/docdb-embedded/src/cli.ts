#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { authOfEnvironment } from './security/start-options.ts';
import type { DocDbServerOptions } from './index.ts';
import { PASSWORD_VARIABLE, USER_VARIABLE } from './spawned-server.ts';
import type { TlsOptions } from './wire/tls.ts';

const USAGE = `Usage: framework-docdb [--port <n>] [--path <folder>] [--sync always|interval|never] [--max-size <bytes>]
                       [--auth] [--tls-cert <file> --tls-key <file> [--tls-ca <file>]]

A document database for development and tests, over loopback. The first line printed is its URL.

  --port <n>        port, 0 for a free one (default 27017)
  --path <folder>   keep the data in this folder (default: it goes with the process)
  --sync <policy>   when writes are forced to the disk itself (default always)
  --max-size <n>    largest size of the data on disk, in bytes
  --auth            clients have to log in; the variables DOCDB_USER and DOCDB_PASSWORD
                    name a first user, who may do everything
  --tls-cert <file> certificate (PEM): connections have to be encrypted
  --tls-key <file>  its private key (PEM)
  --tls-ca <file>   clients need a certificate that is signed with one of these (PEM)
  --fail-points     let clients ask for faults, for tests only

Ends with 1 when the server can not start, and with 2 for arguments that can not be meant.`;

/** @returns what the arguments and the environment ask for; `undefined` for the help */
function askedFor(): DocDbServerOptions | undefined {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '27017' },
      path: { type: 'string' },
      sync: { type: 'string', default: 'always' },
      'max-size': { type: 'string' },
      'fail-points': { type: 'boolean', default: false },
      auth: { type: 'boolean', default: false },
      'tls-cert': { type: 'string' },
      'tls-key': { type: 'string' },
      'tls-ca': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  // An empty text, as of a variable that is not set, counts as 0.
  const port = /^\d+$/.test(values.port) ? Number(values.port) : NaN;
  if (!(port <= 65_535)) throw new Error(`--port takes a number from 0 to 65535, not '${values.port}'`);
  if (values.path === '') throw new Error('--path takes the name of a folder, and got an empty text');
  const { sync } = values;
  if (sync !== 'always' && sync !== 'interval' && sync !== 'never')
    throw new Error(`--sync takes always, interval or never, not '${sync}'`);
  const maxSize = values['max-size'] === undefined ? undefined : Number(values['max-size']);
  if (maxSize !== undefined && !(Number.isSafeInteger(maxSize) && maxSize > 0))
    throw new Error(`--max-size takes a number of bytes, not '${String(values['max-size'])}'`);
  return {
    port,
    sync,
    failPoints: values['fail-points'],
    unref: false,
    auth: authOfEnvironment(values.auth, [USER_VARIABLE, process.env[USER_VARIABLE]], [PASSWORD_VARIABLE, process.env[PASSWORD_VARIABLE]]),
    ...tlsOf(values['tls-cert'], values['tls-key'], values['tls-ca']),
    ...(values.path === undefined ? {} : { path: values.path }),
    ...(maxSize === undefined ? {} : { maxSize }),
  };
}

async function run(options: DocDbServerOptions): Promise<void> {
  // The help and a wrong argument are told without all that a server is made of.
  const { DocDbServer } = await import('./index.ts');
  const server = await DocDbServer.start(options);
  const stop = (): void => {
    // Whatever stopping meets, the process ends.
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  if (process.send) {
    // It ends with the process that started it, which may have ended by now; a signal of the terminal is for that one, which may still need it.
    if (!process.connected) {
      stop();
      return;
    }
    process.once('disconnect', stop);
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
    process.once('SIGTERM', stop);
  } else for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.once(signal, stop);
  // Last, because whoever reads it may send a signal at once.
  console.log(server.uri);
  console.error('docdb-embedded is for development and tests. Use a MongoDB server in production.');
}

function tlsOf(certFile: string | undefined, keyFile: string | undefined, caFile: string | undefined): { tls?: TlsOptions } {
  if (certFile === undefined && keyFile === undefined && caFile === undefined) return {};
  if (certFile === undefined || keyFile === undefined) throw new Error('--tls-cert and --tls-key need each other, and --tls-ca needs both');
  return { tls: { certFile, keyFile, caFile } };
}

function fail(code: number, error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = code;
}

try {
  const options = askedFor();
  if (options === undefined) console.log(USAGE);
  else run(options).catch((error: unknown) => fail(1, error));
} catch (error) {
  fail(2, error);
}
