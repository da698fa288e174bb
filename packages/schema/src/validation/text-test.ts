import type { Ajv } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';

/** Formats that a validator knows, by name. */
export type Formats = Ajv['formats'];

type Test = (text: string) => boolean;

/**
 * Tells texts that a schema takes from others.
 *
 * @param formats what its `format` means
 * @returns `undefined` where it says nothing of texts, so that any text is meant
 */
export function textTest({ pattern, format, minLength, maxLength }: JSONSchema, formats: Formats): Test | undefined {
  const tests = [
    typeof pattern === 'string' ? patternTest(pattern) : undefined,
    typeof format === 'string' && Object.hasOwn(formats, format) ? formatTest(formats[format]) : undefined,
    lengthTest(minLength, maxLength),
  ].filter((test) => test !== undefined);
  return tests.length === 0 ? undefined : (text) => tests.every((test) => test(text));
}

function patternTest(pattern: string): Test | undefined {
  try {
    const expression = new RegExp(pattern, 'u');
    return (text) => expression.test(text);
  } catch {
    // A validator of one's own may read patterns in another way.
    return undefined;
  }
}

function formatTest(format: unknown): Test | undefined {
  if (typeof format === 'string') return patternTest(format);
  if (format instanceof RegExp) return (text) => text.search(format) >= 0;
  if (typeof format === 'function') return (text) => Reflect.apply(format, undefined, [text]) !== false;
  if (typeof format !== 'object' || format === null || Reflect.get(format, 'type') === 'number') return undefined;
  return formatTest(Reflect.get(format, 'validate'));
}

/** Lengths count characters, and not what they are written with. */
function lengthTest(minLength: unknown, maxLength: unknown): Test | undefined {
  const [least, most] = [typeof minLength === 'number' ? minLength : 0, typeof maxLength === 'number' ? maxLength : Infinity];
  if (least === 0 && most === Infinity) return undefined;
  return (text) => {
    // No text has more characters than it has places, and none fewer than half of them.
    if (text.length < least || text.length > 2 * most) return false;
    const { length } = [...text];
    return length >= least && length <= most;
  };
}
