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

interface UserChange {
  email?: string;
}
declare const service: DocDbService<User>;
declare const change: UserChange;

// A patch has properties, operators or both.
void service.patch('a', { email: 'b' });
void service.patch('a', change);
void service.patch('a', { email: 'b', $inc: { logins: 1 }, $push: { 'history.mails': 'a' } });
void service.patch(null, { $set: { email: 'b' } });
// @ts-expect-error a property of another type
void service.patch('a', { email: 5, $inc: { logins: 1 } });
// @ts-expect-error an operator that there is not
void service.patch('a', { $incc: { logins: 1 } });
// @ts-expect-error an operator takes an object
void service.patch('a', { $inc: 1 });
// @ts-expect-error left out of a patch unless an option says otherwise
void service.patch('a', { $rename: { email: 'mail' } });
