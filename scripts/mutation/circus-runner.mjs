// A test runner for Stryker. Jest loads all modules anew for each change that is tried, which costs a second or more; this one loads the tests of
// a package once and runs those that reach a change again and again, with the parts of Jest that know tests (`jest-circus`, `expect`). What is
// computed when a module is loaded can not be tried so; Stryker leaves it out (`ignoreStatic`).
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { PluginKind, commonTokens, declareClassPlugin, tokens } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus, determineHitLimitReached, toMutantRunResult } from '@stryker-mutator/api/test-runner';
import { addEventHandler, getState, resetState, run, setState } from 'jest-circus';
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { forgetFile, forgetTest, missedAssertions, spiesOf, spyAgain } from './globals.mjs';

/** Random tests would kill other changes each time; sizes of bundles are others with each change. */
const LEFT_OUT = /fuzz|random|oracle|model|size/;
/**
 * Milliseconds of the processor, and on the clock, after which a test costs more than it tells: a change that it alone would notice counts as reached by
 * none. What else the machine does is on the clock alone.
 */
const SLOW = { processor: 500, clock: 2000 };
const packages = fileURLToPath(new URL('../../packages', import.meta.url));
/** Milliseconds of one test; what waits longer for something that does not come has failed. Changes that make tests wait cost so much each. */
const TEST_TIMEOUT = 2.5 * SLOW.clock;

/** The context of the instrumented sources: which change is active, and what reached which. */
const instrumented = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

/**
 * @typedef {object} TestFile
 * @property {string} url
 * @property {string} name
 * @property {import('jest-circus').State} state
 * @property {Map<string, object>} tests by their ids
 * @property {ReadonlySet<string>} reached ids of the changes that are reached while the tests are declared
 * @property {boolean} [changed] whether they were declared with a change
 * @property {import('./globals.mjs').Spy[]} spies what the file spies on for all of its tests
 */

class CircusRunner {
  static inject = tokens(commonTokens.logger);
  #log;
  /** @type {TestFile[]} */
  #files = [];
  #declarations = 0;
  /** @type {WeakMap<object, string>} */
  #ids = new WeakMap();
  /** @type {object | undefined} the test that runs */
  #running;
  /** What the process had used when that began. */
  #began = process.cpuUsage();
  /** @type {WeakMap<object, number>} milliseconds of the processor that tests took */
  #costs = new WeakMap();
  #stopAtFailure = false;
  #failed = false;
  /** What was rejected and is taken by nobody yet, by its promise. @type {Map<Promise<unknown>, unknown>} */
  #untaken = new Map();
  /** Whether a change was active in this process before. */
  #used = false;

  /** @param {import('@stryker-mutator/api/logging').Logger} log what the process of tests writes by itself is shown nowhere */
  constructor(log) {
    this.#log = log;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    process.env.NODE_ENV = 'test';
    process.on('uncaughtException', (error) => this.#fail(error));
    process.on('unhandledRejection', (error, promise) => this.#untaken.set(promise, error));
    process.on('rejectionHandled', (promise) => this.#untaken.delete(promise));
    addEventHandler((event) => this.#follow(event));
    const folders = process.env.MUTATION_TESTS.split(',');
    for (const folder of folders) for (const file of testFiles(join(packages, folder, 'test'))) await this.#load(file);
    if (this.#files.every(({ tests }) => tests.size === 0)) throw new Error(`No tests in ${folders.join(' and ')}`);
  }

  async dryRun({ coverageAnalysis }) {
    instrumented.mutantCoverage ??= { static: {}, perTest: {} };
    const tests = await this.#run(undefined, true);
    const mutantCoverage = coverageAnalysis === 'off' ? undefined : structuredClone(instrumented.mutantCoverage);
    // What is computed while the tests of a file are declared may matter to each of them.
    for (const { tests, reached } of mutantCoverage === undefined ? [] : this.#files)
      for (const id of tests.keys()) for (const mutant of reached) (mutantCoverage.perTest[id] ??= {})[mutant] ??= 1;
    const quick = tests.filter((test) => this.#isQuick(test));
    const again = await this.#run(new Set(quick.filter(passed).map(({ id }) => id)), true);
    const repeatable = new Set(again.filter(passed).map(({ id }) => id));
    const kept = new Set(quick.filter((test) => !passed(test) || repeatable.has(test.id)));
    for (const { id } of tests.filter((test) => !quick.includes(test))) this.#log.warn(`Takes long, and is left out: ${id}`);
    for (const { id } of quick.filter((test) => !kept.has(test))) this.#log.warn(`Fails when it is run again, and is left out: ${id}`);
    return { status: DryRunStatus.Complete, tests: [...kept], mutantCoverage };
  }

  #isQuick({ id, timeSpentMs }) {
    const file = this.#files.find(({ tests }) => tests.has(id));
    return (this.#costs.get(file?.tests.get(id)) ?? 0) < SLOW.processor && timeSpentMs < SLOW.clock;
  }

  async mutantRun({ activeMutant, testFilter, disableBail, hitLimit }) {
    const fresh = !this.#used;
    this.#used = true;
    instrumented.activeMutant = activeMutant.id;
    instrumented.hitLimit = hitLimit;
    instrumented.hitCount = hitLimit === undefined ? undefined : 0;
    let result;
    try {
      const tests = await this.#run(testFilter && new Set(testFilter), disableBail);
      const reached = determineHitLimitReached(instrumented.hitCount, hitLimit);
      result = toMutantRunResult(reached ?? { status: DryRunStatus.Complete, tests }, disableBail);
    } finally {
      instrumented.activeMutant = undefined;
      instrumented.hitLimit = undefined;
    }
    if (result.status === MutantRunStatus.Survived || fresh) return result;
    // A change can leave something behind that fails the tests of the next ones, which would be counted as noticed. A process in which the test
    // fails without a change too is ended: Stryker tries the change again in a new one.
    const again = await this.#run(result.killedBy && new Set(result.killedBy), false);
    const still = again.find(({ status }) => status === TestStatus.Failed);
    if (!still) return result;
    this.#log.warn(
      `A change has left something behind in this process, which is ended. Without it: ${still.name}: ${still.failureMessage}`,
    );
    return process.exit(1);
  }

  async #load(path) {
    const name = relative(packages, path).split(sep).join('/');
    const file = { url: pathToFileURL(path).href, name, state: undefined, tests: new Map(), reached: new Set(), spies: [] };
    resetState();
    // What modules compute when they are loaded belongs to no test; what follows is what the file itself does.
    await spiesOf(() => import(file.url));
    await this.#declare(file);
    file.reached = new Set(Object.keys(instrumented.mutantCoverage?.perTest?.[name] ?? {}));
    this.#files.push(file);
  }

  /** Declares the tests of a file, anew where it was done before: what it computes meanwhile is computed again. */
  async #declare(file) {
    resetState();
    const state = getState();
    state.testTimeout = TEST_TIMEOUT;
    instrumented.currentTestId = file.name;
    try {
      file.spies = await spiesOf(() => import(`${file.url}?declaration=${++this.#declarations}`));
    } finally {
      instrumented.currentTestId = undefined;
    }
    // Only now: a change that ends the declaration leaves the tests that are known, which are declared again for the next one.
    file.state = state;
    file.tests = new Map();
    for (const test of testsOf(file.state.rootDescribeBlock)) {
      const id = `${file.name} ${file.tests.size}`;
      file.tests.set(id, test);
      this.#ids.set(test, id);
      test.ownMode = test.mode;
    }
  }

  /** @param {Set<string> | undefined} wanted the tests by their ids, all without @param {boolean} all goes on after a failure */
  async #run(wanted, all) {
    this.#stopAtFailure = !all;
    this.#failed = false;
    const results = [];
    for (const file of this.#files) {
      const isWanted = (id) => wanted?.has(id) ?? true;
      if ((this.#failed && !all) || ![...file.tests.keys()].some(isWanted)) continue;
      const active = file.reached.has(instrumented.activeMutant);
      if (active || file.changed) {
        file.changed = active;
        try {
          await this.#declare(file);
        } catch (error) {
          this.#failed = true;
          results.push({ id: [...wanted][0], name: file.name, timeSpentMs: 0, ...failure(error) });
          continue;
        }
      }
      const { state, tests } = file;
      const chosen = [...tests].filter(([id]) => isWanted(id));
      for (const test of tests.values()) Object.assign(test, { mode: 'skip', errors: [], status: null });
      for (const [, test] of chosen) test.mode = test.ownMode;
      state.unhandledErrors.length = 0;
      setState(state);
      spyAgain(file.spies);
      try {
        await run();
      } finally {
        forgetFile(file.spies);
      }
      for (const [id, test] of chosen) results.push(resultOf(id, test));
      for (const error of state.unhandledErrors) results.push({ ...resultOf(chosen[0][0], chosen[0][1]), ...failure(error) });
    }
    return results;
  }

  async #follow(event) {
    if (event.name === 'test_started') {
      forgetTest();
      this.#running = event.test;
      this.#began = process.cpuUsage();
      instrumented.currentTestId = this.#ids.get(event.test);
    } else if (event.name === 'hook_start' && event.hook.type === 'beforeAll') {
      // What is prepared for several tests is reached by the first of them: with it, the preparation is run too.
      const first = testsOf(event.hook.parent).find((test) => test.mode !== 'skip');
      this.#running = first;
      instrumented.currentTestId = this.#ids.get(first);
    } else if (event.name === 'test_done') {
      const { user, system } = process.cpuUsage(this.#began);
      this.#costs.set(event.test, (user + system) / 1000);
      event.test.errors.push(...missedAssertions());
      // What is taken a little later is no failure, with Jest either.
      await new Promise(setImmediate);
      event.test.errors.push(...this.#untaken.values());
      this.#untaken.clear();
      instrumented.currentTestId = undefined;
      if (event.test.errors.length > 0) this.#skipTheRest();
    }
  }

  #fail(error) {
    this.#running?.errors.push(error);
    this.#skipTheRest();
  }

  #skipTheRest() {
    this.#failed = true;
    if (!this.#stopAtFailure) return;
    for (const test of testsOf(getState().rootDescribeBlock)) if (test.status === null && test !== this.#running) test.mode = 'skip';
  }
}

/** @returns {object[]} the tests of a block and of those in it */
function testsOf(block) {
  return block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));
}

function titleOf(test) {
  const names = [];
  for (let at = test; at.parent; at = at.parent) names.unshift(at.name);
  return names.join(' ');
}

function resultOf(id, test) {
  const base = { id, name: `${id} ${titleOf(test)}`, fileName: join(packages, id.split(' ')[0]), timeSpentMs: test.duration ?? 0 };
  if (test.status === 'skip' || test.status === 'todo' || test.status === null) return { ...base, status: TestStatus.Skipped };
  return test.errors.length === 0 ? { ...base, status: TestStatus.Success } : { ...base, ...failure(test.errors[0]) };
}

const passed = ({ status }) => status === TestStatus.Success;

/** @param {unknown} error of `jest-circus`: an error, or one with the place where its test was declared */
function failure(error) {
  const cause = Array.isArray(error) ? (error[0] ?? error[1]) : error;
  return { status: TestStatus.Failed, failureMessage: String(cause?.stack ?? cause) };
}

function testFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !LEFT_OUT.test(name))
    .sort()
    .map((name) => join(folder, name));
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'circus', CircusRunner)];
