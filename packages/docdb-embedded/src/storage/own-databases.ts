/** Databases of the server itself: they are there from the beginning, and take no part in transactions, change streams and outputs of pipelines. */
export const OWN_DATABASES: ReadonlySet<string> = new Set(['admin', 'config', 'local']);
