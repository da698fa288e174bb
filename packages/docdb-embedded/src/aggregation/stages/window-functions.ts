import { toNumber } from '../../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { checkWindowCount, compileAccumulator, isAccumulator } from '../accumulators.ts';
import { compileExpression, type Env, type ExpressionScope } from '../expression.ts';
import { pause } from '../../interrupt.ts';
import { type Pair, SlidingCovariance } from '../sliding-statistics.ts';
import { edgesOf, growing, runningBackward, runningForward, shrinking } from './growing-window.ts';
import { forEach, type InTurns } from './in-turns.ts';
import { minMaxScaler } from './min-max-scaler.ts';
import { movingWindow } from './moving-window.ts';
import { derivative, integral } from './over-time.ts';
import { lastKnown, linearFill, movingAverage } from './series.ts';
import { slide } from './slide.ts';
import { optionsOf, windowBounds } from './window-bounds.ts';

/** A partition in its order. */
export interface Partition {
  readonly envs: readonly Env[];
  /** Number of the tie that each document is in. */
  readonly ties: readonly number[];
  /** The value that each document is sorted by, where that is one. */
  readonly sortValues: readonly Value[];
}

/** Works out one field for each document of a partition. */
export type WindowFunction = (partition: Partition) => InTurns<Value[]>;

/** What window functions are compiled with. */
export interface WindowScope {
  readonly scope: ExpressionScope;
  /** Whether each sort field ascends. */
  readonly sorted: readonly boolean[];
  /** Whether an order is given, by no field maybe. */
  readonly isOrdered: boolean;
}

/** Compiles a window function. */
export type Compiler = (operand: Value, window: Value, context: WindowScope) => WindowFunction;

function onlyOrder(name: string, of: WindowFunction): Compiler {
  return (operand, window, { sorted }) => {
    if (window !== undefined) throw new DocDbError(5371601, `'window' field is not allowed in ${name}`);
    if (sorted.length !== 1)
      throw new DocDbError(5371602, `${name} must be specified with a top level sortBy expression with exactly one element`);
    if (!isDocument(operand) || Object.keys(operand).length > 0)
      throw new DocDbError(5371603, `${name} must be specified with '{}' as the value`);
    return of;
  };
}

/** A function of the pairs of numbers in a window. */
function covariance(sample: boolean): Compiler {
  return (operand, window, context) => {
    const list = Array.isArray(operand) && operand.length === 2 ? (operand as Value[]) : undefined;
    const parts = list?.map((part) => compileExpression(part, context.scope)) ?? [];
    const single = list ? undefined : compileExpression(operand, context.scope);
    const bounds = windowBounds(window, context);
    const pairOf = (env: Env): Pair | undefined => {
      const values = single ? single(env) : parts.map((part) => part(env));
      const [x, y] = Array.isArray(values) && values.length === 2 ? (values as Value[]) : [];
      return isNumber(x) && isNumber(y) ? [x, y] : undefined;
    };
    return ({ envs, sortValues }) => slide(envs, pairOf, sortValues, bounds, new SlidingCovariance(sample));
  };
}

const shift: Compiler = (operand, window, { scope, sorted }) => {
  if (window !== undefined) throw failedToParse("'window' field is not allowed in $shift");
  if (sorted.length === 0) throw failedToParse("'$shift' requires a sortBy");
  const options = optionsOf(operand, '$shift', ['output', 'by', 'default']);
  const { by } = options;
  if (options.output === undefined) throw failedToParse('$shift requires an output expression.');
  if (!isNumber(by) || !Number.isInteger(toNumber(by))) throw failedToParse("'$shift:by' field must be an integer");
  const output = compileExpression(options.output, scope);
  const fallback = compileExpression(options.default ?? null, scope);
  return ({ envs }) =>
    forEach(envs, (env, index) => {
      const other = envs[index + toNumber(by)];
      return other ? (output(other) ?? null) : fallback(env);
    });
};

/** @returns the place of the first document of each one's tie */
function ranks({ ties }: Partition): InTurns<Value[]> {
  let first = 0;
  return forEach(ties, (tie, index) => {
    if (ties[index - 1] !== tie) first = index;
    return first + 1;
  });
}

const FUNCTIONS: Readonly<Record<string, Compiler>> = {
  $documentNumber: onlyOrder('$documentNumber', ({ envs }) => forEach(envs, (_env, index) => index + 1)),
  $rank: onlyOrder('$rank', ranks),
  $denseRank: onlyOrder('$denseRank', ({ ties }) => forEach(ties, (tie) => tie + 1)),
  $shift: shift,
  $covariancePop: covariance(false),
  $covarianceSamp: covariance(true),
  $expMovingAvg: movingAverage,
  $derivative: derivative,
  $integral: integral,
  $locf: lastKnown,
  $linearFill: linearFill,
  $minMaxScaler: minMaxScaler,
};

/** Names of the functions that exist in windows only. */
export const windowFunctionNames: readonly string[] = Object.keys(FUNCTIONS);

/**
 * Compiles `{ $sum: '$a', window: { documents: [-1, 0] } }`.
 *
 * @throws DocDbError (9, …) for what is no window function
 */
export function compileWindowFunction(spec: Value, context: WindowScope): WindowFunction {
  if (!isDocument(spec)) throw failedToParse('a window function must be an object');
  const names = Object.keys(spec).filter((key) => key !== 'window');
  const name = names.find((key) => key in FUNCTIONS || isAccumulator(key)) ?? names[0] ?? '';
  if (!name.startsWith('$')) throw failedToParse(`Expected a $-prefixed window function, ${name}`);
  const own = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!own && !isAccumulator(name)) throw failedToParse(`Unrecognized window function, ${name}`);
  const other = names.find((key) => key !== name);
  if (other !== undefined)
    throw new DocDbError(RANKS.has(name) ? 5371601 : 9, `Window function ${name} found an unknown argument: ${other}`);
  if (own) return own(spec[name], spec.window, context);
  return overWindow(spec, name, context);
}

const RANKS: ReadonlySet<string> = new Set(['$documentNumber', '$rank', '$denseRank']);

function overWindow(spec: Doc, name: string, context: WindowScope): WindowFunction {
  const { scope } = context;
  const accumulate = compileAccumulator('output', { [name]: spec[name] }, scope);
  checkWindowCount(spec[name], scope);
  const bounds = windowBounds(spec.window, context);
  const [low, high] = edgesOf(spec.window);
  const forward = low === 'unbounded' ? runningForward(name, spec[name], scope) : undefined;
  if (low === 'unbounded' && high === 'unbounded')
    return function* ({ envs, sortValues }) {
      // A range refuses documents that have no place in it, also where it holds all of them.
      yield* forEach(envs, (_env, index) => bounds(index, sortValues));
      const running = forward?.();
      if (running) yield* forEach(envs, (env) => running.add(env));
      const value = running ? running.result() : accumulate(envs);
      return envs.map(() => value);
    };
  if (forward) return ({ envs, sortValues }) => growing(envs, sortValues, bounds, forward());
  const backward = high === 'unbounded' ? runningBackward(name, spec[name], scope) : undefined;
  if (backward) return ({ envs, sortValues }) => shrinking(envs, sortValues, bounds, backward());
  const moving = movingWindow(name, spec[name], scope, bounds);
  if (moving) return moving;
  return ({ envs, sortValues }) =>
    forEach(envs, (_env, index) => {
      const [from, to] = bounds(index, sortValues);
      pause();
      return accumulate(envs.slice(from, Math.max(from, to + 1)));
    });
}
