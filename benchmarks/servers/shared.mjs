/** The record that every server answers with. */
export const RECORD = Object.freeze({ id: 1, name: 'Ann Example', email: 'ann@example.com', age: 42, active: true });

/** A list of ten. */
export const LIST = Object.freeze(Array.from({ length: 10 }, (_, index) => Object.freeze({ ...RECORD, id: index + 1 })));

/**
 * What a service does, the same for all servers.
 *
 * @param notFound makes the error of a framework that has its own
 */
export const workWith = (notFound) => ({
  async get(id) {
    if (id !== '1') throw notFound('No record found');
    return RECORD;
  },
  async find({ query }) {
    return LIST.slice(0, Number(query.$limit));
  },
  async create(data) {
    return { id: 2, ...data };
  },
});

export const work = workWith((message) => Object.assign(new Error(message), { status: 404 }));

/** The error answer of servers that have none of their own. */
export const NOT_FOUND = Object.freeze({ name: 'NotFound', message: 'No record found', code: 404, className: 'not-found' });

/** Tells the parent process the port and, when asked, what has been used; ends with it. */
export async function say(server) {
  // The incumbent's listen resolves before its server listens.
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  process.send({ port: server.address().port });
  process.on('message', () => {
    // With --expose-gc what is used is what is needed.
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    process.send({ usage: process.cpuUsage(), resident: rss, heap: heapUsed });
  });
  process.on('disconnect', () => process.exit(0));
}

/** Users in memory, the same for all servers. */
export class Users {
  id = 'id';
  rows = new Map();

  async find({ query = {} } = {}) {
    return [...this.rows.values()].filter((row) => row.email === query.email);
  }

  async get(id) {
    const row = this.rows.get(String(id));
    if (!row) throw Object.assign(new Error('not found'), { name: 'NotFound', code: 404, className: 'not-found' });
    return { ...row };
  }

  async create(data) {
    const row = { id: this.rows.size + 1, ...data };
    this.rows.set(String(row.id), row);
    return { ...row };
  }
}
