import { describe, expect, it } from '@jest/globals';
import http from 'node:http';
import { isFormatReplaced, isFormattedByOthers, isWatched } from '../../src/answer/watched.ts';
import { ownLayer, setUnseen } from '../../src/dispatch/unseen.ts';
import type { Response } from '../../src/middleware-types.ts';
import { exchange, type Exchange } from './exchange.ts';

const nothing = (): void => undefined;
const watched = (change: (made: Exchange) => void): boolean => {
  const made = exchange();
  change(made);
  return isWatched(made.req, made.res);
};
const serverOf = ({ req }: Exchange): http.Server => (req.socket as unknown as { server: http.Server }).server;

describe('a response is watched by', () => {
  it('nobody, as it is made', () => {
    expect(watched(nothing)).toBe(false);
  });

  it('a layer of others that has had it, and who has set a header', () => {
    expect(watched(({ res }) => setUnseen(res, false))).toBe(true);
    expect(watched(({ res }) => res.setHeader('x-own', '1'))).toBe(true);
  });

  it.each(['writeHead', 'end', 'write', 'setHeader', 'getHeader', 'getHeaders', 'emit', 'on', 'once', 'addListener'] as const)(
    'who has replaced %s',
    (name) => {
      expect(
        watched(({ res }) => {
          const original = res[name] as (...args: unknown[]) => unknown;
          Object.assign(res, { [name]: (...args: unknown[]) => Reflect.apply(original, res, args) });
        }),
      ).toBe(true);
    },
  );

  it('its listeners, beside that of Node and those of this package', () => {
    const listening = (...names: string[]): boolean => watched(({ res }) => names.forEach((name) => res.on(name, () => undefined)));
    expect([listening('finish'), listening('finish', 'finish'), listening('drain')]).toEqual([false, true, false]);
    expect([listening('prefinish'), listening('error'), listening('close')]).toEqual([true, true, true]);
    const own = ownLayer(() => undefined);
    expect(watched(({ res }) => res.on('close', own))).toBe(false);
    expect(watched(({ res }) => res.on('close', own).on('close', nothing))).toBe(true);
  });

  it('who listens to its server, or stands in for it', () => {
    expect(watched((made) => serverOf(made).on('request', nothing))).toBe(true);
    expect(watched((made) => serverOf(made).removeAllListeners('request'))).toBe(true);
    expect(watched((made) => serverOf(made).on('connection', nothing))).toBe(false);
    expect(watched((made) => Object.assign(serverOf(made), { emit: () => true }))).toBe(true);
    expect(watched(({ req }) => Object.assign(req.socket, { server: undefined }))).toBe(true);
  });
});

describe('the form of a response is left to others', () => {
  const formatted = (change: (res: Response) => void): boolean[] => {
    const { res } = exchange();
    change(res);
    return [isFormattedByOthers(res), isFormatReplaced(res)];
  };

  it('where one of the functions for it is replaced', () => {
    expect(formatted(nothing)).toEqual([false, false]);
    expect(formatted((res) => (res.json = () => res))).toEqual([true, false]);
    expect(formatted((res) => (res.send = () => res))).toEqual([true, false]);
    expect(formatted((res) => (res.format = () => res))).toEqual([true, true]);
  });

  it('but not before Express has given it these functions', () => {
    const [byOthers] = formatted((res) => Object.setPrototypeOf(res, http.ServerResponse.prototype));
    expect(byOthers).toBe(false);
  });
});
