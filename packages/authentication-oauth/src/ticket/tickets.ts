import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { AuthenticationService, SessionScope, SessionStoreService } from '@framework/authentication';
import { NotAuthenticated, unavailable } from '@framework/errors';
import { isRecord, property, textOf } from '../values.ts';

/** How long a ticket counts, in milliseconds. */
const LIFE = 60_000;
/** How much longer it counts in other processes than the one that made it, in milliseconds: their clocks may be ahead. */
const TOLERANCE = 60_000;
/** Tickets that a process without a store remembers. */
const CAPACITY = 10_000;
const PREFIX = 'oauth-ticket.';
const FORM = /^oauth-ticket\.[\w-]{43}$/;

/** Who may log in with a ticket. */
export interface TicketHolder {
  /** Id of the entity, as text. */
  readonly user: string;
  /** Name of the strategy that has verified the login. */
  readonly strategy: string;
  /** Who it is at the provider, and its session there. */
  readonly subject: string;
  readonly session: string | undefined;
  /** S256 challenge of the page that began the login; its verifier must come with the ticket. */
  readonly challenge: string | undefined;
}

/** A login at a provider that has ended there. */
export interface EndedLogin extends Pick<TicketHolder, 'strategy' | 'session'> {
  readonly subject: string | undefined;
}

interface StoredTicket extends TicketHolder {
  /** Epoch of the user's sessions: the ticket ends with them. */
  readonly epoch: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The process that made it: the time is that of its clock. */
  readonly writtenBy: string;
}

/** @returns whether a value has the form of a ticket */
export function isTicket(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value);
}

/**
 * One-time tickets that stand for a login that was verified, for a minute: what pages get in place of a token. Only their digests are kept: in
 * the store of the sessions where there is one, else in this process.
 */
export class Tickets {
  readonly #authentication: () => AuthenticationService;
  readonly #store: (path: string) => SessionStoreService;
  readonly #memory = new Map<string, StoredTicket>();
  /** Random name of this process. */
  readonly #process = randomUUID();

  /**
   * @param authentication the authentication service
   * @param store gives a service of the application
   */
  constructor(authentication: () => AuthenticationService, store: (path: string) => SessionStoreService) {
    this.#authentication = authentication;
    this.#store = store;
  }

  /**
   * Makes a ticket.
   *
   * @throws Unavailable (503) when it can not be kept
   */
  async issue(holder: TicketHolder): Promise<string> {
    const { sessions } = this.#authentication();
    const ticket = `${PREFIX}${randomBytes(32).toString('base64url')}`;
    const epoch = (await sessions?.epochOf(holder.user)) ?? 0;
    const stored: StoredTicket = { ...holder, epoch, expiresAt: Date.now() + LIFE, writtenBy: this.#process };
    if (!sessions) {
      this.#remember(digestOf(ticket), stored);
      return ticket;
    }
    const store = this.#store(sessions.settings.service);
    const { user, session = null, challenge = null, ...rest } = stored;
    // Named otherwise than in sessions, so that no question for sessions ever finds a ticket.
    const record = {
      ...rest,
      holder: user,
      holderSession: session,
      holderScope: scopeText(sessions.scope),
      challenge,
      usedAt: null,
      purgeAt: new Date(stored.expiresAt + TOLERANCE),
    };
    await unlessDown(store.create({ [store.id ?? 'id']: digestOf(ticket), kind: 'oauth-ticket', ...record }));
    return ticket;
  }

  /**
   * Takes a ticket, which counts once.
   *
   * @param verifier of the page, for a ticket that is bound to one
   * @throws NotAuthenticated (401), Unavailable (503)
   */
  async redeem(ticket: unknown, verifier: unknown): Promise<TicketHolder> {
    const found = isTicket(ticket) ? await this.#take(digestOf(ticket)) : undefined;
    if (!found || this.#isOver(found) || !isVerified(found.challenge, verifier)) throw invalid();
    const epoch = (await this.#authentication().sessions?.epochOf(found.user)) ?? 0;
    if (epoch !== found.epoch) throw invalid();
    return found;
  }

  /**
   * Ends the tickets of logins at a provider that have ended there: all of a subject, or those of one session.
   *
   * @throws Unavailable (503)
   */
  async endOfOrigin({ strategy, subject, session }: EndedLogin): Promise<void> {
    const { sessions } = this.#authentication();
    if (!sessions) return;
    const store = this.#store(sessions.settings.service);
    const query = { ...unused(sessions.scope), strategy, ...(session === undefined ? { subject } : { holderSession: session }) };
    const found = await unlessDown(store.find({ query, paginate: false }));
    for (const record of Array.isArray(found) ? found : []) {
      const id = textOf(property(record, store.id ?? 'id'));
      if (id !== undefined) await unlessDown(store.patch(id, { usedAt: Date.now() }, { query: { kind: 'oauth-ticket' } }));
    }
  }

  /** A clock that was put back says nothing: else what it has put into the future would count for as long. */
  #isOver({ expiresAt, writtenBy }: StoredTicket): boolean {
    const age = Date.now() - (expiresAt - LIFE);
    return Math.abs(age) >= LIFE + (writtenBy === this.#process ? 0 : TOLERANCE);
  }

  async #take(digest: string): Promise<StoredTicket | undefined> {
    const { sessions } = this.#authentication();
    if (!sessions) {
      const known = this.#memory.get(digest);
      this.#memory.delete(digest);
      return known;
    }
    const params = { query: unused(sessions.scope) };
    return storedTicket(await unlessDown(this.#store(sessions.settings.service).patch(digest, { usedAt: Date.now() }, params)));
  }

  #remember(digest: string, stored: StoredTicket): void {
    const now = Date.now();
    for (const [known, { expiresAt }] of this.#memory) {
      if (expiresAt > now && this.#memory.size < CAPACITY) break;
      this.#memory.delete(known);
    }
    this.#memory.set(digest, stored);
  }
}

/** Finds tickets that count: those of another authentication service are for its users, whatever store, provider and ids the two share. */
function unused(scope: SessionScope): Readonly<Record<string, unknown>> {
  return { kind: 'oauth-ticket', usedAt: null, holderScope: scopeText(scope) };
}

function scopeText({ service, audience, entity }: SessionScope): string {
  return JSON.stringify([service, audience, entity]);
}

function storedTicket(record: unknown): StoredTicket | undefined {
  if (!isRecord(record)) return undefined;
  const { holder, strategy, subject, epoch, expiresAt, writtenBy } = record;
  if (typeof holder !== 'string' || typeof strategy !== 'string' || typeof subject !== 'string') return undefined;
  if (typeof epoch !== 'number' || typeof expiresAt !== 'number' || typeof writtenBy !== 'string') return undefined;
  const [session, challenge] = [textOf(record.holderSession), textOf(record.challenge)];
  return { user: holder, strategy, subject, session, challenge, epoch, expiresAt, writtenBy };
}

function isVerified(challenge: string | undefined, verifier: unknown): boolean {
  if (challenge === undefined) return true;
  if (typeof verifier !== 'string' || !/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const [expected, given] = [Buffer.from(challenge), Buffer.from(createHash('sha256').update(verifier).digest('base64url'))];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function digestOf(ticket: string): string {
  return `ticket:${createHash('sha256').update(ticket).digest('base64url')}`;
}

async function unlessDown(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (property(error, 'code') === 404) return undefined;
    throw unavailable('Logins are not possible at present', error);
  }
}

function invalid(): NotAuthenticated {
  return new NotAuthenticated('This login has expired or was already used', { error: 'expired' });
}
