%% if embedded
import { DocDbServer } from '@framework/docdb-embedded';
%% end
import { MongoClient‹, type Db› } from 'mongodb';

%% if ts
/** The database of the application, until it is closed. */
export interface Database {
  readonly db: Db;
  readonly close: () => Promise<void>;
}

%% end
%% if embedded
/**
 * Opens the MongoDB server of the address, or else the embedded database, which is for development and tests.
 *
%% if js
 * @param {string | undefined} url address of the server
 * @param {string | undefined} folder where the embedded database keeps its data; a temporary folder without it
%% else
 * @param url address of the server
 * @param folder where the embedded database keeps its data; a temporary folder without it
%% end
 */
export async function openDatabase(url‹: string | undefined›, folder‹: string | undefined›)‹: Promise<Database>› {
  if (url) return connect(url);
  const server = await DocDbServer.start(folder ? { path: folder } : {});
  const { db, close } = connect(new URL('/app', server.uri).href);
  return {
    db,
    close: async () => {
      await close();
      await server.stop();
    },
  };
}

%% end
/**
%% if embedded
 * Connects to a MongoDB server.
 *
%% else
 * Connects to the MongoDB server.
 *
%% end
%% if js & mongodb
 * @param {string | undefined} url its address, with the name of the database
%% end
%% if js & embedded
 * @param {string} url its address, with the name of the database
%% end
%% if ts
 * @param url its address, with the name of the database
%% end
 */
%% if embedded
function connect(url‹: string›)‹: Database› {
%% else
export function openDatabase(url‹: string | undefined›)‹: Database› {
  if (!url) throw new Error('The variable DATABASE_URL is missing: set it to the address of the MongoDB server');
%% end
  // It connects by itself with the first operation, and again when the connection was lost. Until then `health` answers 503.
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 5000 });
  return { db: client.db(), close: () => client.close() };
}
