// One project of the generator, from the command that makes it until it is stopped: every step has to succeed.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Creates a project as somebody does who has nothing, and does with it what its README says.
 *
 * @param {import('./newcomer.mjs').Newcomer} newcomer
 * @param {{ folder: string, home: string, database: string, login: string, realTime: string, language: 'ts' | 'js', more?: boolean }} choice `home` is the
 *   newcomer's folder; `more` adds a service too
 * @returns {Promise<{ files: string[], statuses: number[] }>}
 * @throws Error for the first step that fails
 */
export async function liveThrough(newcomer, { folder, home, database, login, realTime, language, more = false }) {
  const flags = `--database=${database} --login=${login} --real-time=${realTime} ${language === 'js' ? '--js' : '--ts'}`;
  await newcomer.run(`npm create framework@latest '${folder}' -- ${flags}`);
  for (const script of ['build', 'lint', 'test', 'audit:services']) await newcomer.run(`npm run ${script}`, folder);
  const main = language === 'ts' ? 'dist/src/main.js' : 'src/main.js';
  const server = await newcomer.start(`node ${main}`, folder);
  let code;
  const statuses = await fourRequests(server.url, login !== 'none').finally(async () => {
    code = await server.stop();
  });
  if (code !== 0) throw new Error(`The server ended with ${code} at SIGTERM`);
  if (/warning/i.test(server.said())) throw new Error(`The server warns of itself:\n${server.said()}`);
  if (more) await addService(newcomer, folder, language);
  const files = readdirSync(join(home, folder)).filter((name) => name !== 'node_modules');
  const lock = readFileSync(join(home, folder, 'package-lock.json'), 'utf8');
  if (!lock.includes('"node_modules/@framework/core"')) throw new Error('The lock file does not know @framework/core');
  return { files, statuses };
}

/** A second service, by the line that the command tells: the audit has to see that there is more. */
async function addService(newcomer, folder, language) {
  const said = await newcomer.run('npm run service -- shop/orders', folder);
  const [, line] = /\n {2}(export \{.*)\n/.exec(said) ?? [];
  await newcomer.run(`echo ${JSON.stringify(line)} >> src/services/index.${language}`, folder);
  for (const script of ['lint', 'test']) await newcomer.run(`npm run ${script}`, folder);
  await newcomer.run('npm run audit:services', folder).then(
    () => {
      throw new Error('The audit did not see the new service');
    },
    (error) => {
      if (!/shop\/orders/.test(String(error))) throw error;
    },
  );
}

/** Create, read, change and remove; with a login before them. */
async function fourRequests(url, withLogin) {
  const call = async (method, path, data, token) => {
    const headers = {
      accept: 'application/json',
      ...(data && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(url + path, { method, headers, body: data && JSON.stringify(data) });
    return { status: answer.status, body: await answer.json() };
  };
  const description = await call('GET', '/openapi.json');
  if (description.status !== 200 || !description.body.paths['/messages']) throw new Error('The document does not describe the messages');
  let token;
  const user = { email: 'Ann@example.com', password: 'correct horse battery' };
  if (withLogin) {
    const made = await call('POST', '/users', user);
    if (made.status !== 201 || 'password' in made.body) throw new Error(`A registration answered ${JSON.stringify(made)}`);
    const login = await call('POST', '/authentication', { strategy: 'local', ...user });
    token = login.body.accessToken;
    if (typeof token !== 'string') throw new Error(`The login answered ${JSON.stringify(login)}`);
  }
  const made = await call('POST', '/messages', { text: 'Hello' }, token);
  const path = `/messages/${made.body._id}`;
  const put = await call('PUT', path, { text: 'Hello again' }, token);
  if (put.body.createdAt !== made.body.createdAt || put.body.userId !== made.body.userId)
    throw new Error(`An update lost ${JSON.stringify(put.body)}`);
  const found = await call('GET', `${path}`, undefined, token);
  const removed = await call('DELETE', path, undefined, token);
  const statuses = [made.status, put.status, found.status, removed.status];
  if (String(statuses) !== '201,200,200,200' || found.body.text !== 'Hello again') throw new Error(`The requests answered ${statuses}`);
  return statuses;
}
