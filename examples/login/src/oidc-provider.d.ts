declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** An OpenID provider; the part of it that the example uses. */
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
