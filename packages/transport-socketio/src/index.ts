export { socketio } from './socketio.ts';
export { socketio as default } from './socketio.ts';
export type { CallLogger } from './call/call-error.ts';
export type { SocketConnection } from './connection/handshake.ts';
export type { SocketioCallback, SocketioOptions } from './socketio-options.ts';
// With them comes what `app.channel` and `publish` are.
export type { Channel, Publisher } from '@framework/channels';
