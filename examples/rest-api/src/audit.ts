import { MongoClient } from 'mongodb';
import { addServices, createApp, type Services } from './app.ts';
import type { Settings } from './settings.ts';
import type { Application } from '@framework/transport-express';

/** The application for `framework-audit`: all services, on a database that nobody asks. */
export default async function audited(): Promise<Application<Services, Settings>> {
  const app = createApp();
  const db = new MongoClient('mongodb://127.0.0.1:1').db('audit');
  await addServices(app, db, async () => db.collection('cities'));
  return app;
}
