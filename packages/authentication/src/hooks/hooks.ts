import { authenticate } from './authenticate.ts';
import { connection } from './connection.ts';
import { event } from './event.ts';

/** The hooks of this package. */
export const hooks: { readonly authenticate: typeof authenticate; readonly connection: typeof connection; readonly event: typeof event } =
  Object.freeze({
    authenticate,
    connection,
    event,
  });
