import { DocDbError } from '../errors.ts';
import type { Command } from './command.ts';

/** `saslStart` and `saslContinue`, where clients need no password */
export const refuseLogin: Command = () => {
  throw new DocDbError(18, 'Authentication is off here: leave user and password out of the URL. The server knows no users');
};
