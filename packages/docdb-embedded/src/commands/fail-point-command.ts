import { DocDbError, SEARCH_NOT_ENABLED } from '../errors.ts';
import type { Command } from './command.ts';

/** `configureFailPoint` */
export const configureFailPoint: Command = ({ command, server, database }) => {
  if (database !== 'admin') throw new DocDbError(13, 'configureFailPoint may only be run against the admin database.');
  server.failPoints.configure(String(command.configureFailPoint), command.mode, command.data);
  return { count: 0 };
};

/** Commands of search indexes */
export const searchIndexes: Command = () => {
  throw new DocDbError(31082, SEARCH_NOT_ENABLED);
};
