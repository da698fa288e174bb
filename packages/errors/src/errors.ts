import type { ErrorData, ErrorMessage } from './authors-parts.ts';
import type { FrameworkError } from './framework-error.ts';
import * as catalogue from './http-errors.ts';

/** A class of the catalogue. */
export type FrameworkErrorClass = new (message?: ErrorMessage, data?: ErrorData) => FrameworkError;

type Catalogue = typeof catalogue;
type ByStatus = { readonly [Name in keyof Catalogue as Catalogue[Name]['status']]: Catalogue[Name] };
type ByName = { readonly [Name in keyof Catalogue]: Catalogue[Name] };

type AnyClass = Catalogue[keyof Catalogue];

const classes: ReadonlyMap<string | number, AnyClass> = new Map(
  Object.values(catalogue).flatMap((Class): [string | number, AnyClass][] => [
    [Class.errorName, Class],
    [Class.status, Class],
  ]),
);

/** Every error class by its name and by its status, for example `errors.NotFound` and `errors[404]`. */
export const errors: ByName & ByStatus = Object.freeze(Object.fromEntries(classes)) as never;

/**
 * Finds a class of the catalogue.
 *
 * @param key a class name or a status
 * @returns the class, or `undefined` for a name or status outside the catalogue
 */
export function findErrorClass(key: string | number): FrameworkErrorClass | undefined {
  return classes.get(key);
}
