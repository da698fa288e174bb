import { describe, expect, it } from '@jest/globals';
import { encode } from '../../src/bson/encode.ts';
import { readMessage } from '../../src/wire/message.ts';

/** @returns an OP_MSG with some bytes behind its flags */
function message(...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const header = Buffer.alloc(20);
  header.writeInt32LE(header.length + content.length, 0);
  header.writeInt32LE(7, 4);
  header.writeInt32LE(2013, 12);
  return Buffer.concat([header, content]);
}

const kind = (section: number): Buffer => Buffer.of(section);
const body = encode({ ping: 1, $db: 'test' });
const whole = [kind(0), body] as const;

/** @returns a list of documents, of which it says another length maybe */
function sequence(name: string, documents: Buffer, length = 4 + name.length + 1 + documents.length): Buffer {
  const head = Buffer.alloc(4);
  head.writeInt32LE(length);
  return Buffer.concat([kind(1), head, Buffer.from(name), Buffer.of(0), documents]);
}

describe('a message', () => {
  it('is read with its body and its lists, in either order', () => {
    const list = sequence('documents', encode({ _id: 1 }));
    for (const bytes of [message(...whole, list), message(list, ...whole)])
      expect(readMessage(bytes)).toMatchObject({ id: 7, command: { ping: 1, documents: [{ _id: 1 }] }, answered: true });
  });

  it.each<[string, Buffer]>([
    ['without a body', message()],
    ['with a list and no body', message(sequence('documents', encode({ _id: 1 })))],
    ['with a section of another kind', message(...whole, kind(2), body)],
    ['with a section that is longer than it', message(kind(0), body.subarray(0, -1))],
    ['with a section shorter than any', message(kind(0), Buffer.alloc(8))],
    ['with a list whose name does not end', message(...whole, kind(1), Buffer.of(8, 0, 0, 0, 0x61, 0x61, 0x61, 0x61))],
  ])('%s ends its connection, as nobody knows what it asks', (_what, bytes) => {
    expect(() => readMessage(bytes)).toThrow(expect.objectContaining({ code: 17 }));
  });

  it('with nothing behind the kind of a section is no message', () => {
    expect(() => readMessage(message(...whole, kind(1)))).toThrow();
  });
});
