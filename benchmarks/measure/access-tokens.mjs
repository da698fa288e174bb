import { createHmac } from 'node:crypto';
import { send } from './load.mjs';

const LOGIN = { email: 'ann@example.com', password: 'right password' };
/** Both servers of `servers/*-authenticated.mjs` have it. */
const SECRET = 'a secret of more than thirty-two bytes, for benchmarks';

/** Makes the user and logs in. */
export async function logIn(server) {
  const post = async (path, data) => {
    const { status, text } = await send(undefined, server.port, { method: 'POST', path, body: JSON.stringify(data) });
    if (status !== 201) throw new Error(`${server.name}: ${path} answers ${status} ${text}`);
    return JSON.parse(text);
  };
  await post('/users', LOGIN);
  const { accessToken } = await post('/authentication', { strategy: 'local', ...LOGIN });
  return accessToken;
}

/** Tokens that the server has not seen before: the given one with another id, signed as the server signs. */
export function unseenTokens(token) {
  const [head, body] = token.split('.');
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString());
  let count = 0;
  return () => {
    count += 1;
    const text = `${head}.${Buffer.from(JSON.stringify({ ...payload, jti: `${payload.jti}-${count}` })).toString('base64url')}`;
    return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
  };
}
