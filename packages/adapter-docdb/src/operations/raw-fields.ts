/**
 * Names of lists that the driver is to give as bytes. It looks for what all objects inherit among them too: a list that is called `toString` would be bytes,
 * which no rule of its record sees through.
 *
 * @param client what stands for a collection may have none
 * @param given names that a call asks for, in place of those of the client
 */
export function rawFields(client: { readonly options?: object } | undefined, given: unknown = ofClient(client?.options)): object {
  return Object.assign(Object.create(null) as object, given);
}

function ofClient(options: object = {}): unknown {
  return Reflect.get(options, 'fieldsAsRaw');
}
