import type { Behaviour, Plan, PlannedHook, PlannedRegistration } from './hook-plan.ts';

/** What an application did with the calls of a plan. */
export type Outcome = readonly unknown[];

class Notes {
  async find(params: any): Promise<unknown> {
    return [{ found: params.query ?? null }, { found: 2 }];
  }
  async get(id: unknown): Promise<unknown> {
    if (id === 'fail') throw new Error('The method failed');
    return { id };
  }
  async create(data: unknown): Promise<unknown> {
    return data;
  }
  async update(id: unknown, data: any): Promise<unknown> {
    return { id, ...data };
  }
  async patch(id: unknown, data: any): Promise<unknown> {
    return id === null ? [{ patched: 1 }, { patched: 2 }] : { id, ...data };
  }
  async remove(id: unknown): Promise<unknown> {
    if (id === 'fail') throw new Error('The method failed');
    return { id };
  }
  async custom(data: unknown): Promise<unknown> {
    return { custom: data };
  }
}

/**
 * Registers the hooks of a plan and makes its calls.
 *
 * @param app a new application, ours or the incumbent's
 * @returns all that hooks and listeners saw, and what came of the calls
 */
export async function runPlan(app: any, plan: Plan): Promise<Outcome> {
  let seen: unknown[] = [];
  app.use('notes', new Notes(), { methods: ['find', 'get', 'create', 'update', 'patch', 'remove', 'custom'], events: [] });
  const service = app.service('notes');
  for (const event of ['created', 'updated', 'patched', 'removed', 'other']) {
    service.on(event, (record: unknown, context: any) => seen.push(['event', event, copy(record), context.method]));
  }
  for (const registration of plan.registrations) {
    (registration.target === 'application' ? app : service).hooks(hookMap(registration, (note) => seen.push(note)));
  }
  const outcome: unknown[] = [];
  for (const { method, args, withContext } of plan.calls) {
    seen = [];
    const given = structuredClone(args) as unknown[];
    const context = withContext ? [service[method].createContext()] : [];
    try {
      const result = await service[method](...given, ...context);
      outcome.push({ method, seen, result: withContext ? { context: snapshot(result) } : copy(result) });
    } catch (error) {
      outcome.push({ method, seen, error: textOf(error) });
    }
  }
  return outcome;
}

function hookMap({ form, method, hooks }: PlannedRegistration, note: (seen: unknown) => void): unknown {
  const around = form === 'around' || form === 'list' || form === 'map';
  const functions = hooks.map((hook) => (around ? aroundHook(hook, note) : regularHook(hook, note)));
  if (form === 'list') return functions;
  if (form === 'map') return { [method]: functions };
  return { [form]: { [method]: functions } };
}

function regularHook({ name, behaviour }: PlannedHook, note: (seen: unknown) => void) {
  return async function (this: any, context: any, ...rest: unknown[]): Promise<unknown> {
    note([name, snapshot(context), rest.length, this === context.service]);
    act(behaviour, context);
    if (behaviour === 'return context') return context;
    if (behaviour === 'return properties') {
      // Of a type that is returned, the incumbent keeps the one of the hook that is over.
      const { type: _type, ...properties } = context;
      return { ...properties, extra: name };
    }
    return undefined;
  };
}

function aroundHook({ name, behaviour }: PlannedHook, note: (seen: unknown) => void) {
  return async function (this: any, context: any, next: () => Promise<void>): Promise<void> {
    note([`${name} in`, snapshot(context), this === context.service]);
    act(behaviour, context);
    if (behaviour === 'skip') return;
    if (behaviour === 'catch') {
      try {
        await next();
      } catch (error) {
        note([`${name} caught`, textOf(error)]);
        context.result = { caught: name };
      }
    } else {
      await next();
      if (behaviour === 'twice') await next();
    }
    note([`${name} out`, snapshot(context)]);
  };
}

function act(behaviour: Behaviour, context: any): void {
  switch (behaviour) {
    case 'throw':
      throw new Error(`Thrown in ${String(context.type)}`);
    case 'set result':
      context.result = { set: context.type };
      return;
    case 'set null':
      context.result = null;
      return;
    case 'change result':
      if (context.result) context.result.changed = true;
      return;
    case 'change params':
      context.params.changed = true;
      return;
    case 'replace params':
      context.params = { ...context.params, replaced: true };
      return;
    case 'change data':
      if (context.data) context.data = { ...context.data, changed: true };
      return;
    case 'change id':
      if (context.id !== undefined) context.id = 'changed';
      return;
    case 'change error':
      context.error = new Error(`${textOf(context.error)}, changed`);
      return;
    case 'swallow error':
      context.result = { swallowed: textOf(context.error) };
      return;
    case 'no event':
      context.event = null;
      return;
    case 'other event':
      context.event = 'other';
      return;
    case 'status':
      context.http = { ...context.http, status: 202 };
      return;
    case 'dispatch':
      context.dispatch = { shown: true };
      return;
    default:
  }
}

/** What a hook can see of a call. */
function snapshot(context: any): unknown {
  const { path, method, type, event, id, data, params, result, dispatch, statusCode, extra, error, original } = context;
  return copy({
    path,
    method,
    type,
    event,
    id: id ?? 'none',
    data,
    params,
    result,
    hasResult: 'result' in context && result !== undefined,
    dispatch,
    status: statusCode ?? context.http?.status,
    extra,
    error: error === undefined ? undefined : textOf(error),
    original: original === undefined ? undefined : true,
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function copy(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
