import type { Params } from '@framework/core';

/** A service that answers with what it was called with. */
export const echo = {
  id: 'id',
  async find(params: Params): Promise<unknown> {
    return { method: 'find', ...shown(params) };
  },
  async get(id: unknown, params: Params): Promise<unknown> {
    return { method: 'get', id, ...shown(params) };
  },
  async create(data: unknown, params: Params): Promise<unknown> {
    return { method: 'create', data, ...shown(params) };
  },
  async update(id: unknown, data: unknown, params: Params): Promise<unknown> {
    return { method: 'update', id, data, ...shown(params) };
  },
  async patch(id: unknown, data: unknown, params: Params): Promise<unknown> {
    return { method: 'patch', id, data, ...shown(params) };
  },
  async remove(id: unknown, params: Params): Promise<unknown> {
    return { method: 'remove', id, ...shown(params) };
  },
  async shout(data: unknown, params: Params): Promise<unknown> {
    return { method: 'shout', data, ...shown(params) };
  },
  async hidden(): Promise<string> {
    return 'reached';
  },
};

/** What came in the parameters, without the headers. */
function shown({ headers: _headers, ...params }: Params): Record<string, unknown> {
  return params;
}
