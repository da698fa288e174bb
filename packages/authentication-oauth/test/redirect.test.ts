import { describe, expect, it } from '@jest/globals';
import { redirectTarget, withAnswer } from '../src/redirect.ts';
import { PAYLOADS } from './redirect-payloads.ts';

const RULES = { origins: ['https://app.example.com', 'https://other.example.com'], allowLoopback: false };
const BASES = ['https://app.example.com', 'https://app.example.com/', 'https://app.example.com/#', 'https://app.example.com/login?'];

/** The origin that a browser goes to, or `refused`. */
function leadsTo(base: string, asked: string, rules = RULES): string {
  try {
    return new URL(redirectTarget(base, asked, rules)).origin;
  } catch (error) {
    return (error as { code?: number }).code === 400 ? 'refused' : String(error);
  }
}

describe('S28 where browsers may be sent', () => {
  it('there are at least 40 payloads, all different', () => {
    expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length);
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(BASES)('no payload leads a browser away from %s', (base) => {
    const led = PAYLOADS.map((payload) => leadsTo(base, payload));
    expect(new Set(led.filter((origin) => origin !== 'refused' && origin !== 'https://app.example.com'))).toEqual(new Set());
    expect(led.filter((origin) => origin === 'refused').length).toBeGreaterThan(20);
  });

  it.each(BASES)('what is put behind %s later does not either', (base) => {
    const led = PAYLOADS.flatMap((payload) => {
      if (leadsTo(base, payload) === 'refused') return [];
      return [new URL(withAnswer(redirectTarget(base, payload, RULES), { access_token: 'x' })).origin];
    });
    expect(new Set([...led, 'https://app.example.com'])).toEqual(new Set(['https://app.example.com']));
  });

  it('paths and listed origins are taken, as they are written', () => {
    expect(redirectTarget('https://app.example.com', '/home?tab=1#x', RULES)).toBe('https://app.example.com/home?tab=1#x');
    expect(redirectTarget('https://app.example.com/', '/home', RULES)).toBe('https://app.example.com/home');
    expect(redirectTarget('https://app.example.com/', 'https://other.example.com/home', RULES)).toBe('https://other.example.com/home');
    expect(redirectTarget('https://app.example.com/#', '/home', RULES)).toBe('https://app.example.com/#/home');
    expect(redirectTarget('https://app.example.com/', '', RULES)).toBe('https://app.example.com/');
  });

  it.each(['/', '/app', '/app/#', '/login?'])('paths are taken behind %s of this server too, and no payload leads away from it', (base) => {
    expect(redirectTarget('/', '/home?tab=1#x', RULES)).toBe('/home?tab=1#x');
    expect(redirectTarget('/app', '/home', RULES)).toBe('/app/home');
    expect(redirectTarget('/app/#', '/home', RULES)).toBe('/app/#/home');
    expect(redirectTarget(base, 'https://other.example.com/home', RULES)).toBe('https://other.example.com/home');
    const led = PAYLOADS.map((payload) => {
      try {
        return new URL(redirectTarget(base, payload, RULES), 'https://api.example.com/oauth/test/callback').origin;
      } catch (error) {
        return (error as { code?: number }).code === 400 ? 'refused' : String(error);
      }
    });
    expect(led.filter((origin) => !['refused', 'https://api.example.com', 'https://app.example.com'].includes(origin))).toEqual([]);
    expect(led.filter((origin) => origin === 'refused').length).toBeGreaterThan(20);
  });

  it('this machine counts where it is asked for, with any port, and nothing that only looks like it', () => {
    const open = { ...RULES, allowLoopback: true };
    const near = ['http://localhost:5173/x', 'http://127.0.0.1:8080', 'http://[::1]:1/'];
    expect(near.map((asked) => leadsTo('https://app.example.com', asked, open))).toEqual(near.map((asked) => new URL(asked).origin));
    expect(near.map((asked) => leadsTo('https://app.example.com', asked))).toEqual(near.map(() => 'refused'));
    const far = ['http://localhost.evil.com', 'http://127.0.0.1.evil.com', 'http://localhost@evil.com', 'http://127.1.evil.com'];
    expect(far.map((asked) => leadsTo('https://app.example.com', asked, open))).toEqual(far.map(() => 'refused'));
  });

  it('the answer stands where the page looks for it, in all four forms', () => {
    const form = (target: string): string => withAnswer(target, { access_token: 't' });
    expect(form('https://app.example.com/')).toBe('https://app.example.com/#access_token=t');
    expect(form('https://app.example.com/#/home')).toBe('https://app.example.com/#/home?access_token=t');
    expect(form('https://app.example.com/#/home?tab=1')).toBe('https://app.example.com/#/home?tab=1&access_token=t');
    expect(form('https://app.example.com/login?')).toBe('https://app.example.com/login?access_token=t');
  });
});
