import { describe, expect, it } from '@jest/globals';
import { renderTemplate } from '../src/templates/render-template.ts';

const render = (text: string, facts: string[] = [], values = {}): string => renderTemplate(text, { facts: new Set(facts), values });

describe('a template', () => {
  const text = 'a\n%% if x & !y\nb\n%% if z | ts\nc\n%% end\n%% else\nd\n%% end\ne';

  it.each([
    [[], 'a\nd\ne'],
    [['x'], 'a\nb\ne'],
    [['x', 'z'], 'a\nb\nc\ne'],
    [['x', 'y', 'z'], 'a\nd\ne'],
  ])('chooses lines by %j', (facts, rendered) => {
    expect(render(text, facts)).toBe(rendered);
  });

  it('is typed or plain', () => {
    expect([render('f(a‹: A¦ /* a */›)‹: B›', ['ts']), render('f(a‹: A¦ /* a */›)‹: B›')]).toEqual(['f(a: A): B', 'f(a /* a */)']);
  });

  it('takes values as they are', () => {
    expect(render('«a»', [], { a: '$& «b» %% if' })).toBe('$& «b» %% if');
  });

  it('refuses what has no value or no end', () => {
    expect(() => render('«toString»')).toThrow("asks for 'toString'");
    expect(() => render('%% if a')).toThrow('does not end');
    expect(() => render('%% end')).toThrow('ends no condition');
  });
});
