import type { ErrorData, ErrorMessage } from './authors-parts.ts';
import { FrameworkError } from './framework-error.ts';

/** What a class of the catalogue says of itself. */
export interface CatalogueRow {
  /** Name of the error on the wire; a literal, because minifiers rename classes. */
  readonly errorName: string;
  /** HTTP status. */
  readonly status: number;
}

/** The base of the catalogue: a subclass is a row of it, and gives its name and status as statics. */
export class HttpError extends FrameworkError {
  static readonly errorName: string = 'FrameworkError';
  static readonly status: number = 500;

  /**
   * @param message the text for the caller, or an object to take text and data from; an `Error` becomes the `cause` and is not sent
   * @param data facts for the caller; `errors` in it is split off
   */
  constructor(message?: ErrorMessage, data?: ErrorData) {
    const { errorName, status } = new.target satisfies CatalogueRow;
    super(message, errorName, status, classNameOf(errorName), data);
  }
}

const classNames = new Map<string, string>();

/** Kebab-case form of a name, worked out once for each class. */
function classNameOf(name: string): string {
  let className = classNames.get(name);
  if (className === undefined) {
    className = name.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase();
    classNames.set(name, className);
  }
  return className;
}
