import { isDeepStrictEqual } from 'node:util';
import { feathers } from '@feathersjs/feathers';
import { Random } from '@framework-internal/testing';
import { framework } from '@framework/core';
import { expect, it } from '@jest/globals';
import { planHooks, type Behaviour, type Plan } from './hook-plan.ts';
import { runPlan } from './run-plan.ts';

/** What an error hook may do that gives a call a result after all. */
const GIVES_RESULT: ReadonlySet<Behaviour> = new Set(['set result', 'set null', 'swallow error']);

/** The incumbent sends what was made for callers before an error in place of what swallows it; here that is gone with the error. */
function mayLoseDispatch({ registrations }: Plan): boolean {
  const isShown = registrations.some(({ hooks }) => hooks.some(({ behaviour }) => behaviour === 'dispatch'));
  return isShown && registrations.some(({ form, hooks }) => form === 'error' && hooks.some(({ behaviour }) => GIVES_RESULT.has(behaviour)));
}

function withoutDispatch(outcome: unknown): unknown {
  return JSON.parse(JSON.stringify(outcome, (name, value: unknown) => (name === 'dispatch' ? undefined : value)));
}

/** Plans of one run. */
const ROUNDS = Number(process.env.HOOK_PLANS ?? 2000);

it('runs the hooks of generated stacks as the incumbent does: order, contexts, results, errors and events', async () => {
  const seed = Number(process.env.HOOK_SEED ?? 261_130);
  const random = new Random(seed);
  const plans = new Set<string>();
  const behaviours = new Set<Behaviour>();
  const ends = { results: 0, errors: 0, events: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const plan = planHooks(random);
    plans.add(JSON.stringify(plan));
    for (const { hooks } of plan.registrations) for (const { behaviour } of hooks) behaviours.add(behaviour);
    const seen = mayLoseDispatch(plan) ? withoutDispatch : (outcome: unknown): unknown => outcome;
    const [theirs, ours] = [seen(await runPlan(feathers(), plan)), seen(await runPlan(framework(), plan))];
    for (const call of theirs as { error?: string; seen: unknown[][] }[]) {
      if (call.error === undefined) ends.results += 1;
      else ends.errors += 1;
      ends.events += call.seen.filter(([kind]) => kind === 'event').length;
    }
    if (!isDeepStrictEqual(ours, theirs)) expect({ seed, round, plan, outcome: ours }).toEqual({ seed, round, plan, outcome: theirs });
  }
  const variety = `seed ${String(seed)}: ${String(plans.size)} plans, ${String(behaviours.size)} behaviours, ${JSON.stringify(ends)}`;
  process.stdout.write(`${variety}\n`);
  expect(plans.size).toBeGreaterThan(ROUNDS * 0.98);
  expect(behaviours.size).toBe(20);
  expect(Math.min(ends.results, ends.errors, ends.events)).toBeGreaterThan(ROUNDS / 4);
});
