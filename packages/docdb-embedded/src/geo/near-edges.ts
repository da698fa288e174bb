import type { Edge, Vector } from './sphere.ts';

/** An edge with a place in its middle: all of the edge is at most so far from there. */
interface Placed {
  readonly edge: Edge;
  readonly middle: Vector;
  readonly reach: number;
}

/** What is allowed for where numbers were rounded. */
const ROUNDED = 1e-12;
/** The sum of two ends that lie opposite to each other is below. */
const OPPOSITE = 1e-6;
/** Fewer edges are looked at one after the other. */
const FEW = 32;

function placed(edge: Edge): Placed {
  const [[x1, y1, z1], [x2, y2, z2]] = edge;
  const size = Math.hypot(x1 + x2, y1 + y2, z1 + z2);
  if (size < OPPOSITE) return { edge, middle: [0, 0, 0], reach: 2 };
  const middle: Vector = [(x1 + x2) / size, (y1 + y2) / size, (z1 + z2) / size];
  return { edge, middle, reach: Math.hypot(x1 - middle[0], y1 - middle[1], z1 - middle[2]) + ROUNDED };
}

/** Edges, of which those that may meet another one are found without a look at all of them. */
class NearEdges {
  readonly #byHeight: readonly Placed[];
  readonly #longest: number;

  constructor(edges: readonly Edge[]) {
    this.#byHeight = edges.map(placed).sort((a, b) => a.middle[2] - b.middle[2]);
    this.#longest = this.#byHeight.reduce((most, { reach }) => Math.max(most, reach), 0);
  }

  some(edge: Edge, test: (other: Edge) => boolean): boolean {
    const { middle, reach } = placed(edge);
    const room = reach + this.#longest;
    for (let at = this.#firstFrom(middle[2] - room); at < this.#byHeight.length; at++) {
      const other = this.#byHeight[at] as Placed;
      if (other.middle[2] > middle[2] + room) return false;
      const [x, y, z] = [other.middle[0] - middle[0], other.middle[1] - middle[1], other.middle[2] - middle[2]];
      if (x * x + y * y + z * z <= (reach + other.reach) ** 2 && test(other.edge)) return true;
    }
    return false;
  }

  #firstFrom(height: number): number {
    let [low, high] = [0, this.#byHeight.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#byHeight[middle] as Placed).middle[2] < height) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const known = new WeakMap<readonly Edge[], NearEdges>();

/** @returns whether one of some edges passes a test that only those pass which meet a given one */
export function someNear(edges: readonly Edge[], edge: Edge, test: (other: Edge) => boolean): boolean {
  if (edges.length <= FEW) return edges.some(test);
  let near = known.get(edges);
  if (!near) {
    near = new NearEdges(edges);
    known.set(edges, near);
  }
  return near.some(edge, test);
}
