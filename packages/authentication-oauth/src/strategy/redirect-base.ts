import type { OAuthSettings } from '../settings/oauth-settings.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The address that a browser goes back to: of the page that it came from when its origin is listed, else of the settings.
 *
 * @returns `undefined` where none is configured
 */
export function redirectBase({ redirect, origins, origin }: OAuthSettings, headers: Headers): string | undefined {
  if (redirect === undefined && origins.length === 0) return undefined;
  const from = pageOrigin(headers);
  const listed = from !== undefined && origins.includes(from) ? from : undefined;
  if (redirect !== undefined && URL.canParse(redirect)) {
    return listed === undefined || listed === new URL(redirect).origin ? redirect : listed;
  }
  return `${listed ?? origins[0] ?? origin ?? ''}${redirect ?? ''}`;
}

function pageOrigin({ origin, referer }: Headers): string | undefined {
  const page = typeof origin === 'string' ? origin : referer;
  return typeof page === 'string' && URL.canParse(page) ? new URL(page).origin : undefined;
}
