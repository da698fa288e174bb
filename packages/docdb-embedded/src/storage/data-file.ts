import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Places of what LMDB has on a page; places of nodes count from the end of its head. */
export const PAGE = { flags: 18, keys: 20, overflowPages: 20, head: 24 } as const;
export const NODE = { flags: 4, keySize: 6, head: 8 } as const;
/** The first two pages have one state each, of which the newer one counts; a tree is described by 48 bytes, also in a node. */
export const META = { magic: 24, pageSize: 48, freeTree: 48, mainTree: 96, lastPage: 144, transaction: 152, bytes: 160 } as const;
const TREE_ROOT = 40;
const MAGIC = 0xbeefc0de;
const IS_META = 0x08;
export const IS_BRANCH = 0x01;
export const IS_LEAF = 0x02;
export const IS_OVERFLOW = 0x04;
/** A page of numbers only. */
const IS_NUMBERS = 0x20;
export const ON_OVERFLOW_PAGES = 0x01;
const IS_TREE = 0x02;
const NO_ROOT = 0xffffffffffffffffn;
/** The table that is made before all others. */
export const FIRST_TABLE = 'system';

/** Pages that are looked at in any case, the upper ones first, and milliseconds in which others are: a large file opens as fast as a small one. */
const LEAST_PAGES = 64;
const LOOK_TIME = 20;

/**
 * Looks at a file before it is mapped into memory: where a page is read that is not there, or is none, the process ends
 * without a word.
 *
 * @throws Error for what is no data file, for one that is cut off, for one whose upper pages are damaged, and for one of another program
 */
export function checkDataFile(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  const descriptor = openSync(file, 'r');
  try {
    checkPages(file, descriptor, size);
  } finally {
    closeSync(descriptor);
  }
}

function checkPages(file: string, descriptor: number, size: number): void {
  const read = (place: number, bytes: number): Buffer => readPart(descriptor, place, bytes);
  const state = newestState(descriptor);
  if (!state) throw damaged(`${file} is damaged, or no file of this database`);
  const { newest, pageSize } = state;
  const pages = Number(newest.readBigUInt64LE(META.lastPage)) + 1;
  // A file may be short of pages that are free: they are written when they are used.
  const isShort = size < pages * pageSize;
  const end = isShort ? Infinity : performance.now() + LOOK_TIME;
  const fault = faultIn(newest, Math.floor(size / pageSize), (page) => read(page * pageSize, pageSize), end);
  if (fault === 'missing')
    throw damaged(`${file} is cut off: it has ${String(size)} of ${String(pages * pageSize)} bytes, and what is missing was in use`);
  if (fault !== undefined) throw damaged(`${file} is damaged: its page ${String(fault)} of ${String(pageSize)} bytes is not what it was`);
  const root = rootOf(newest, META.mainTree);
  if (root !== undefined && !keysOf(read(root * pageSize, pageSize)).includes(`${FIRST_TABLE}\0`))
    throw new Error(`${file} belongs to another program: it has no table of this database. Choose another folder`);
}

/** @returns the keys of a page at the end of a tree, as text; none of another page. The names of all tables have room on one, and end with a zero */
function keysOf(page: Buffer): string[] {
  if ((page.readUInt16LE(PAGE.flags) & IS_LEAF) === 0) return [];
  return nodesOf(page).map((node) => page.toString('latin1', node + NODE.head, node + NODE.head + page.readUInt16LE(node + NODE.keySize)));
}

/** @returns bytes of a file; behind its end there are zeros */
export function readPart(descriptor: number, place: number, bytes: number): Buffer {
  const part = Buffer.alloc(bytes);
  readSync(descriptor, part, 0, bytes, place);
  return part;
}

/** @returns the newest state of a data file, as its page has it; `undefined` for what is no data file */
export function newestState(descriptor: number): { readonly newest: Buffer; readonly pageSize: number } | undefined {
  const first = readPart(descriptor, 0, META.bytes);
  const pageSize = isMeta(first) ? first.readUInt32LE(META.pageSize) : 0;
  const second = readPart(descriptor, pageSize, META.bytes);
  if (pageSize === 0 || !isMeta(second)) return undefined;
  return { newest: first.readBigUInt64LE(META.transaction) > second.readBigUInt64LE(META.transaction) ? first : second, pageSize };
}

function damaged(what: string): Error {
  return new Error(`${what}. Put back a whole copy of the folder, or choose another folder`);
}

function isMeta(page: Buffer): boolean {
  return page.readUInt32LE(META.magic) === MAGIC && (page.readUInt16LE(PAGE.flags) & IS_META) !== 0;
}

/**
 * Looks at the pages that a state uses, from the roots of its trees down.
 *
 * @param count pages that the file has
 * @param end when it leaves the others unread, as `performance.now()` tells it
 * @returns the number of a page that is damaged, `missing` for one behind the end of the file
 */
function faultIn(state: Buffer, count: number, readPage: (page: number) => Buffer, end: number): number | 'missing' | undefined {
  const open = [rootOf(state, META.freeTree), rootOf(state, META.mainTree)].filter((root) => root !== undefined);
  for (let at = 0; at < open.length && (at < LEAST_PAGES || performance.now() < end); at++) {
    const page = open[at] as number;
    if (page >= count) return 'missing';
    const next = pagesBelow(page, readPage(page));
    if (!next) return page;
    open.push(...next.below);
    for (const overflow of next.overflow) {
      if (overflow >= count) return 'missing';
      const head = readPage(overflow);
      if (!isPage(overflow, head, IS_OVERFLOW)) return overflow;
      if (overflow + head.readUInt32LE(PAGE.overflowPages) > count) return 'missing';
    }
  }
  return undefined;
}

/** @returns whether a page has its own number, and is of some kind */
export function isPage(page: number, bytes: Buffer, kinds: number): boolean {
  return bytes.readBigUInt64LE(0) === BigInt(page) && (bytes.readUInt16LE(PAGE.flags) & kinds) !== 0;
}

/** @returns the pages that one leads to, and those that its values lie on; `undefined` where it is none */
function pagesBelow(page: number, bytes: Buffer): { readonly below: readonly number[]; readonly overflow: readonly number[] } | undefined {
  if (!isPage(page, bytes, IS_BRANCH | IS_LEAF)) return undefined;
  const flags = bytes.readUInt16LE(PAGE.flags);
  const below: number[] = [];
  const overflow: number[] = [];
  if ((flags & IS_NUMBERS) !== 0) return { below, overflow };
  for (const node of nodesOf(bytes)) {
    // A place outside of the page.
    if (node + NODE.head > bytes.length) return undefined;
    const kind = bytes.readUInt16LE(node + NODE.flags);
    const value = node + NODE.head + bytes.readUInt16LE(node + NODE.keySize);
    const isTree = (kind & IS_TREE) !== 0;
    if ((flags & IS_BRANCH) !== 0) below.push(bytes.readUIntLE(node, 6));
    else if (value + (isTree ? TREE_ROOT + 8 : (kind & ON_OVERFLOW_PAGES) === 0 ? 0 : 8) > bytes.length) return undefined;
    else if (isTree) below.push(...[rootOf(bytes, value)].filter((root) => root !== undefined));
    else if ((kind & ON_OVERFLOW_PAGES) !== 0) overflow.push(Number(bytes.readBigUInt64LE(value)));
  }
  return { below, overflow };
}

/** @returns the page where a tree begins; `undefined` for an empty one */
export function rootOf(bytes: Buffer, place: number): number | undefined {
  const root = bytes.readBigUInt64LE(place + TREE_ROOT);
  return root === NO_ROOT ? undefined : Number(root);
}

/** @returns where the nodes of a page begin, as far as it has room for as many as it says */
export function nodesOf(page: Buffer): number[] {
  const room = (page.length - PAGE.head) / 2;
  const count = Math.min(page.readUInt16LE(PAGE.keys) / 2, Math.floor(room));
  return Array.from({ length: count }, (_none, at) => PAGE.head + page.readUInt16LE(PAGE.head + 2 * at));
}
