/** One request that both servers get. */
export interface DifferentialRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ACCEPT_JSON = { accept: 'application/json' };

const PATHS = [
  '/items',
  '/items/',
  '/items/1',
  '/items/none',
  '/items/a%20b',
  '/items/null',
  '/items/1/2',
  '/nothing',
  '/users/5/notes',
  '/users/5/notes/6',
  '/read-only',
  '/read-only/1',
  '/failing/BadRequest',
  '/failing/NotFound',
  '/failing/Conflict',
  '/failing/Unprocessable',
  '/empty',
  '/undefined',
  '/zero',
  '/status',
  '/redirect',
  '//items//',
  '/ITEMS',
  '/',
];
const QUERIES = [
  '',
  '?a=1',
  '?a[]=1&a[]=2',
  '?a[0]=1&a[1]=2',
  '?$sort[a]=-1&$limit=2',
  '?a[b][c]=d',
  '?a=1&a=2',
  '?empty=',
  '?$or[0][a]=1&$or[1][b][$in][]=2',
  '?a=%20b+c',
  '?read=true',
];
const BODIES = ['{"a":1}', '[{"a":1},{"a":2}]', '{}', '{"nested":{"list":[1,null,"x"]}}', '{"a":'];

/** Methods, paths, queries, headers and bodies in combination. */
export function allRequests(): DifferentialRequest[] {
  const requests: DifferentialRequest[] = [];
  for (const path of PATHS) {
    for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS']) requests.push({ method, path, headers: ACCEPT_JSON });
    for (const method of ['POST', 'PUT', 'PATCH'])
      requests.push({ method, path, headers: { ...ACCEPT_JSON, ...JSON_TYPE }, body: '{"a":1}' });
  }
  for (const query of QUERIES) {
    for (const path of ['/items', '/items/1']) {
      requests.push({ method: 'GET', path: `${path}${query}`, headers: ACCEPT_JSON });
      requests.push({ method: 'DELETE', path: `${path}${query}`, headers: ACCEPT_JSON });
      requests.push({ method: 'PATCH', path: `${path}${query}`, headers: { ...ACCEPT_JSON, ...JSON_TYPE }, body: '{"a":1}' });
    }
    requests.push({ method: 'POST', path: `/items${query}`, headers: { ...ACCEPT_JSON, ...JSON_TYPE }, body: '{"a":1}' });
  }
  for (const body of BODIES) {
    for (const [method, path] of [
      ['POST', '/items'],
      ['PUT', '/items/1'],
      ['PATCH', '/items/1'],
      ['PATCH', '/items'],
    ] as const) {
      requests.push({ method, path, headers: { ...ACCEPT_JSON, ...JSON_TYPE }, body });
      requests.push({ method, path, headers: JSON_TYPE, body });
    }
  }
  for (const accept of [
    '*/*',
    'text/html',
    'application/json, text/plain, */*',
    'application/*',
    'image/png',
    'text/html,application/json;q=0.1',
  ]) {
    for (const path of ['/items', '/items/1', '/nothing', '/failing/NotFound']) requests.push({ method: 'GET', path, headers: { accept } });
  }
  for (const custom of ['shout', 'hidden', 'find', 'setup', 'nothing']) {
    requests.push({
      method: 'POST',
      path: '/items',
      headers: { ...ACCEPT_JSON, ...JSON_TYPE, 'x-service-method': custom },
      body: '{"a":1}',
    });
    requests.push({ method: 'GET', path: '/items', headers: { ...ACCEPT_JSON, 'x-service-method': custom } });
  }
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json; charset=utf-8', 'application/vnd.api+json']) {
    requests.push({
      method: 'POST',
      path: '/items',
      headers: { ...ACCEPT_JSON, 'content-type': type },
      body: type.includes('json') ? '{"a":1}' : 'a=1&b[c]=2',
    });
  }
  return requests;
}
