import { expect, it } from '@jest/globals';
import { Slots } from '../../src/connection/slots.ts';

const codeOf = (slots: Slots, address: string): number | undefined => slots.refusal(address)?.code;

it('connections of whom no address is known have no share in common', () => {
  const slots = new Slots({ name: 'streams', most: 3, mostPerAddress: 1 });
  for (let taken = 0; taken < 2; taken++) slots.take('');
  expect([codeOf(slots, ''), codeOf(slots, '10.0.0.1')]).toEqual([undefined, undefined]);
  slots.take('10.0.0.1');
  expect([codeOf(slots, ''), codeOf(slots, '10.0.0.1')]).toEqual([503, 503]);
});

it('a slot that is given back is free for its address, and for all', () => {
  const slots = new Slots({ name: 'streams', most: 2, mostPerAddress: 1 });
  const giveBack = slots.take('10.0.0.1');
  slots.take('10.0.0.2');
  expect(codeOf(slots, '10.0.0.3')).toBe(503);
  giveBack();
  expect([codeOf(slots, '10.0.0.1'), codeOf(slots, '10.0.0.2')]).toEqual([undefined, 429]);
  expect(() => slots.take('10.0.0.2')).toThrow('Too many streams of one network address');
});
