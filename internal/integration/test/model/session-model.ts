import type { Random } from '@framework-internal/testing';

/** The authentication services, and the services of their users. */
export const SERVICES = { authentication: 'users', 'admin-authentication': 'admins' } as const;
export type ServiceName = keyof typeof SERVICES;

/** A user as the model knows it. */
export interface User {
  readonly service: ServiceName;
  readonly id: string;
  readonly email: string;
  password: string;
  disabled: boolean;
}

/** Who gave the latest pair of a family, and when by the stopwatch of this process. */
export interface Giver {
  readonly url: string;
  readonly at: number;
}

/** A login as the model knows it. */
export interface Family {
  readonly user: User;
  access: string;
  refresh: string;
  /** Refresh tokens before, the latest last. */
  readonly before: string[];
  /** `undefined` for a login, and where it is not sure that the giver could note that its answer left. */
  giver: Giver | undefined;
  /** When it ended, by the stopwatch of this process; `undefined` while it lives. */
  ended: number | undefined;
  /** The step that ended it, for the message of a failure. */
  why: string;
}

/** Tokens of an answer. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Families that are remembered; what ended long ago has been checked. */
const MOST = 60;

/** Everything that is known of sessions without looking at them: who is logged in, and who was. */
export class SessionModel {
  readonly users: readonly User[];
  readonly #random: Random;
  readonly #families: Family[] = [];
  /** What is being done, for the messages of failures. */
  step = '';

  constructor(users: readonly User[], random: Random) {
    this.users = users;
    this.#random = random;
  }

  get families(): readonly Family[] {
    return this.#families;
  }

  begin(user: User, { accessToken, refreshToken }: Tokens): void {
    this.#families.push({
      user,
      access: accessToken,
      refresh: refreshToken,
      before: [],
      giver: undefined,
      ended: undefined,
      why: 'it lives',
    });
    if (this.#families.length > MOST) this.#families.splice(0, MOST / 3);
  }

  /** @param giver address of the process that gave the tokens, where it is sure that it could note that */
  refreshed(family: Family, { accessToken, refreshToken }: Tokens, giver?: string): void {
    family.before.push(family.refresh);
    family.access = accessToken;
    family.refresh = refreshToken;
    family.giver = giver === undefined ? undefined : { url: giver, at: performance.now() };
  }

  /** A process is gone: what it was about to note is not sure. */
  forget(giver: string): void {
    for (const family of this.#families) if (family.giver?.url === giver) family.giver = undefined;
  }

  /** Ends the families that fit. */
  end(fits: (family: Family) => boolean): void {
    for (const family of this.#families)
      if (family.ended === undefined && fits(family)) Object.assign(family, { ended: performance.now(), why: this.step });
  }

  /** @returns any family; `undefined` where there is none that fits */
  any(fits: (family: Family) => boolean = () => true): Family | undefined {
    const found = this.#families.filter(fits);
    return found.length === 0 ? undefined : this.#random.pick(found);
  }

  /** @returns a family that lives */
  living(fits: (family: Family) => boolean = () => true): Family | undefined {
    return this.any((family) => family.ended === undefined && fits(family));
  }
}
