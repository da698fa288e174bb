import type { Random } from '@framework-internal/testing';
import type { JSONSchema } from '../../src/index.ts';

const count: JSONSchema = { type: 'integer' };
const NAMES = ['a', 'b', 'c', 'server'] as const;
const PROPERTIES: Readonly<Record<string, JSONSchema>> = {
  ...Object.fromEntries(NAMES.map((name) => [name, count])),
  server: { ...count, readOnly: true },
};

/** Values of which some are records. */
export function someRecordValue(random: Random): Record<string, unknown> {
  return Object.fromEntries(NAMES.flatMap((name) => (random.oneIn(3) ? [] : [[name, random.below(3)]])));
}

/** A record whose properties depend on each other, and of which the server alone sets one. */
export function someRecord(random: Random): JSONSchema {
  return { ...somePart(random, 0), ...somePart(random, 0), type: 'object', properties: PROPERTIES };
}

function somePart(random: Random, depth: number): JSONSchema {
  const name = random.pick(NAMES);
  const inner = (): JSONSchema => somePart(random, depth + 1);
  const simple: readonly (() => JSONSchema)[] = [
    () => ({ required: [name] }),
    () => ({ properties: { [name]: { const: random.below(3) } }, ...(random.oneIn(2) ? { required: [name] } : {}) }),
    () => ({ properties: { [name]: { maximum: random.below(3) } } }),
    () => ({ dependentRequired: { [name]: [random.pick(NAMES)] } }),
  ];
  const joined: readonly (() => JSONSchema)[] = [
    () => ({ oneOf: [inner(), inner()] }),
    () => ({ anyOf: [inner(), inner()] }),
    () => ({ allOf: [inner(), inner()] }),
    () => ({ not: inner() }),
    () => ({ if: inner(), ...(random.oneIn(4) ? {} : { then: inner() }), ...(random.oneIn(2) ? {} : { else: inner() }) }),
    () => ({ dependentSchemas: { [name]: inner() } }),
  ];
  return random.pick(depth > 2 || random.oneIn(4) ? simple : joined)();
}
