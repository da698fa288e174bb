/** Version of the server whose behaviour is followed. */
export const SERVER_VERSION = '8.2.0';
/** The version whose features it has. */
export const FEATURE_VERSION: string = SERVER_VERSION.split('.').slice(0, 2).join('.');
