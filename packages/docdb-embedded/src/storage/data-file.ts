import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Places of what LMDB has on a page; places of nodes count from the end of its head. */
const PAGE = { flags: 18, keys: 20, overflowPages: 20, head: 24 } as const;
const NODE = { flags: 4, keySize: 6, head: 8 } as const;
/** The first two pages have one state each, of which the newer one counts; a tree is described by 48 bytes, also in a node. */
const META = { magic: 24, pageSize: 48, freeTree: 48, mainTree: 96, lastPage: 144, transaction: 152, bytes: 160 } as const;
const TREE_ROOT = 40;
const MAGIC = 0xbeefc0de;
const IS_META = 0x08;
const IS_BRANCH = 0x01;
const IS_LEAF = 0x02;
/** A page of numbers only. */
const IS_NUMBERS = 0x20;
const ON_OVERFLOW_PAGES = 0x01;
const IS_TREE = 0x02;
const NO_ROOT = 0xffffffffffffffffn;

/**
 * Looks at a file before it is mapped into memory: where a page is read that is not there, the process ends without a word.
 *
 * @throws Error for what is no data file, and for one that is cut off
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
  const read = (place: number, bytes: number): Buffer => {
    const part = Buffer.alloc(bytes);
    readSync(descriptor, part, 0, bytes, place);
    return part;
  };
  const first = read(0, META.bytes);
  const pageSize = isMeta(first) ? first.readUInt32LE(META.pageSize) : 0;
  const second = read(pageSize, META.bytes);
  if (pageSize === 0 || !isMeta(second))
    throw new Error(`${file} is damaged, or no file of this database. Put back a whole copy of the folder, or choose another folder`);
  const newest = first.readBigUInt64LE(META.transaction) > second.readBigUInt64LE(META.transaction) ? first : second;
  const pages = Number(newest.readBigUInt64LE(META.lastPage)) + 1;
  // A file may be short of pages that are free: they are written when they are used.
  if (size >= pages * pageSize || usesOnly(Math.floor(size / pageSize), newest, (page) => read(page * pageSize, pageSize))) return;
  throw new Error(
    `${file} is cut off: it has ${String(size)} of ${String(pages * pageSize)} bytes, and what is missing was in use. Put back a whole copy of the folder, or choose another folder`,
  );
}

function isMeta(page: Buffer): boolean {
  return page.readUInt32LE(META.magic) === MAGIC && (page.readUInt16LE(PAGE.flags) & IS_META) !== 0;
}

/** @returns whether all pages that a state uses are among the first ones */
function usesOnly(count: number, state: Buffer, readPage: (page: number) => Buffer): boolean {
  const open = [rootOf(state, META.freeTree), rootOf(state, META.mainTree)].filter((root) => root !== undefined);
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    if (page >= count) return false;
    const bytes = readPage(page);
    const flags = bytes.readUInt16LE(PAGE.flags);
    if ((flags & (IS_BRANCH | IS_LEAF)) === 0) return false;
    if ((flags & IS_NUMBERS) !== 0) continue;
    for (const node of nodesOf(bytes)) {
      const kind = bytes.readUInt16LE(node + NODE.flags);
      const value = node + NODE.head + bytes.readUInt16LE(node + NODE.keySize);
      if ((flags & IS_BRANCH) !== 0) open.push(bytes.readUIntLE(node, 6));
      else if ((kind & IS_TREE) !== 0) open.push(...[rootOf(bytes, value)].filter((root) => root !== undefined));
      else if ((kind & ON_OVERFLOW_PAGES) !== 0) {
        const overflow = Number(bytes.readBigUInt64LE(value));
        if (overflow >= count || overflow + readPage(overflow).readUInt32LE(PAGE.overflowPages) > count) return false;
      }
    }
  }
  return true;
}

/** @returns the page where a tree begins; `undefined` for an empty one */
function rootOf(bytes: Buffer, place: number): number | undefined {
  const root = bytes.readBigUInt64LE(place + TREE_ROOT);
  return root === NO_ROOT ? undefined : Number(root);
}

function nodesOf(page: Buffer): number[] {
  return Array.from({ length: page.readUInt16LE(PAGE.keys) / 2 }, (_none, at) => PAGE.head + page.readUInt16LE(PAGE.head + 2 * at));
}
