import type { ServiceName } from './service-name.ts';

/** How a service is written. */
export interface ServiceStyle {
  readonly language: 'ts' | 'js';
  /** Whether callers log in. */
  readonly login: boolean;
}

/** What the templates of one service ask for. */
export function serviceValues(service: ServiceName, { language, login }: ServiceStyle): Record<string, string> {
  const { path, file, plural, Plural, singular, Singular } = service;
  return {
    ext: language,
    app: `../app.${language}`,
    path,
    label: path,
    collection: file,
    property: /^[A-Za-z]\w*$/.test(path) ? path : `'${path}'`,
    plural,
    Plural,
    singular,
    Singular,
    token: login ? ', token' : '',
    noData: login ? ', undefined' : '',
  };
}
