import type { IncomingMessage } from 'node:http';
import { isOwnPage } from '@framework/channels';

/** Which pages a server is for: what `cors.origin` of Socket.IO takes. */
export type OriginSetting =
  boolean | string | RegExp | readonly (boolean | string | RegExp)[] | ((origin: string | undefined, callback: OriginCallback) => void);

/** The option `cors` of Socket.IO: settings, or a function that is asked for them with each request. */
export type CorsSetting = CorsOptions | ((req: never, callback: (error: Error | null, options?: CorsOptions) => void) => void);

interface CorsOptions {
  readonly origin?: unknown;
}

type OriginCallback = (error: Error | null, allowed?: OriginSetting) => void;

/**
 * Where a connection comes from: a page of the server's own or of a listed origin, or no page at all; a page of any origin, where all are
 * allowed; or a page that the server is not for.
 */
export type OriginKind = 'trusted' | 'any' | 'refused';

/**
 * Tells where a connection comes from. Browsers do not ask before they open a WebSocket, whoever the page belongs to, and send the cookies of
 * the server with it.
 *
 * @param req the request that opens the connection
 * @param cors says which other origins' pages may connect; `undefined` for none
 * @see security S35
 */
export async function originOf(req: Pick<IncomingMessage, 'headers'>, cors: CorsSetting | undefined): Promise<OriginKind> {
  const { headers } = req;
  if (isOwnPage(headers)) return 'trusted';
  const { origin } = headers;
  const setting = cors === undefined ? undefined : originIn(await settingsFor(req, cors));
  // A page that does not say which one it is, as those that ask by a script element, can not be listed.
  if (origin === undefined) return isForAll(setting) ? 'any' : 'refused';
  return kindOf(await settled(setting, origin), origin);
}

async function settingsFor(req: object, cors: CorsSetting): Promise<CorsOptions | undefined> {
  if (typeof cors !== 'function') return cors;
  return new Promise((resolve, reject) => {
    cors(req as never, (error, options) => {
      if (error) reject(error);
      else resolve(options);
    });
  });
}

/** As Socket.IO takes it: all, unless it says which. One that is `undefined` is a setting that is missing, and names nobody. */
function originIn(options: CorsOptions = {}): OriginSetting | undefined {
  return Object.hasOwn(options, 'origin') ? (options.origin as OriginSetting | undefined) : '*';
}

async function settled(setting: OriginSetting | undefined, origin: string): Promise<OriginSetting | undefined> {
  if (typeof setting !== 'function') return setting;
  const answer = await new Promise<OriginSetting | undefined>((resolve, reject) => {
    setting(origin, (error, allowed) => {
      if (error) reject(error);
      else resolve(allowed);
    });
  });
  // A function that was asked about this origin has answered for it.
  return answer === true ? origin : answer;
}

function isForAll(setting: OriginSetting | undefined): boolean {
  return setting === true || setting === '*';
}

function kindOf(setting: OriginSetting | undefined, origin: string): OriginKind {
  if (Array.isArray(setting)) {
    const kinds = (setting as readonly OriginSetting[]).map((each) => kindOf(each, origin));
    return kinds.find((kind) => kind === 'trusted') ?? kinds.find((kind) => kind === 'any') ?? 'refused';
  }
  if (isForAll(setting)) return 'any';
  if (setting instanceof RegExp) return new RegExp(setting.source, setting.flags.replace(/[gy]/g, '')).test(origin) ? 'trusted' : 'refused';
  return setting === origin ? 'trusted' : 'refused';
}
