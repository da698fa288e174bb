import { checkOptionNames } from '@framework/core';
import { isRecord } from '../values.ts';

/** Reads options that callers without types may give any value. */
export class Options {
  /** Name of the setting, for messages. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;

  constructor(name: string, values: Readonly<Record<string, unknown>>) {
    this.name = name;
    this.values = values;
  }

  /** @throws Error that says what the option must be; never with its value */
  refuse(option: string, expected: string): never {
    throw new Error(`'${this.name}.${option}' must be ${expected}`);
  }

  /** @throws Error for an option that is none of these */
  only(names: ReadonlySet<string>): void {
    checkOptionNames(`'${this.name}'`, this.values, names);
  }

  text(option: string): string | undefined {
    const value = this.values[option];
    if (value === undefined) return undefined;
    return typeof value === 'string' && value !== '' ? value : this.refuse(option, 'a text');
  }

  texts(option: string): readonly string[] | undefined {
    const value = this.values[option];
    if (value === undefined) return undefined;
    const isList = Array.isArray(value) && value.every((one): one is string => typeof one === 'string' && one !== '');
    return isList ? value : this.refuse(option, 'a list of texts');
  }

  flag(option: string): boolean | undefined {
    const value = this.values[option];
    return value === undefined || typeof value === 'boolean' ? value : this.refuse(option, 'true or false');
  }

  record(option: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.values[option];
    return value === undefined || (isRecord(value) && !Array.isArray(value)) ? value : this.refuse(option, 'an object');
  }

  oneOf<T extends string>(option: string, choices: readonly T[]): T | undefined {
    const value = this.values[option];
    if (value === undefined) return undefined;
    return choices.find((choice) => choice === value) ?? this.refuse(option, `one of ${choices.map((choice) => `'${choice}'`).join(', ')}`);
  }
}
