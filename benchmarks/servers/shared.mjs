/** The record that every server answers with. */
export const RECORD = Object.freeze({ id: 1, name: 'Ann Example', email: 'ann@example.com', age: 42, active: true });

/** Tells the parent process the port, and ends with it. */
export async function say(server) {
  // The incumbent's listen resolves before its server listens.
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  process.send({ port: server.address().port });
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
