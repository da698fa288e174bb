// Rules of ESLint for tests that could not fail, or fail for what the machine does. The rest of it happens at run time: a test without an
// assertion fails by `scripts/assert-in-tests.mjs`.

/** Calls that read a clock. */
const CLOCKS = new Set(['Date.now', 'performance.now', 'process.hrtime', 'process.hrtime.bigint', 'process.uptime']);

/** `constant` and `multiplier` of generators that people write from memory. */
const HOMEMADE = new Set([1103515245, 1664525, 16807, 48271, 69069, 0x6d2b79f5, 22695477, 9301]);

/**
 * How long something took says more about what else the machine does than about the code: count instead, or compare with work that is done
 * in the same run. A clock that was set is read as much as one likes.
 */
const noWallClock = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      clock:
        'A test does not assert how long something took: count, or compare with work done in the same run ({{name}} is measured by {{clock}})',
    },
  },
  create(context) {
    const { sourceCode } = context;
    return {
      CallExpression(node) {
        if (!isExpect(node)) return;
        const inside = [...node.arguments, ...matcherArguments(node)];
        const measured = inside.flatMap((argument) => measuredBy(argument, sourceCode, new Set())).at(0);
        if (measured) context.report({ node, messageId: 'clock', data: { ...measured, name: sourceCode.getText(node.arguments[0]) } });
      },
    };
  },
};

/** Numbers come of `Random` of internal/random: its seed is printed, so that what fails can be tried again, and it does not repeat itself. */
const noOwnRandom = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      random:
        '{{what}}: take numbers from Random of @framework-internal/random, with a seed that the test prints, and assert their Variety',
    },
  },
  create(context) {
    return {
      MemberExpression(node) {
        if (nameOf(node) === 'Math.random') context.report({ node, messageId: 'random', data: { what: 'Math.random has no seed' } });
      },
      Literal(node) {
        if (HOMEMADE.has(node.value))
          context.report({ node, messageId: 'random', data: { what: `${node.raw} belongs to a generator of its own` } });
      },
    };
  },
};

/** A plug-in for oxlint. */
export default { meta: { name: 'tests' }, rules: { 'no-wall-clock': noWallClock, 'no-own-random': noOwnRandom } };

function isExpect({ callee }) {
  return callee.type === 'Identifier' && callee.name === 'expect';
}

/** `expect(a).not.toBeLessThan(b)`: b. */
function matcherArguments(node) {
  let at = node.parent;
  while (at?.type === 'MemberExpression') at = at.parent;
  return at?.type === 'CallExpression' && at.callee !== node && at.arguments ? at.arguments : [];
}

/**
 * The durations that an expression is made of: a difference with a clock that is read on the spot, also by way of variables.
 *
 * @returns {{ clock: string }[]}
 */
function measuredBy(node, sourceCode, passed) {
  if (!node || typeof node.type !== 'string' || passed.has(node)) return [];
  passed.add(node);
  if (node.type === 'BinaryExpression' && node.operator === '-') {
    const clock = clockIn(node.left, sourceCode, new Set()) ?? undefined;
    if (clock && clockIn(node.right, sourceCode, new Set())) return [{ clock }];
  }
  if (node.type === 'CallExpression' && nameOf(node.callee) === 'process.hrtime' && node.arguments.length > 0) {
    return [{ clock: 'process.hrtime' }];
  }
  if (node.type === 'Identifier') return valuesOf(node, sourceCode).flatMap((value) => measuredBy(value, sourceCode, passed));
  return childrenOf(node, sourceCode).flatMap((child) => measuredBy(child, sourceCode, passed));
}

/** The clock that an expression reads, at once or by way of a variable. */
function clockIn(node, sourceCode, passed) {
  if (!node || typeof node.type !== 'string' || passed.has(node)) return undefined;
  passed.add(node);
  if (node.type === 'CallExpression' && CLOCKS.has(nameOf(node.callee))) return nameOf(node.callee);
  const inner = node.type === 'Identifier' ? valuesOf(node, sourceCode) : childrenOf(node, sourceCode);
  return inner.map((child) => clockIn(child, sourceCode, passed)).find((clock) => clock !== undefined);
}

/** What a variable is set to where it is declared. */
function valuesOf(node, sourceCode) {
  let scope = sourceCode.getScope(node);
  while (scope && !scope.set.has(node.name)) scope = scope.upper;
  return (scope?.set.get(node.name)?.defs ?? []).flatMap(({ type, node: declared }) =>
    type === 'Variable' && declared.id.type === 'Identifier' && declared.init ? [declared.init] : [],
  );
}

/** Expressions inside of an expression; what a function does later is not its value. */
function childrenOf(node, sourceCode) {
  if (/Function/.test(node.type)) return [];
  return (sourceCode.visitorKeys[node.type] ?? []).flatMap((key) => node[key] ?? []);
}

function nameOf(node) {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type !== 'MemberExpression' || node.computed) return undefined;
  const object = nameOf(node.object);
  return object === undefined ? undefined : `${object}.${node.property.name}`;
}
