import { checkJson } from '@framework/core';

/** Settings of Express that say how JSON is written. */
export interface JsonSettings {
  readonly 'json replacer'?: unknown;
  readonly 'json spaces'?: unknown;
  readonly 'json escape'?: unknown;
}

/**
 * The JSON text of a value.
 *
 * @param value anything; what JSON has no form for is `null`
 * @param settings settings of the application
 * @throws TypeError for what can not be written, such as a value with itself in it, or a promise
 */
export function jsonText(value: unknown, settings: JsonSettings): string {
  const { 'json replacer': replacer, 'json spaces': spaces } = settings;
  const text = (replacer === undefined && spaces === undefined ? stringify(value) : stringify(value, replacer, spaces)) ?? 'null';
  // Whoever has a replacer says what becomes of each value.
  if (replacer === undefined) checkJson(value, text);
  return settings['json escape'] === true ? escapeMarkup(text) : text;
}

/** Node's types leave out that functions and `undefined` have no text, and that settings may hold anything. */
const stringify: (value: unknown, replacer?: unknown, spaces?: unknown) => string | undefined = JSON.stringify as never;

/** Writes what HTML would read as markup in another way that JSON knows. */
function escapeMarkup(text: string): string {
  return text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

/** @returns the text that one level of nesting is indented by; an empty text for JSON in one line */
export function indentation({ 'json spaces': spaces }: JsonSettings): string {
  if (typeof spaces === 'number') return ' '.repeat(Math.max(0, Math.min(10, Math.trunc(spaces))));
  return typeof spaces === 'string' ? spaces.slice(0, 10) : '';
}
