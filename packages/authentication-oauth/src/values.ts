/** @returns whether a value has properties */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** @returns a property of a value of any shape; `undefined` where there is none */
export function property(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** @returns whether a value is a text that is not empty and not longer than so many characters */
export function isText(value: unknown, longest = 2048): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest;
}

/** @returns a value when it is a text, else `undefined` */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** @returns whether a host name is that of this machine */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** @returns whether a URL is fit for secrets: HTTPS, or HTTP on this machine */
export function isSafeUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
