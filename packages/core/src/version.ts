/** Version of this package; `scripts/sync-version.mjs` keeps it the same as in `package.json`. */
export const version = '0.1.0';
