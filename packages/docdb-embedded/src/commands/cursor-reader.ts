import type { Binary } from 'bson';
import { DocDbError } from '../errors.ts';
import type { Session } from '../transactions/sessions.ts';
import type { Transaction } from '../transactions/transaction.ts';

/** Who opened a cursor. */
export interface Opener {
  /** To whom it belongs, where authentication is on. */
  readonly owner: string;
  readonly session: Session | undefined;
  /** The API that was asked for, by `apiOf`. */
  readonly api: string;
}

/** Who opens what has no opener yet. */
export const NOBODY: Opener = { owner: '', session: undefined, api: '' };

/** What decides who may read on in a cursor. */
export interface OpenedBy {
  readonly id: bigint;
  readonly opener: Pick<Opener, 'session' | 'api'>;
  readonly transaction: Transaction | undefined;
}

/** Who asks for more. */
export interface Reader {
  readonly session: Session | undefined;
  readonly api: string;
  readonly transaction: Transaction | undefined;
}

/**
 * Looks whether a cursor is read where it was opened.
 *
 * @throws DocDbError (347) for a cursor of another API, (50736, 50737, 50738) of another session, (50739, 50740, 50741) of another transaction
 */
export function checkReader({ id, opener, ...cursor }: OpenedBy, { session, transaction, api }: Reader): void {
  if (!isSame(opener.session, session))
    refuse(id, [50736, 50737, 50738], {
      opened: opener.session && `in session ${nameOf(opener.session)}`,
      asked: session && `in session ${nameOf(session)}`,
      kind: 'a session',
      without: 'an lsid',
    });
  if (cursor.transaction !== transaction)
    refuse(id, [50739, 50740, 50741], {
      opened: cursor.transaction && `in transaction ${String(cursor.transaction.number)}`,
      asked: transaction && `in transaction ${String(transaction.number)}`,
      kind: 'a transaction',
      without: 'a txnNumber',
    });
  if (opener.api !== api)
    throw new DocDbError(347, `API parameter mismatch: cursor ${String(id)} was opened with other API parameters than it is read with`);
}

/** A session that was forgotten meanwhile and is there again is the same one. */
function isSame(one: Session | undefined, other: Session | undefined): boolean {
  return one === other || (one !== undefined && other?.key.equals(one.key) === true);
}

function nameOf({ lsid }: Session): string {
  return (lsid.id as Binary).toString('hex');
}

interface Difference {
  /** Where the cursor was opened, and where it is asked for: `undefined` outside of any. */
  readonly opened: string | undefined;
  readonly asked: string | undefined;
  readonly kind: string;
  readonly without: string;
}

type Codes = readonly [openedOutside: number, askedOutside: number, another: number];

function refuse(id: bigint, [openedOutside, askedOutside, another]: Codes, { opened, asked, kind, without }: Difference): never {
  const code = opened === undefined ? openedOutside : asked === undefined ? askedOutside : another;
  const origin = opened === undefined ? `was not created in ${kind}` : `was created ${opened}`;
  throw new DocDbError(code, `Cannot run getMore on cursor ${String(id)}, which ${origin}, ${asked ?? `without ${without}`}`);
}
