import { HookRegistry } from '../hooks/hook-registry.ts';
import type { ServiceExtension } from './service-types.ts';

/** Hooks that come with a registration, by where they run. */
export type ExtensionHooks = Readonly<Record<'outer' | 'input' | 'inner', HookRegistry>>;

/** The hooks of what came with the registration. */
export function extensionHooks({ outerHooks, inputHooks, innerHooks }: ServiceExtension = {}): ExtensionHooks {
  const registryOf = (map: object | undefined): HookRegistry => {
    const registry = new HookRegistry();
    if (map) registry.add(map, () => true, 'middleware');
    return registry;
  };
  return { outer: registryOf(outerHooks), input: registryOf(inputHooks), inner: registryOf(innerHooks) };
}
