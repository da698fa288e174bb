const DATA = JSON.stringify({ name: 'Ann Example', email: 'ann@example.com', age: 42 });

export const GET_ONE = { title: 'GET one', request: { path: '/items/1' }, status: 200 };

/** What every server of `servers/` can do. */
export const WORK = [
  GET_ONE,
  { title: 'GET 10 with $limit and $sort', request: { path: '/items?$limit=10&$sort[name]=-1' }, status: 200 },
  { title: 'POST', request: { method: 'POST', path: '/items', body: DATA }, status: 201 },
  { title: 'an error', request: { path: '/items/none' }, status: 404 },
];
