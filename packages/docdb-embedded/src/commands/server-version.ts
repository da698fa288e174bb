/** Version of the server whose behaviour is followed. */
export const SERVER_VERSION = '8.2.0';
