import assert from 'node:assert/strict';
import { methodCases } from './cases/methods.ts';
import { outsideCases } from './cases/outside.ts';
import { pageCases } from './cases/pages.ts';
import { queryCases } from './cases/queries.ts';
import { CAPABILITIES, type AdapterCase, type Capability, type CaseContext, type CaseOptions, type CaseService } from './types.ts';

/** Every case, in its order. */
export const adapterCases: readonly AdapterCase[] = [
  ...methodCases.map((each) => ({ section: 'methods', ...each })),
  ...queryCases.map((each) => ({ section: 'queries', ...each })),
  ...pageCases.map((each) => ({ section: 'pages', ...each })),
  ...outsideCases.map((each) => ({ section: 'from outside', ...each })),
];

/** The functions of a test runner: those of jest, vitest, mocha and `node:test` will do. */
export interface TestRunner {
  readonly describe: (title: string, define: () => void) => unknown;
  readonly it: (title: string, run: () => Promise<void>) => unknown;
}

/** What is tested. */
export interface AdapterTestOptions {
  /** Name of the adapter, for titles. */
  readonly name: string;
  /**
   * Makes a service of the adapter without any record; called once or more by each case.
   *
   * @param options options that the case needs, of those that adapters have in common
   */
  readonly create: (options: CaseOptions) => CaseService | Promise<CaseService>;
  /** Name of the id property of these services. */
  readonly id: string;
  /** An id that no record has and that a record may get. */
  readonly missing: unknown;
  /** What the adapter does not offer. Default: nothing */
  readonly lacks?: readonly Capability[];
  /** The test runner. Default: the global functions `describe` and `it` */
  readonly runner?: TestRunner;
}

/**
 * Defines the contract of adapters as tests of one adapter. What it does not offer has a test that says so.
 *
 * @throws Error without a test runner, and for a capability that there is not
 */
export function adapterTests(options: AdapterTestOptions): void {
  const { describe, it } = options.runner ?? globalRunner();
  const lacks = new Set(options.lacks ?? []);
  for (const name of lacks)
    if (!CAPABILITIES.includes(name)) throw new Error(`There is no capability '${name}'. There are ${CAPABILITIES.join(', ')}`);
  const context: CaseContext = {
    id: options.id,
    missing: options.missing,
    service: async (given = {}) => options.create(given),
  };
  describe(`the contract of adapters: ${options.name}`, () => {
    for (const section of new Set(adapterCases.map((each) => each.section))) {
      describe(section, () => {
        for (const { title, needs, run } of adapterCases.filter((each) => each.section === section && !isLacking(each, lacks))) {
          it(needs === undefined ? title : `${title} [${needs}]`, async () => run(context));
        }
      });
    }
    for (const name of lacks) {
      it(`${name}: not offered`, async () => {
        assert.ok(adapterCases.some(({ needs }) => needs === name));
        return Promise.resolve();
      });
    }
  });
}

function isLacking({ needs }: AdapterCase, lacks: ReadonlySet<Capability>): boolean {
  return needs !== undefined && lacks.has(needs);
}

function globalRunner(): TestRunner {
  const { describe, it } = globalThis as Partial<TestRunner>;
  if (!describe || !it) throw new Error("There is no global 'describe' and 'it': pass those of the test runner as 'runner'");
  return { describe, it };
}
