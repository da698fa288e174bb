import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { shutdownOn } from '@framework/transport-express';
import { createApp } from './app.«ext»';

// What the environment says counts more than the file, with each runtime.
if (existsSync('.env')) Object.assign(process.env, { ...parseEnv(readFileSync('.env', 'utf8')), ...process.env });

try {
%% if embedded
  const app = await createApp();
%% else
  const app = createApp();
%% end
  // Answers what is in flight when the process is told to end (SIGTERM, SIGINT), and ends it then.
  shutdownOn(app);
  const server = await app.listen(process.env.PORT ?? 3030);
  const address = server.address();
  console.log(`Ready at http://localhost:${String(typeof address === 'object' ? address?.port : address)}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
