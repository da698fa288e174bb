import { describe, expect, it } from '@jest/globals';
import { serviceNameOf } from '../src/service/service-name.ts';

describe('the name of a service', () => {
  it.each([
    ['messages', 'messages', 'messages', 'message', 'Message'],
    ['/shop/order-lines/', 'shop-order-lines', 'shopOrderLines', 'shopOrderLine', 'ShopOrderLine'],
    ['cities', 'cities', 'cities', 'city', 'City'],
    ['addresses', 'addresses', 'addresses', 'address', 'Address'],
    ['sheep', 'sheep', 'sheep', 'sheep', 'Sheep'],
    ['class', 'class', 'classService', 'class', 'Class'],
    ['global-this', 'global-this', 'globalThisService', 'globalThis', 'GlobalThis'],
    ['params', 'params', 'params', 'param', 'Param'],
    ['applications', 'applications', 'applications', 'application', 'ApplicationRecord'],
    ['types', 'types', 'types', 'type', 'TypeRecord'],
  ])('%s gives %s, %s, %s and %s', (typed, file, plural, singular, Singular) => {
    expect(serviceNameOf(typed)).toMatchObject({ file, plural, singular, Singular });
  });

  it.each([
    ['houses', 'House'],
    ['databases', 'Database'],
    ['responses', 'Response'],
    ['sizes', 'Size'],
    ['movies', 'Movie'],
    ['caches', 'Cache'],
    ['series', 'Series'],
    ['status', 'Status'],
    ['news', 'News'],
    ['analysis', 'Analysis'],
    ['statuses', 'Status'],
    ['buses', 'Bus'],
    ['aliases', 'Alias'],
    ['addresses', 'Address'],
    ['boxes', 'Box'],
    ['batches', 'Batch'],
    ['categories', 'Category'],
    ['menus', 'Menu'],
    ['services', 'Service'],
    ['as', 'As'],
    ['quizzes', 'Quiz'],
    ['buzzes', 'Buzz'],
    ['people', 'Person'],
    ['children', 'Child'],
    ['women', 'Woman'],
    ['specimens', 'Specimen'],
    ['mice', 'Mouse'],
    ['knives', 'Knife'],
    ['archives', 'Archive'],
    ['olives', 'Olive'],
    ['shelves', 'Shelf'],
    ['sleeves', 'Sleeve'],
    ['valves', 'Valve'],
    ['heroes', 'Hero'],
    ['shoes', 'Shoe'],
    ['analyses', 'Analysis'],
    ['indices', 'Index'],
    ['prices', 'Price'],
    ['matrices', 'Matrix'],
    ['criteria', 'Criterion'],
    ['media', 'Media'],
  ])('names a record of %s %s', (typed, Singular) => {
    expect(serviceNameOf(typed).Singular).toBe(Singular);
  });

  it('does not hide the class that it extends', () => {
    expect([serviceNameOf('memory').Plural, serviceNameOf('doc-db').Plural]).toEqual(['MemoryRecords', 'DocDbRecords']);
  });

  it.each([
    '',
    '/',
    '..',
    'a/../b',
    '../../etc/passwd',
    "a'b",
    'a"b',
    'a`b',
    'a\nb',
    'a\u0000b',
    'a b',
    'a//b',
    'a\\b',
    '1st',
    '-x',
    'a-',
    'users/:id/messages',
    '__proto__',
    'constructor',
    'a/toString',
    'con',
    'ünïcode',
    'x'.repeat(101),
    'health',
    'authentication',
    'INDEX',
    'authentication/sessions',
    'oauth/github',
    '${process.exit()}',
  ])('%j is refused', (typed) => {
    expect(() => serviceNameOf(typed)).toThrow(/^(".*" can not be the path of a service|The path '.*' is taken)/s);
  });
});
