type Fields = Record<string, unknown>;

const ordered = new WeakSet<object>();

/**
 * Makes a document whose fields stay in the order in which they are set. A plain object moves names that look like integers
 * to its front, which BSON does not.
 *
 * @param fields an empty object, or one whose names are given
 * @param names the names of its fields in their order
 */
export function inOrder(fields: Fields, names: Iterable<string | symbol> = []): Fields {
  const order = new Set<string | symbol>(names);
  const document = new Proxy(fields, {
    ownKeys: () => [...order],
    defineProperty(target, name, descriptor) {
      order.add(name);
      return Reflect.defineProperty(target, name, descriptor);
    },
    deleteProperty(target, name) {
      order.delete(name);
      return Reflect.deleteProperty(target, name);
    },
  });
  ordered.add(document);
  return document;
}

/** @returns whether a document was made by {@link inOrder} */
export function isInOrder(document: object): boolean {
  return ordered.has(document);
}

/** @returns whether a plain object would move the name to its front */
export function isMoved(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57 && /^(0|[1-9]\d{0,9})$/.test(name);
}
