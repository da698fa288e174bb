import { describe, expect, it } from '@jest/globals';
import { derivedFrom } from '../../src/configuration/derived-from.ts';
import { createApp } from '../harness.ts';

interface Settings {
  readonly size: number;
}

describe('derivedFrom', () => {
  it('works something out once for a configuration, and anew for another one that says the same', () => {
    const asked: Settings[] = [];
    const compute = (settings: Settings): { readonly double: number } => {
      asked.push(settings);
      return { double: settings.size * 2 };
    };
    const [first, second] = [{ size: 2 }, { size: 2 }];
    const value = derivedFrom(first, compute);
    expect(value).toEqual({ double: 4 });
    expect(derivedFrom(first, compute)).toBe(value);
    expect(derivedFrom(second, compute)).not.toBe(value);
    expect(asked).toEqual([first, second]);
  });

  it('keeps the values of several functions apart, also of those that look the same', () => {
    const settings = { size: 3 };
    const make =
      () =>
      ({ size }: Settings) => [size];
    const [one, two] = [make(), make()];
    expect(derivedFrom(settings, one)).not.toBe(derivedFrom(settings, two));
    expect(derivedFrom(settings, one)).toBe(derivedFrom(settings, one));
  });

  it('remembers that there is nothing', () => {
    let count = 0;
    const nothing = (): undefined => {
      count += 1;
    };
    const settings = { size: 1 };
    expect([derivedFrom(settings, nothing), derivedFrom(settings, nothing), count]).toEqual([undefined, undefined, 1]);
  });

  it('remembers nothing of a function that fails', () => {
    const settings = { size: 1 };
    let fails = true;
    const compute = ({ size }: Settings): number => {
      if (fails) throw new Error('not now');
      return size;
    };
    expect(() => derivedFrom(settings, compute)).toThrow('not now');
    fails = false;
    expect(derivedFrom(settings, compute)).toBe(1);
  });

  it('gives nothing old once the setting of a service is another', () => {
    const { app, service } = createApp({ limiter: false });
    const limited = ({ limiter }: { readonly limiter?: unknown }): boolean => limiter !== false;
    expect(derivedFrom(service.configuration, limited)).toBe(false);
    expect(service.limiter).toBeUndefined();
    app.set('authentication', { ...(app.get('authentication') as object), limiter: undefined });
    expect(derivedFrom(service.configuration, limited)).toBe(true);
    expect(service.limiter).toBe(service.limiter);
    expect(service.limiter).toBeDefined();
  });
});
