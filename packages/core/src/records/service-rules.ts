import { registeredService } from '../service/registered-service.ts';
import type { RecordRules } from './record-rules.ts';

/**
 * The rules of a service's records: those of its description, or, where it has none, of what was added alone.
 *
 * @param service a registered service
 * @returns `undefined` for an object that is not registered
 */
export function getRules(service: unknown): RecordRules | undefined {
  return typeof service === 'object' && service !== null ? registeredService(service)?.rules : undefined;
}
