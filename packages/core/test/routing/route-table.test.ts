import { describe, expect, it } from '@jest/globals';
import { BadRequest } from '@framework/errors';
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

  it.each(['', 'user', 'users/1/2', 'users//posts', 'users//posts/1', 'users/1/posts/2'])('finds nothing for %p', (path) => {
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

  it('keeps nothing of one that is taken out: it comes last when it comes again', () => {
    const table = tableOf('files/:name/raw', 'files/:id/:kind');
    expect(table.lookup('files/1/raw')?.value).toBe('files/:name/raw');
    table.remove('files/:name/raw');
    table.insert('files/:name/raw', 'again');
    expect(table.lookup('files/1/raw')?.value).toBe('files/:id/:kind');
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

  it.each(['', '/'])('has a place for the root itself, asked for as %p', (path) => {
    const table = tableOf(path, ':id');
    expect(table.lookup('')).toEqual({ value: path, params: {} });
    expect(table.lookup('/')).toEqual({ value: path, params: {} });
    table.remove(path);
    expect([table.lookup(''), table.lookup('a')?.value]).toEqual([undefined, ':id']);
  });

  it('decodes values, and refuses what can not be decoded', () => {
    const table = tableOf('files/:name');
    expect(table.lookup('files/a%20b%2Fc+d')?.params).toEqual({ name: 'a b/c+d' });
    const undecodable = () => table.lookup('files/%E0%A4%A');
    expect(undecodable).toThrow(BadRequest);
    expect(undecodable).toThrow('bad percent-encoding');
  });

  it.each([
    ['a%20b', 'a b'],
    ['caf%C3%A9/%F0%9F%92%A9', 'café/💩'],
    ['cafe\u0301', 'café'],
    ['%25', '%'],
    ['%7F%00', '\u007f\0'],
  ])('finds fixed segments by the one spelling that they have: %p', (path, value) => {
    expect(tableOf(value).lookup(path)?.value).toBe(value);
  });

  it.each(['%61', 'a%2Fb', 'a/%62', '%C3', 'caf%c3%a9', 'cafe%CC%81', '%'])('finds nothing by another spelling: %p', (path) => {
    expect(tableOf('a', 'a/b', 'caf\u00e9', '%').lookup(path)).toBeUndefined();
  });

  it.each(['users/:id?', 'users/:id(\\d+)', 'users/:id*/notes', 'users/:id+', 'trips/:from:to', 'users/:{id}'])(
    'refuses a placeholder that is a pattern, whose value would have another name: %p',
    (path) => {
      expect(() => tableOf(path)).toThrow('which is a pattern. Placeholders are whole segments with a name');
      expect(tableOf('users/:user-id/:file.json/v1:all').lookup('users/1/2/v1:all')?.params).toEqual({ 'user-id': '1', 'file.json': '2' });
    },
  );

  it.each([
    ['a?b', '?'],
    ['a/b#c', '#'],
    ['a/:id/what?', '?'],
  ])('refuses a path that no URL leads to: %p', (path, end) => {
    expect(() => tableOf(path)).toThrow(`The path '${path}' has a '${end}', with which the path of a URL ends`);
  });

  it.each([...'"<>\\^`{}'])('refuses a path with %s, which browsers write in another way', (character) => {
    expect(() => tableOf(`a/b${character}c`)).toThrow(
      `The path 'a/b${character}c' has a '${character}', which browsers and clients write in another way: their requests would not find the service`,
    );
    // Ids are any text.
    expect(tableOf('a/:id').lookup(`a/${character}`)?.params).toEqual({ id: character });
  });

  it.each([
    ['.', '.'],
    ['..', '..'],
    ['../a', '..'],
    ['a/./b', '.'],
    ['a/../b', '..'],
    ['/a/:id/../', '..'],
  ])('refuses a path with a segment that browsers take out: %p', (path, segment) => {
    expect(() => tableOf(path)).toThrow(
      `The path '${path}' has the segment '${segment}', which browsers and clients take out before they ask: their requests would not find the service`,
    );
    expect(tableOf('.well-known/a..b/...').lookup('.well-known/a..b/...')?.value).toBe('.well-known/a..b/...');
  });

  it('refuses a path that is encoded already', () => {
    expect(() => tableOf('a%20b')).toThrow("has the percent-encoding '%20'");
  });

  it.each([
    ['users/:', 'has a placeholder without a name'],
    [':/users', 'has a placeholder without a name'],
    ['users/:__proto__', "has the placeholder ':__proto__', which params.route can not have"],
    ['users/:id/posts/:id', "has the placeholder ':id' twice, and params.route one value. Give them names of their own"],
  ])('refuses placeholders without a value of their own: %p', (path, text) => {
    expect(() => tableOf(path)).toThrow(text);
    expect(tableOf('users/:id/posts/:other', ':toString').lookup('users/1/posts/2')?.params).toEqual({ id: '1', other: '2' });
  });

  it('compares fixed segments by case, or without where it is told so; values keep theirs', () => {
    const table = tableOf('Users/:id/Posts', 'admins');
    expect(table.lookup('users/Ann/posts')).toBeUndefined();
    table.caseSensitive = false;
    expect(table.lookup('uSERS/Ann/POSTS')).toEqual({ value: 'Users/:id/Posts', params: { id: 'Ann' } });
    expect(table.lookup('ADMINS')?.value).toBe('admins');
    expect(table.lookup('guests')).toBeUndefined();
  });

  it('prefers a segment that is written the same to one that only differs by case', () => {
    const table = tableOf('Users', 'users');
    table.caseSensitive = false;
    expect(table.lookup('users')?.value).toBe('users');
    expect(table.lookup('Users')?.value).toBe('Users');
  });

  it('takes out the placeholder of that name, and none of another', () => {
    const table = tableOf('users/:id', 'users/:name/posts');
    table.remove('users/:name');
    table.remove('guests/:id/posts');
    expect(table.lookup('users/1')?.params).toEqual({ id: '1' });
    table.remove('users/:name/posts');
    expect([table.lookup('users/1/posts'), table.lookup('users/1')?.value]).toEqual([undefined, 'users/:id']);
  });
});
