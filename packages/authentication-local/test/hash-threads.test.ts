import { Worker } from 'node:worker_threads';
import { expect, it, jest } from '@jest/globals';
import { hashPassword, verifyPassword } from '../src/password/password-hash.ts';

const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** The next thread that gets work ends over it, as by a lack of memory. */
function endNextThread(): void {
  jest.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (this: Worker) {
    void this.terminate();
  });
}

it('S46 a thread that ends says nothing of a password: it is neither right nor wrong, and another one is made', async () => {
  const error = { code: 503, message: 'Passwords can not be looked at at present' };
  endNextThread();
  await expect(hashPassword('right', CHEAP)).rejects.toMatchObject(error);
  const hash = await hashPassword('right', CHEAP);
  endNextThread();
  await expect(verifyPassword('right', hash)).rejects.toMatchObject(error);
  expect([await verifyPassword('right', hash), await verifyPassword('wrong', hash)]).toEqual([true, false]);
});

it('a hash that can not be read matches nothing', async () => {
  expect(await verifyPassword('right', '$argon2id$v=19$m=64,t=1,p=1$a$a')).toBe(false);
});
