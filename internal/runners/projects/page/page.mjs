// The least that a runner is, in a page of a browser.
import { defineContract } from '../contract.mjs';

const cases = [];
const describe = (_title, define) => define();
const it = (title, run) => void cases.push({ title, run });
defineContract({ describe, it });

const outcomes = [];
for (const { title, run } of cases) {
  const passed = await run().then(
    () => true,
    () => false,
  );
  outcomes.push([title, passed]);
}
globalThis.outcomes = outcomes;
