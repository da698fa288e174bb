import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Random } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { Program } from '@framework-internal/testing/program';
import type { DocDbParams } from '@framework/adapter-docdb';
import type { Application } from '@framework/transport-express';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp, type Account, type Services } from '../src/app.ts';

let database: TestDatabase;
let client: MongoClient;
let app: Application<Services>;
let url: string;
beforeAll(async () => {
  database = await startDatabase();
  const address = new URL(database.uri);
  address.pathname = `/${database.db.databaseName}`;
  client = await new MongoClient(address.href).connect();
  app = createApp(client);
  const server = await app.listen(0, 'localhost');
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await client.close();
  await database.close();
});

async function send(path: string, data?: object): Promise<{ status: number; body: any }> {
  const body = data === undefined ? {} : { method: 'POST', body: JSON.stringify(data) };
  const answer = await fetch(url + path, { headers: { 'content-type': 'application/json', accept: 'application/json' }, ...body });
  return { status: answer.status, body: await answer.json() };
}

const open = async (owner: string, balance: number): Promise<Account> => (await send('/accounts', { owner, balance })).body;
const balance = async ({ _id }: Account): Promise<number> => (await send(`/accounts/${_id}`)).body.balance;
const transfers = async (): Promise<number> => (await send('/transfers?$limit=0')).body.total;

describe('a transfer', () => {
  it('changes both accounts and is stored', async () => {
    const [ann, bob] = [await open('Ann', 100), await open('Bob', 0)];
    const { status, body } = await send('/transfers', { from: ann._id, to: bob._id, amount: 30 });
    expect([status, body.amount]).toEqual([201, 30]);
    expect([await balance(ann), await balance(bob)]).toEqual([70, 30]);
    expect((await send(`/transfers/${body._id}`)).body).toEqual({ _id: body._id, from: ann._id, to: bob._id, amount: 30 });
  });

  it('that fails leaves nothing behind, wherever it fails', async () => {
    const [ann, bob] = [await open('Ann', 100), await open('Bob', 0)];
    const before = await transfers();
    const nobody = '0123456789abcdef01234567';
    for (const data of [
      { from: ann._id, to: bob._id, amount: 101 },
      { from: ann._id, to: nobody, amount: 10 },
      { from: nobody, to: bob._id, amount: 10 },
      { from: ann._id, to: ann._id, amount: 10 },
      { from: ann._id, to: bob._id, amount: -10 },
      { from: ann._id, to: bob._id, amount: 1.5 },
      { from: ann._id, to: bob._id },
    ])
      expect([data, (await send('/transfers', data)).status]).toEqual([data, 400]);
    expect([await balance(ann), await balance(bob), await transfers()]).toEqual([100, 0, before]);
  });

  it('tells its listeners when it has ended', async () => {
    const [ann, bob] = [await open('Ann', 10), await open('Bob', 0)];
    const seen = new Promise<unknown>((resolve) => {
      app.service('transfers').once('created', (_transfer, { params }: { readonly params: DocDbParams }) => {
        resolve(params.docdb?.session?.inTransaction());
      });
    });
    await send('/transfers', { from: ann._id, to: bob._id, amount: 10 });
    expect([await seen, await balance(bob)]).toEqual([false, 10]);
  });

  it('of many at once none takes what is not there, and no money is made or lost', async () => {
    const random = new Random(Number(process.env.TRANSFER_SEED ?? 1));
    const accounts = await Promise.all(Array.from({ length: 4 }, (_, index) => open(`owner ${index}`, 50)));
    const before = await transfers();
    // Each that meets another is tried again: the work grows with the square of how many there are at once.
    const plans = Array.from({ length: 40 }, () => {
      const from = random.below(4);
      return { from: accounts[from]!._id, to: accounts[(from + 1 + random.below(3)) % 4]!._id, amount: 1 + random.below(40) };
    });
    const statuses = await Promise.all(plans.map(async (plan) => (await send('/transfers', plan)).status));
    const made = statuses.filter((status) => status === 201).length;
    console.log(`seed ${process.env.TRANSFER_SEED ?? 1}: ${made} of ${statuses.length} transfers were made`);
    expect(new Set(statuses)).toEqual(new Set([201, 400]));
    expect(made).toBeGreaterThan(10);
    const balances = await Promise.all(accounts.map(balance));
    expect(balances.reduce((sum, one) => sum + one, 0)).toBe(200);
    expect(Math.min(...balances)).toBeGreaterThanOrEqual(0);
    expect((await transfers()) - before).toBe(made);
  });

  it('balances are not written from outside', async () => {
    const ann = await open('Ann', 5);
    const answer = await fetch(`${url}/accounts/${ann._id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"balance":1000}',
    });
    expect([answer.status, await balance(ann)]).toEqual([405, 5]);
  });
});

it('starts, and prints commands that work', async () => {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const { DOCDB_URL: _url, ...env } = process.env;
  const example = await Program.start([process.execPath, main], { env: { ...env, PORT: '0' }, until: 'What they have now' });
  const [, address, data] = /curl (\S+)\/transfers .* '(.+)'/.exec(example.printed) ?? [];
  const answer = await fetch(`${address}/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: String(data),
  });
  expect(answer.status).toBe(201);
  expect(await example.end()).toEqual([0, null]);
});
