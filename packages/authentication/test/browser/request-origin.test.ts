import { describe, expect, it } from '@jest/globals';
import { deviceMark, deviceOf } from '../../src/browser/device.ts';
import { isFormBody, refuseForeign, requestOrigin } from '../../src/browser/request-origin.ts';

const host = 'app.example.com';

describe('S32 where a request comes from', () => {
  it.each<[object, boolean, string]>([
    [{ origin: `https://${host}` }, true, 'own'],
    // Somebody on the way may have written that page.
    [{ origin: `http://${host}` }, true, 'foreign'],
    [{ origin: `http://${host}` }, false, 'own'],
    [{ origin: 'http://localhost:3030', host: 'localhost:3030' }, true, 'own'],
    [{ origin: 'http://127.0.0.1:3030', host: '127.0.0.1:3030' }, true, 'own'],
    [{ origin: 'http://[::1]:3030', host: '[::1]:3030' }, true, 'own'],
    [{ origin: 'http://localhost.example.com', host: 'localhost.example.com' }, true, 'foreign'],
    [{ origin: 'https://listed.example.com' }, true, 'own'],
    [{ origin: 'https://other.example.com' }, true, 'foreign'],
    [{ origin: `https://${host}:8443` }, true, 'foreign'],
    [{ origin: `https://${host}@evil.example` }, true, 'foreign'],
    [{ origin: 'null' }, true, 'foreign'],
    [{ origin: '' }, true, 'foreign'],
    // What the browser says besides counts only where it names no origin.
    [{ origin: 'https://other.example.com', 'sec-fetch-site': 'same-origin' }, true, 'foreign'],
    [{ 'sec-fetch-site': 'same-origin' }, true, 'own'],
    [{ 'sec-fetch-site': 'none' }, true, 'own'],
    [{ 'sec-fetch-site': 'same-site' }, true, 'foreign'],
    [{ 'sec-fetch-site': 'cross-site' }, true, 'foreign'],
    [{}, true, 'unknown'],
  ])('with %j, where that has to be safe: %s, it is %s', (headers, secure, from) => {
    expect(requestOrigin({ host, ...headers }, ['https://listed.example.com'], secure)).toBe(from);
  });

  it('has to be said where a cookie comes along', () => {
    const refusal = expect.objectContaining({ code: 403 });
    expect(() => refuseForeign('unknown', false)).not.toThrow();
    expect(() => refuseForeign('unknown', true)).toThrow(refusal);
    for (const needed of [true, false]) {
      expect(() => refuseForeign('own', needed)).not.toThrow();
      expect(() => refuseForeign('foreign', needed)).toThrow(refusal);
    }
  });

  it.each<[string | undefined, boolean]>([
    ['application/x-www-form-urlencoded', true],
    ['multipart/form-data; boundary=x', true],
    ['text/plain', true],
    [' TEXT/PLAIN ;charset=utf-8', true],
    ['text/plainly', false],
    ['application/json', false],
    [undefined, false],
  ])('counts for bodies of %s, which any page can send unasked: %s', (type, isForm) => {
    expect(isFormBody({ 'content-type': type })).toBe(isForm);
  });
});

it('S22 the mark of a device is of one account, and of this server', () => {
  const key = Buffer.alloc(32, 1);
  const mark = deviceMark('1', key);
  expect(deviceOf(mark, '1', key)).toBe(mark.split('.')[0]);
  expect(deviceOf(mark, '2', key)).toBeUndefined();
  expect(deviceOf(mark, '1', Buffer.alloc(32, 2))).toBeUndefined();
  for (const other of [undefined, '', `${mark}x`, `x${mark}`, mark.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))])
    expect(deviceOf(other, '1', key)).toBeUndefined();
});
