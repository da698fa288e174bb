import {
  IS_BRANCH,
  IS_LEAF,
  IS_OVERFLOW,
  isPage,
  META,
  newestState,
  NODE,
  nodesOf,
  ON_OVERFLOW_PAGES,
  PAGE,
  readPart,
  rootOf,
} from './data-file.ts';

/** Bytes of a number of a page, or of a state. */
const NUMBER = 8;

/**
 * Counts the pages of a data file that are written again before it grows: those that no state uses which somebody reads.
 *
 * @param oldest the number of the oldest state that is read
 * @returns how many there are; none where that can not be told
 */
export function freePages(descriptor: number, oldest: number): number {
  const state = newestState(descriptor);
  if (!state) return 0;
  const { newest, pageSize } = state;
  const open = [rootOf(newest, META.freeTree)].filter((root) => root !== undefined);
  let free = 0;
  for (let at = 0; at < open.length; at++) {
    const number = open[at] as number;
    const page = readPart(descriptor, number * pageSize, pageSize);
    // It may be written while it is read.
    if (!isPage(number, page, IS_BRANCH | IS_LEAF)) return 0;
    const isBranch = (page.readUInt16LE(PAGE.flags) & IS_BRANCH) !== 0;
    for (const node of nodesOf(page)) {
      if (node + NODE.head + (isBranch ? 0 : NUMBER) > page.length) return 0;
      if (isBranch) open.push(page.readUIntLE(node, 6));
      // They were in use until the state that they are listed by.
      else if (Number(page.readBigUInt64LE(node + NODE.head)) <= oldest) free += countIn(listAt(page, node, descriptor));
    }
  }
  return free;
}

/** @returns the list of pages at a place; an empty one where there is none */
function listAt(page: Buffer, node: number, descriptor: number): Buffer {
  const size = page.readUInt16LE(node) + page.readUInt16LE(node + 2) * 0x10000;
  const start = node + NODE.head + page.readUInt16LE(node + NODE.keySize);
  if ((page.readUInt16LE(node + NODE.flags) & ON_OVERFLOW_PAGES) === 0) return page.subarray(start, start + size);
  if (start + NUMBER > page.length) return EMPTY;
  const number = Number(page.readBigUInt64LE(start));
  const place = number * page.length;
  return isPage(number, readPart(descriptor, place, PAGE.head), IS_OVERFLOW) ? readPart(descriptor, place + PAGE.head, size) : EMPTY;
}

const EMPTY = Buffer.alloc(0);

/** A list begins with its length; behind a negative number, which is that of pages in a row, stands the first of them, and 0 is nothing. */
function countIn(list: Buffer): number {
  let pages = 0;
  for (let at = NUMBER; at + NUMBER <= list.length; at += NUMBER) {
    const entry = list.readInt32LE(at + 4) * 2 ** 32 + list.readUInt32LE(at);
    if (entry === 0) continue;
    pages += entry < 0 ? -entry : 1;
    if (entry < 0) at += NUMBER;
  }
  return pages;
}
