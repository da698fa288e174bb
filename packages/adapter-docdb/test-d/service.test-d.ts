// Compiled by the type check, never run: what must and must not compile.
import type { Collection, Db } from 'mongodb';
import { DocDbService } from '../src/index.ts';

interface User {
  _id: string;
  email: string;
}

declare const db: Db;

// A collection with the type of its records, as the driver gives it, is one for the service too, in each of the three forms.
const users: Collection<User> = db.collection<User>('users');
export const services: DocDbService<User>[] = [
  new DocDbService<User>({ Model: users }),
  new DocDbService<User>({ Model: Promise.resolve(users) }),
  new DocDbService<User>({ Model: () => users }),
  new DocDbService<User>({ Model: async () => users }),
  new DocDbService<User>({ Model: db.collection('users') }),
];
// @ts-expect-error the database, and no collection of it
new DocDbService<User>({ Model: db });
// @ts-expect-error the name of a collection
new DocDbService<User>({ Model: 'users' });
// @ts-expect-error nothing that has a collection
new DocDbService<User>({ Model: async () => undefined });
