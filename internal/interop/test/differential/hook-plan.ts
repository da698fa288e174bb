import type { Random } from '@framework-internal/testing';

/** What a generated hook does besides noting the call. */
export type Behaviour =
  | 'note'
  | 'throw'
  | 'set result'
  | 'set null'
  | 'change result'
  | 'change params'
  | 'replace params'
  | 'change data'
  | 'change id'
  | 'change error'
  | 'swallow error'
  | 'return context'
  | 'return properties'
  | 'no event'
  | 'other event'
  | 'status'
  | 'dispatch'
  | 'skip'
  | 'catch'
  | 'twice';

/** One generated hook. */
export interface PlannedHook {
  readonly name: string;
  readonly behaviour: Behaviour;
}

/** One call of `hooks`. */
export interface PlannedRegistration {
  readonly target: 'application' | 'service';
  /** `list` and `map` are around hooks without a type. */
  readonly form: 'around' | 'before' | 'after' | 'error' | 'list' | 'map';
  readonly method: string;
  readonly hooks: readonly PlannedHook[];
}

/** One call of a service method. */
export interface PlannedCall {
  readonly method: string;
  readonly args: readonly unknown[];
  /** Whether a context is the last argument, and comes back. */
  readonly withContext: boolean;
}

/** An application and what is done with it. */
export interface Plan {
  readonly registrations: readonly PlannedRegistration[];
  readonly calls: readonly PlannedCall[];
}

const REGULAR: readonly Behaviour[] = [
  'note',
  'throw',
  'set result',
  'set null',
  'change result',
  'change params',
  'replace params',
  'change data',
  'change id',
  'return context',
  'return properties',
  'no event',
  'other event',
  'status',
  'dispatch',
];
const IN_ERRORS: readonly Behaviour[] = [...REGULAR, 'change error', 'swallow error'];
const AROUND: readonly Behaviour[] = [...REGULAR.filter((behaviour) => !behaviour.startsWith('return')), 'skip', 'catch', 'twice'];

const METHODS = ['find', 'get', 'create', 'update', 'patch', 'remove', 'custom'] as const;

/** @returns one of very many plans; most hooks only note the call, so that deep stacks are reached */
export function planHooks(random: Random): Plan {
  let names = 0;
  const registrations = Array.from({ length: 1 + random.below(6) }, (): PlannedRegistration => {
    const form = random.pick(['around', 'before', 'after', 'error', 'list', 'map'] as const);
    const behaviours = form === 'error' ? IN_ERRORS : form === 'before' || form === 'after' ? REGULAR : AROUND;
    const target = random.pick(['application', 'service'] as const);
    // A map of around hooks of a service has no `all` there.
    const all = form === 'list' || (random.oneIn(2) && !(form === 'map' && target === 'service'));
    return {
      target,
      form,
      method: all ? 'all' : random.pick(METHODS),
      hooks: Array.from({ length: 1 + random.below(3) }, () => ({
        name: `${form} ${String(++names)}`,
        behaviour: random.oneIn(2) ? random.pick(behaviours) : 'note',
      })),
    };
  });
  return { registrations, calls: Array.from({ length: 3 }, () => planCall(random)) };
}

function planCall(random: Random): PlannedCall {
  const method = random.pick(METHODS);
  const id = (): unknown => random.pick([1, 'a', null, undefined, 'fail', 0]);
  const data = (): unknown => random.pick([{ text: 'a' }, [{ text: 'a' }, { text: 'b' }], undefined, null]);
  const params = random.pick([[], [{}], [{ query: { a: 1 } }], [null], [undefined], [{ provider: 'rest', query: {} }]]);
  const front =
    method === 'find'
      ? []
      : method === 'get' || method === 'remove'
        ? [id()]
        : method === 'update' || method === 'patch'
          ? [id(), data()]
          : [data()];
  return { method, args: [...front, ...params], withContext: random.oneIn(4) };
}
