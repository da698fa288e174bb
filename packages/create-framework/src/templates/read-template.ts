import { readFileSync } from 'node:fs';

/**
 * @param name path below `templates`, without `.tpl`
 * @returns the text of the template
 */
export function readTemplate(name: string): string {
  return readFileSync(new URL(`../../templates/${name}.tpl`, import.meta.url), 'utf8');
}
