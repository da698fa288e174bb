import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams } from '../authentication-types.ts';
import { disabledField, refuseDisabled } from '../entity/entity-state.ts';
import { innerParams } from '../inner-params.ts';
import { AuthenticationBaseStrategy } from './base-strategy.ts';

/** Base of strategies whose credentials name an entity by its id. */
export class EntityStrategy extends AuthenticationBaseStrategy {
  /** Name of the entity in results, or `null`. */
  protected get entityName(): string | null {
    const entity = this.configuration.entity ?? this.settings.entity;
    return typeof entity === 'string' ? entity : null;
  }

  /** The query that the entity is loaded with. */
  getEntityQuery(_params: AuthenticationParams): Promise<Record<string, unknown>> {
    return Promise.resolve({});
  }

  /**
   * Loads the entity: for calls from outside in the form that its service shows to them.
   *
   * @throws NotAuthenticated (401) when it is gone or disabled
   */
  async getEntity(id: string, params: AuthenticationParams): Promise<unknown> {
    const { entityService, entityName: entity } = this;
    if (!entityService || entity === null) throw new NotAuthenticated('Could not find entity service');
    const inner = innerParams(params);
    inner.query = await this.getEntityQuery(params);
    try {
      const found = this.concealed(await entityService.get(id, { ...inner }));
      refuseDisabled(found, disabledField(this.settings));
      if (params.provider === undefined) return found;
      return await entityService.get(id, Object.assign(inner, { provider: params.provider, [entity]: found }));
    } catch (error) {
      throw isNotFound(error) ? new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' }) : error;
    }
  }
}

function isNotFound(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === 404 || code === 400 || code === 410;
}
