import { describe, expect, it } from '@jest/globals';
import {
  answerBy,
  answerFinally,
  callerAnswer,
  contributing,
  createContext,
  framework,
  isAnswered,
  reachedMethod,
  whenEnded,
  type HookContext,
  type NextFunction,
} from '../../src/index.ts';
import { answerWith } from '../../src/hooks/caller-answer.ts';

const EXTERNAL = { provider: 'rest' };

interface Told {
  readonly answer: unknown;
  readonly failure: unknown;
  readonly reached: boolean;
}

/** An application whose service `notes` is called with hooks around it, and notes what it is told at the end of calls. */
function application(
  create: (data: object) => unknown,
  hooks: readonly ((context: HookContext, next: NextFunction) => Promise<void>)[] = [],
) {
  const told: Told[] = [];
  const listening = async (context: HookContext, next: NextFunction): Promise<void> => {
    whenEnded(context, async (failure) => {
      await Promise.resolve();
      told.push({ answer: callerAnswer(context), failure: failure?.error, reached: reachedMethod(context) });
    });
    await next();
  };
  const app = framework();
  app.use('notes', {
    async create(data: object) {
      return create(data);
    },
  });
  const service = app.service('notes');
  service.hooks({ around: { create: [...hooks, listening] } } as never);
  return { app, service, told };
}

describe('whenEnded', () => {
  it('is told what the caller gets, which waits for it, also of what is made behind the event', async () => {
    const order: string[] = [];
    const { service, told } = application(
      () => ({ text: 'tea' }),
      [
        async (context, next) => {
          await next();
          answerBy(context, async () => {
            order.push('answer');
            return { text: 'coffee' };
          });
        },
      ],
    );
    service.on('created', () => order.push('event'));
    expect(await service.create({}, EXTERNAL)).toEqual({ text: 'coffee' });
    expect(told).toEqual([{ answer: { text: 'coffee' }, failure: undefined, reached: true }]);
    expect(order).toEqual(['event', 'answer']);
  });

  it('is told in the order in which they asked, and leaves the result', async () => {
    const order: string[] = [];
    const { service } = application(
      () => ({ text: 'tea' }),
      [
        async (context, next) => {
          whenEnded(context, async () => void order.push('first'));
          whenEnded(context, async () => void order.push('second'));
          await next();
        },
      ],
    );
    expect(await service.create({})).toEqual({ text: 'tea' });
    expect(order).toEqual(['first', 'second']);
  });

  it('is told of failures as the caller sees them, of the method, in front of it and of an answer', async () => {
    const failing = application(() => {
      throw new Error('of the method');
    });
    await expect(failing.service.create({})).rejects.toThrow('of the method');
    expect(failing.told).toEqual([{ answer: undefined, failure: new Error('of the method'), reached: true }]);

    const refused = application(() => ({}));
    refused.service.hooks({
      before: {
        create: [
          () => {
            throw new Error('in front');
          },
        ],
      },
    });
    await expect(refused.service.create({})).rejects.toThrow('in front');
    expect(refused.told).toEqual([{ answer: undefined, failure: new Error('in front'), reached: false }]);

    const answering = application(
      () => ({}),
      [
        async (context, next) => {
          await next();
          answerBy(context, () => Promise.reject(new Error('of the answer')));
        },
      ],
    );
    await expect(answering.service.create({})).rejects.toThrow('of the answer');
    expect(answering.told).toEqual([{ answer: {}, failure: new Error('of the answer'), reached: true }]);
  });

  it('is of a running call', () => {
    for (const use of [
      () => whenEnded({} as never, async () => undefined),
      () => reachedMethod({} as never),
      () => answerFinally({} as never, 1),
    ])
      expect(use).toThrow('Only the context of a running call has an answer');
    expect(isAnswered({} as never)).toBe(false);
  });
});

describe('answerFinally', () => {
  it('gives a value that nothing around it changes, and tells no event', async () => {
    const seen: unknown[] = [];
    const app = framework();
    const rules = contributing(
      async (context: HookContext) => {
        answerFinally(context, { text: 'as it was', hidden: 'given before' });
      },
      { hidden: ['hidden'] },
    );
    app.use('notes', { create: async () => ({ text: 'new' }) });
    app.service('notes').hooks({
      around: {
        create: [
          async (context: HookContext, next: NextFunction) => {
            await next();
            seen.push(context.result, isAnswered(context));
            context.result = { text: 'changed' };
          },
        ],
      },
      before: { create: [rules] },
    } as never);
    app.service('notes').on('created', () => seen.push('an event'));
    const method = app.service('notes').create as unknown as (data: object, params: object, context: HookContext) => Promise<HookContext>;
    const context = await method({}, EXTERNAL, createContext(app.service('notes'), 'create'));
    expect(callerAnswer(context)).toEqual({ text: 'as it was', hidden: 'given before' });
    expect(reachedMethod(context)).toBe(false);
    expect(seen).toEqual([{ text: 'as it was', hidden: 'given before' }, true]);
  });
});

describe('answerWith', () => {
  it('gives the caller another answer than the event has', async () => {
    const { app, service } = application(
      () => ({ text: 'tea' }),
      [
        async (context, next) => {
          await next();
          answerWith(context, null);
        },
      ],
    );
    const told: unknown[] = [];
    service.on('created', (record: unknown) => told.push(record));
    const context = createContext(app.service('notes'), 'create');
    const create = service.create.bind(service) as (...args: unknown[]) => Promise<unknown>;
    expect(await create({}, EXTERNAL, context)).toBe(context);
    expect([callerAnswer(context), context.result, told]).toEqual([null, { text: 'tea' }, [{ text: 'tea' }]]);
  });

  it('leaves a context alone that was made by hand', () => {
    const made = { result: 'tea' } as HookContext;
    answerWith(made, 'coffee');
    expect([made, callerAnswer(made)]).toEqual([{ result: 'tea' }, 'tea']);
    expect(callerAnswer({ result: 'tea', dispatch: null } as HookContext)).toBeNull();
  });
});
