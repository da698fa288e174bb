import { type Node, widthOf } from './nodes.ts';

/** Repetitions that count as if they had no end. */
const MANY = 16;

/**
 * How the time of a search grows with the length of the text, at worst.
 *
 * @returns the power; `Infinity` where it may double with each character
 */
export function growthOf(root: Node): number {
  return degree(root) + (isAnchored(root) ? 0 : 1);
}

function isAnchored(node: Node): boolean {
  if (node.kind === 'place') return node.atStart === true;
  if (node.kind === 'sequence') return node.parts[0] !== undefined && isAnchored(node.parts[0]);
  if (node.kind === 'choice') return node.branches.every(isAnchored);
  if (node.kind === 'capture' || node.kind === 'plain' || node.kind === 'atomic') return isAnchored(node.of);
  return false;
}

function degree(node: Node): number {
  switch (node.kind) {
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + degree(part), 0);
    case 'choice':
      return node.branches.reduce((most, branch) => Math.max(most, degree(branch)), 0) + waysOf(node.branches);
    case 'repeat':
      if (node.repeat.most <= 1) return degree(node.of) + (node.repeat.least < node.repeat.most ? TWO_WAYS : 0);
      if (node.repeat.most <= MANY) return degree(node.of) * node.repeat.most + (isPlain(node.of) ? 0 : node.repeat.most / 4);
      return isPlain(node.of) ? 1 : Infinity;
    case 'back':
      return 1;
    case 'set':
    case 'place':
    case 'keep':
      return 0;
    default:
      return degree(node.of);
  }
}

/** The ways to go on multiply those before: what that counts for, where a text of sixteen characters or more is searched. */
const TWO_WAYS = 1 / 4;

function waysOf(branches: readonly Node[]): number {
  return beginApart(branches) ? 0 : Math.log2(branches.length) * TWO_WAYS;
}

/** Whether there is one way only to find it at a place. */
function isPlain(node: Node): boolean {
  switch (node.kind) {
    case 'set':
    case 'place':
      return true;
    case 'sequence':
      return node.parts.every(isPlain);
    case 'choice':
      return node.branches.every(isPlain) && beginApart(node.branches);
    case 'repeat': {
      const [least, most] = widthOf(node);
      return least === most && isPlain(node.of);
    }
    case 'capture':
    case 'plain':
    case 'atomic':
      return isPlain(node.of);
    default:
      return false;
  }
}

function beginApart(branches: readonly Node[]): boolean {
  const firsts = branches.map(firstOf);
  return firsts.every((first) => first !== undefined) && new Set(firsts).size === firsts.length;
}

function firstOf(node: Node): string | undefined {
  if (node.kind === 'set') return node.literal;
  if (node.kind === 'sequence') return node.parts[0] && firstOf(node.parts[0]);
  return node.kind === 'capture' || node.kind === 'plain' ? firstOf(node.of) : undefined;
}
