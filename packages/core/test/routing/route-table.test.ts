import { describe, expect, it } from '@jest/globals';
import { RouteTable } from '../../src/routing/route-table.ts';

function tableOf(...paths: string[]): RouteTable<string> {
  const table = new RouteTable<string>();
  for (const path of paths) table.insert(path, path);
  return table;
}

describe('RouteTable', () => {
  it.each([
    ['users', 'users', {}],
    ['/users/', 'users', {}],
    ['users/me', 'users/me', {}],
    ['users/5', 'users/:id', { id: '5' }],
    ['users/me/posts', 'users/:userId/posts', { userId: 'me' }],
    ['a/b/c', ':x/b/c', { x: 'a' }],
    ['a/b/d', 'a/:y/d', { y: 'b' }],
  ])('finds %p: fixed segments first, and back where they lead nowhere', (path, value, params) => {
    const table = tableOf('users', 'users/:id', 'users/me', 'users/:userId/posts', 'a/:y/d', ':x/b/c');
    expect(table.lookup(path)).toEqual({ value, params });
  });

  it.each(['', 'user', 'users/1/2', 'users//posts/1', 'users/1/posts/2'])('finds nothing for %p', (path) => {
    expect(tableOf('users', 'users/:id', 'users/:userId/posts').lookup(path)).toBeUndefined();
  });

  it('keeps paths below one that is taken out', () => {
    const table = tableOf('users', 'users/:id', 'users/:id/posts');
    table.remove('users/:id');
    table.remove('never/there');
    expect([table.lookup('users/1'), table.lookup('users/1/posts')?.value]).toEqual([undefined, 'users/:id/posts']);
    table.insert('users/:id', 'again');
    expect(table.lookup('users/1')?.value).toBe('again');
  });

  it('refuses a path that is taken, and gives fixed values to each match apart', () => {
    const table = new RouteTable<string>();
    table.insert('x', 'x', { kind: 'fixed' });
    expect(() => {
      table.insert('/x/', 'other');
    }).toThrow('Path /x/ already exists');
    const first = table.lookup('x');
    expect(first?.params).toEqual({ kind: 'fixed' });
    expect(table.lookup('x')?.params).not.toBe(first?.params);
  });
});
