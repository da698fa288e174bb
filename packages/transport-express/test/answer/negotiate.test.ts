import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import originalExpress from 'express';
import { makeAnswer, NOTHING } from '../../src/answer/answer.ts';
import { defaultTag } from '../../src/answer/default-tag.ts';
import { errorForm } from '../../src/answer/error-form.ts';
import { jsonText } from '../../src/answer/json-text.ts';
import { localPath } from '../../src/answer/location.ts';
import { acceptsJson, negotiate } from '../../src/answer/negotiate.ts';

const value = (data: unknown, status = 200) => makeAnswer(status, [], { kind: 'value', value: data });

describe('negotiate', () => {
  it('gives a value the form of JSON text, and keeps what has a form', () => {
    const { content } = negotiate(value({ a: '<' }), { accept: undefined, settings: { 'json escape': true } });
    expect(content).toEqual({ kind: 'text', type: 'application/json; charset=utf-8', text: '{"a":"\\u003c"}' });
    const text = makeAnswer(200, [], { kind: 'text', type: 'text/html', text: 'x' });
    expect(negotiate(text, { accept: undefined, settings: {} })).toBe(text);
  });

  it.each([204, 205, 304])('leaves out the body of a %i', (status) => {
    expect(negotiate(value({ a: 1 }, status), { accept: undefined, settings: {} }).content).toBe(NOTHING);
  });

  it('gives records their type without reading one', () => {
    let read = 0;
    const source = new Readable({ objectMode: true, read: () => (read += 1) });
    const type = (accept: string | undefined) => (negotiate(value(source), { accept, settings: {} }).content as { type: string }).type;
    expect([type(undefined), type('application/x-ndjson')]).toEqual([
      'application/json; charset=utf-8',
      'application/x-ndjson; charset=utf-8',
    ]);
    expect(read).toBe(0);
  });

  it('throws for what JSON can not hold', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    for (const data of [cyclic, 5n, { toJSON: () => 5n }])
      expect(() => negotiate(value(data), { accept: undefined, settings: {} })).toThrow(TypeError);
  });
});

describe('the form of errors', () => {
  it('is JSON always where HTML is off, and problem details where they are wanted', () => {
    expect([errorForm({ accept: 'text/html' }, false), errorForm({ accept: 'application/problem+json' }, false)]).toEqual([
      'json',
      'problem',
    ]);
    expect([errorForm({}, true), errorForm({ 'content-type': 'application/json' }, true)]).toEqual(['html', 'json']);
    expect(errorForm({ accept: 'text/html;q=0.8, application/json;q=0.5, application/problem+json' }, true)).toBe('problem');
  });

  it('is JSON for those who read streams of events, unless they would rather have HTML', () => {
    const forms = ['text/event-stream', 'text/event-stream, text/html;q=0.9', 'text/html, text/event-stream', '*/*'];
    expect(forms.map((accept) => errorForm({ accept }, true))).toEqual(['json', 'json', 'html', 'html']);
  });
});

describe('JSON', () => {
  it('is null for what has no text', () => {
    for (const data of [undefined, null, () => 1, Symbol('x')]) expect(jsonText(data, {})).toBe('null');
  });

  it.each([
    [undefined, true],
    ['application/json;q=0', false],
    ['*/*;q=0', false],
    ['text/html', false],
    ['text/html, */*;q=0.1', true],
    ['application/*', true],
    ['application/json;q=0, */*', false],
  ])('is taken for Accept: %s: %p', (accept, taken) => {
    expect(acceptsJson(accept)).toBe(taken);
  });
});

describe('the default tag', () => {
  it.each([true, 'weak', 'strong', false, () => '"own"', () => undefined])('is what Express makes of the setting %p', (setting) => {
    const app = originalExpress().set('etag', setting);
    const made = app.get('etag fn') as ((body: Buffer) => string) | undefined;
    for (const text of ['', 'null', '{"a":"ü€😀"}', 'x'.repeat(5000)]) expect(defaultTag(text, made)).toBe(made?.(Buffer.from(text)));
  });
});

describe('the path of a URL on its own host', () => {
  it.each([
    ['/a/b?c=//d', '/a/b?c=//d'],
    ['//a', '/a'],
    ['///a//b', '/a//b'],
    ['http://h/a', '/a'],
    ['HTTP://u:p@h:1//a?b', '/a?b'],
    ['http://h', '/'],
    ['/\\a', '/%5Ca'],
    ['/\t/a', '/%09/a'],
    ['\\\\a', '/%5C%5Ca'],
  ])('of %j is %j', (url, path) => {
    expect(localPath(url)).toBe(path);
    expect(new URL(localPath(url), 'http://own').origin).toBe('http://own');
  });
});
