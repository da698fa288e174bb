import { urlPath } from '@framework/core';

/**
 * The path of a service as a template of OpenAPI, encoded as URLs have it.
 *
 * @param path for example `users/:userId/messages`
 * @returns for example `/users/{userId}/messages`
 */
export function templateOf(path: string): string {
  const parts = partsOf(path).map((part) => (part.startsWith(':') ? `{${part.slice(1)}}` : urlPath(part)));
  return `/${parts.join('/')}`;
}

/** @returns the template of one record of the service; its id has a name that no placeholder of the path has */
export function recordTemplateOf(path: string): { readonly template: string; readonly id: string } {
  const taken = placeholdersOf(path);
  let id = 'id';
  while (taken.includes(id)) id = `${id}_`;
  const template = templateOf(path);
  return { template: `${template === '/' ? '' : template}/{${id}}`, id };
}

/** @returns names of the placeholders of a path */
export function placeholdersOf(path: string): readonly string[] {
  return partsOf(path).flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));
}

/** @returns a path as one word: `UsersByUserIdMessages` */
export function wordOf(path: string): string {
  const word = partsOf(path)
    .map((part) => (part.startsWith(':') ? `By${capital(part.slice(1))}` : capital(part)))
    .join('');
  return word === '' ? 'Root' : /^\d/.test(word) ? `_${word}` : word;
}

/** @returns a text whose words begin with capitals, as one word */
export function capital(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
