import { isRecordSource, type HookContext } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { isPreferred, wishFor } from '../../src/answer/accept.ts';
import { makeAnswer, NOTHING } from '../../src/answer/answer.ts';
import { errorForm } from '../../src/answer/error-form.ts';
import { createdLocation, encodeUrl, localPath } from '../../src/answer/location.ts';
import { acceptsJson, negotiate } from '../../src/answer/negotiate.ts';
import { faultOfId, segmentOf } from '../../src/answer/record-path.ts';

describe('how much a client wants a type', () => {
  const wish = (quality: number, precision: number, position = 0): object => ({ quality, precision, position });

  it('is told by the most precise part, and by the first of those alike', () => {
    expect(wishFor('text/html;q=0.5, text/html;q=0.9', 'text/html')).toEqual(wish(0.5, 3));
    expect(wishFor('*/*;q=0.1, text/html;q=0.5, text/*;q=0.9', 'text/html')).toEqual(wish(0.5, 3, 1));
    expect(wishFor('text/html;level=1;Q=0.5', 'text/html')).toEqual(wish(0.5, 3));
    expect(wishFor('text/html;level=1', 'text/html')).toEqual(wish(1, 3));
    expect(wishFor('', 'text/html')).toEqual(wish(0, 0));
    expect(wishFor('text/own+json', 'application/json', '+json')).toEqual(wish(1, 2));
    expect(wishFor('text/own+json', 'application/json')).toEqual(wish(0, 0));
  });

  it('is more for what is named than for what is taken as well, and of named ones for the first', () => {
    const [named, family, any] = [
      { quality: 1, precision: 3, position: 1 },
      { quality: 1, precision: 2, position: 0 },
      { quality: 1, precision: 1, position: 0 },
    ];
    expect([isPreferred(named, any), isPreferred(any, named), isPreferred(family, any), isPreferred(any, family)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([isPreferred(family, named), isPreferred(named, family), isPreferred(named, named), isPreferred(any, any)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const [never, neither] = [
      { quality: 0, precision: 3, position: 0 },
      { quality: 0, precision: 2, position: 1 },
    ];
    expect([isPreferred(never, neither), isPreferred(named, never), isPreferred(never, any)]).toEqual([false, true, false]);
  });
});

describe('the form of an error', () => {
  it.each<[string | undefined, string | undefined, string]>([
    ['application/json', undefined, 'json'],
    [undefined, 'application/json', 'json'],
    [undefined, 'application/vnd.api+json', 'json'],
    [undefined, 'text/plain', 'html'],
    ['application/json;q=0, text/html', 'application/json', 'html'],
    ['text/html', 'application/json', 'json'],
    ['text/plain', 'application/json', 'json'],
    ['application/problem+json;q=0.5, application/json', undefined, 'json'],
    ['application/problem+json;q=0.5, application/json;q=0.5', undefined, 'problem'],
    ['application/problem+json', undefined, 'problem'],
    ['application/*', undefined, 'json'],
    ['application/own+json', undefined, 'json'],
  ])('for Accept: %p and a request of %p is %s', (accept, type, form) => {
    expect(errorForm({ accept, 'content-type': type }, true)).toBe(form);
  });

  it('is never one that is refused, where there is another', () => {
    expect(errorForm({ accept: 'application/problem+json;q=0, application/json;q=0' }, false)).toBe('json');
    expect(errorForm({ accept: 'application/json' }, false)).toBe('json');
  });
});

describe('what services answer with', () => {
  it('is taken or not', () => {
    const taken = [undefined, '*/*', 'application/json', 'application/*;q=0.1', 'application/problem+json', 'application/x-ndjson'];
    expect(taken.map(acceptsJson)).toEqual(taken.map(() => true));
    const refused = ['text/html', '', 'application/json;q=0', '*/*;q=0', 'application/xml'];
    expect(refused.map(acceptsJson)).toEqual(refused.map(() => false));
  });

  it('is nothing where there is none, and one record in each line only where that is named', () => {
    const bare = makeAnswer(204, [], NOTHING);
    expect(negotiate(bare, { accept: undefined, settings: {} })).toBe(bare);
    const source = { async *[Symbol.asyncIterator]() {} };
    const typeFor = (accept: string): unknown =>
      (negotiate(makeAnswer(200, [], { kind: 'value', value: source }), { accept, settings: {} }).content as { type?: string }).type?.split(
        ';',
      )[0];
    expect(
      [
        'application/x-ndjson',
        'application/*, text/ndjson',
        'application/x-ndjson;q=0.5, application/json',
        'application/x-ndjson;q=0',
      ].map(typeFor),
    ).toEqual(['application/x-ndjson', 'application/json', 'application/json', 'application/json']);
  });

  it('is records where it has an iterator of promises', () => {
    const source = { async *[Symbol.asyncIterator]() {} };
    const others = [
      null,
      undefined,
      'text',
      5,
      {},
      [],
      { [Symbol.asyncIterator]: 5 },
      () => source,
      Object.assign(() => undefined, source),
    ];
    expect([isRecordSource(source), ...others.map(isRecordSource)]).toEqual([true, ...others.map(() => false)]);
  });
});

describe('the path to a record', () => {
  it.each([
    ['', 'The id is empty'],
    ['x'.repeat(1024), undefined],
    ['x'.repeat(1025), 'The id is longer than 1024 bytes'],
    ['ü'.repeat(513), 'The id is longer than 1024 bytes'],
    ['__proto__', 'The id is not valid'],
    ['a\0', 'The id is not valid'],
    ['a', undefined],
  ])('S1 of %p has the fault %p', (id, fault) => {
    expect(faultOfId(id)).toBe(fault);
  });

  it('has a segment for each id that a path can carry', () => {
    const ids = ['a/b ü', '...', '.', '..', '', '\ud800', 'constructor'];
    expect(ids.map(segmentOf)).toEqual(['a%2Fb%20%C3%BC', '...', undefined, undefined, undefined, undefined, undefined]);
  });

  it('is that of the request on this host, without slashes at its end', () => {
    const location = (url: string, record: unknown, service: unknown = { id: 'id' }): unknown =>
      createdLocation({ service } as unknown as HookContext, record, url);
    expect(
      ['/notes', '/notes/', '/notes//?a=1', '/notes?a=/', '/', '//host/notes', 'http://host/notes', '/a/http://b/'].map((url) =>
        location(url, { id: 5 }),
      ),
    ).toEqual(['/notes/5', '/notes/5', '/notes/5', '/notes/5', '/5', '/host/notes/5', '/notes/5', '/a/http://b/5']);
    const hex = { toHexString: () => 'ff', toString: () => 'ff' };
    expect(
      [{ id: hex }, { id: { toHexString: 5 } }, { id: null }, { id: true }, {}, [5], null, 'text'].map((record) => location('/a', record)),
    ).toEqual(['/a/ff', ...Array.from({ length: 7 }, () => undefined)]);
    expect(
      [{ id: '_id' }, {}, null, undefined, 'text', Object.assign(() => undefined, { id: '_id' })].map((service) =>
        location('/a', { id: 1, _id: 2 }, service),
      ),
    ).toEqual(['/a/2', '/a/1', '/a/1', '/a/1', '/a/1', '/a/1']);
  });

  it('can not be read as one of another host, and encodes what a header can not hold', () => {
    expect(['/a?b', '/\\host', '/a//b', '///a\\b', 'x:/a', 'http://host', '/a b', '/a\x7f', '/x/http://host//a\\'].map(localPath)).toEqual([
      '/a?b',
      '/%5Chost',
      '/a//b',
      '/a%5Cb',
      '/x:/a',
      '/',
      '/a%20b',
      '/a%7F',
      '/x/http://host//a%5C',
    ]);
    expect(['/ü?a=%20%2f%zz%4', '/\u{1f600}', '/\ud83d', '/\ude00', '/\ud83d\ud83d\ude00'].map(encodeUrl)).toEqual([
      '/%C3%BC?a=%20%2f%25zz%254',
      '/%F0%9F%98%80',
      '/%EF%BF%BD',
      '/%EF%BF%BD',
      '/%EF%BF%BD%F0%9F%98%80',
    ]);
  });
});
