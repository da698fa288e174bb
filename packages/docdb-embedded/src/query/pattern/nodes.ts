import { DocDbError } from '../../errors.ts';

/** How often something is repeated. */
export interface Repeat {
  readonly least: number;
  readonly most: number;
  readonly mode: 'greedy' | 'lazy' | 'possessive';
}

/** A part of a pattern. */
export type Node =
  | { readonly kind: 'set'; readonly source: string; readonly literal?: string }
  | { readonly kind: 'place'; readonly source: string; readonly atStart?: boolean }
  | { readonly kind: 'keep' }
  | { readonly kind: 'back'; readonly group: number | string; readonly at: number }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly branches: readonly Node[] }
  | { readonly kind: 'repeat'; readonly of: Node; readonly repeat: Repeat }
  | { readonly kind: 'capture'; readonly of: Node; readonly number: number; readonly name: string | undefined }
  | { readonly kind: 'plain' | 'atomic' | 'ahead' | 'notAhead' | 'behind' | 'notBehind'; readonly of: Node };

/** A pattern that was read. */
export interface Pattern {
  readonly root: Node;
  /** Captures with their numbers by name. */
  readonly names: ReadonlyMap<string, number>;
  readonly captures: number;
  /** Whether letters of both cases are the same. */
  readonly ignoreCase: boolean;
}

/** @returns the error for a pattern that does not compile */
export function invalid(reason: string): DocDbError {
  return new DocDbError(51091, `Regular expression is invalid: ${reason}`);
}

/** @returns the error for what the server's library has, and this one does not */
export function unsupported(what: string): DocDbError {
  return new DocDbError(51091, `Regular expression is invalid here: ${what} is not supported by this database`);
}

/** @returns how many characters a part takes at least and at most */
export function widthOf(node: Node): readonly [least: number, most: number] {
  switch (node.kind) {
    case 'set':
      return [1, 1];
    case 'back':
      return [0, Infinity];
    case 'sequence':
      return node.parts.map(widthOf).reduce(([low, high], [a, b]) => [low + a, high + b], [0, 0]);
    case 'choice': {
      const widths = node.branches.map(widthOf);
      return [Math.min(...widths.map(([low]) => low)), Math.max(...widths.map(([, high]) => high))];
    }
    case 'repeat': {
      const [low, high] = widthOf(node.of);
      return [low * node.repeat.least, high === 0 ? 0 : high * node.repeat.most];
    }
    case 'capture':
    case 'plain':
    case 'atomic':
      return widthOf(node.of);
    default:
      return [0, 0];
  }
}
