import type { Random, Variety } from '@framework-internal/testing';
import type { TestDatabase } from '@framework-internal/testing/database';
import { expect } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { send, sendJson, type Answer } from '../harness.ts';
import { bearer } from '../session-server.ts';
import type { ModelProcess, Outcome } from './model-process.ts';
import { SERVICES, type Family, type ServiceName, type User } from './session-model.ts';

/** How many calls in a row a plan of failures decides. */
const PLAN = 500;

/** The processes and their database, as the steps of the model use them: any process, and stores that may fail. */
export class ModelWorld {
  readonly processes: readonly ModelProcess[];
  readonly #database: TestDatabase;
  readonly #random: Random;
  readonly #variety: Variety;
  #failing = false;

  constructor(database: TestDatabase, processes: readonly ModelProcess[], random: Random, variety: Variety) {
    this.#database = database;
    this.processes = processes;
    this.#random = random;
    this.#variety = variety;
  }

  get isFailing(): boolean {
    return this.#failing;
  }

  /** Notes that something of interest has happened. */
  took(branch: string): void {
    this.#variety.took(branch);
  }

  /** @returns the address of a process that can note what it answers now; `undefined` while the stores fail */
  giver(at: ModelProcess): string | undefined {
    return this.#failing ? undefined : at.url;
  }

  any(): ModelProcess {
    return this.#random.pick(this.processes);
  }

  /** Lets one call of five of the stores fail, or none. */
  async setFailing(failing: boolean): Promise<void> {
    this.#failing = failing;
    for (const one of this.processes) {
      const plan = failing ? Array.from({ length: PLAN }, () => this.#random.oneIn(5)) : [];
      await one.order('fail', { plan });
    }
  }

  /** Does something, and once more without failures when a store has failed: what failed must have cost nothing. */
  async settled(work: () => Promise<Answer>): Promise<Answer> {
    const answer = await work();
    if (answer.status < 500) return answer;
    expect([this.#failing, answer.status]).toEqual([true, answer.status]);
    this.#variety.took('a failure of a store');
    await this.setFailing(false);
    const again = await work();
    expect(again.status).toBeLessThan(500);
    return again;
  }

  /** Gives an order that must be done in the end. */
  async ordered(name: string, options: object): Promise<Outcome> {
    const outcome = await this.any().order(name, options);
    if (outcome.kind !== 'failed') return outcome;
    expect(this.#failing).toBe(true);
    this.#variety.took('a failure of a store');
    await this.setFailing(false);
    const again = await this.any().order(name, options);
    expect(again.kind).toBe('done');
    return again;
  }

  /** Does something while every user of one process can not be read. */
  async withoutUsers<T>(at: ModelProcess, work: () => Promise<T>): Promise<T> {
    await this.setFailing(false);
    await at.order('fail', { plan: [true], usersOnly: true });
    try {
      return await work();
    } finally {
      await at.order('fail', { plan: [] });
    }
  }

  /** @param agent name of the program that asks */
  refresh(token: string, service: ServiceName, at: ModelProcess = this.any(), agent = 'model'): Promise<Answer> {
    return sendJson(at.url, 'POST', `/${service}`, { strategy: 'refresh', refreshToken: token }, { 'user-agent': agent });
  }

  logIn({ service, email, password }: User): Promise<Answer> {
    return sendJson(this.any().url, 'POST', `/${service}`, { strategy: 'local', email, password });
  }

  logOut({ user, access, refresh }: Family, byToken: boolean): Promise<Answer> {
    const headers = byToken ? bearer(access) : { 'content-type': 'application/json' };
    const body = byToken ? {} : { body: JSON.stringify({ refreshToken: refresh }) };
    return send(this.any().url, `/${user.service}`, { method: 'DELETE', headers, ...body });
  }

  /** Uses an access token. */
  use({ access, user }: Family, at: ModelProcess = this.any()): Promise<Answer> {
    return send(at.url, `/${user.service}-echo`, { headers: bearer(access) });
  }

  /** @returns a user as the database has it, as text */
  async stored({ service, id }: User): Promise<string> {
    return JSON.stringify(await this.#database.db.collection(SERVICES[service]).findOne({ _id: new ObjectId(id) }));
  }
}
