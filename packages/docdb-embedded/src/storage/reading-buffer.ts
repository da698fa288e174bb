/** No value is larger: a change holds at most three documents of 16 MiB, and their names. */
const LARGEST_VALUE = 64 * 1024 * 1024;

/** What lmdb calls itself when a value is too large for its buffer; its types do not name it. */
interface GrowingBuffer {
  _allocateGetBuffer(size: number): unknown;
}

let holds = false;

/**
 * Gives lmdb a buffer that every value fits into; all databases of the process read into it. A range over a file that is
 * mapped in pieces gives rubbish for a value that does not fit into the buffer of 16 MiB that lmdb begins with. Memory is
 * taken of it as far as it is written to.
 */
export function holdLargestValue(database: object): void {
  if (holds) return;
  // It allocates twice of what a value needs.
  (database as GrowingBuffer)._allocateGetBuffer(LARGEST_VALUE / 2);
  holds = true;
}
