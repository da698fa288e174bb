import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams } from '../authentication-types.ts';
import { isMissing, readEntity } from '../entity/entity-service.ts';
import { disabledField, refuseDisabled } from '../entity/entity-state.ts';
import type { EntitySecrets } from '../entity/secret-marks.ts';
import { innerParams } from '../inner-params.ts';
import { AuthenticationBaseStrategy } from './base-strategy.ts';

/** Base of strategies whose credentials are random, or signed, and name an entity by its id. */
export class EntityStrategy extends AuthenticationBaseStrategy {
  /** Right ones pass, whatever others try. */
  readonly unguessable: boolean = true;

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
   * @param admit looks at the entity as it is stored, and throws what is to refuse it. Default: everything is admitted
   * @throws NotAuthenticated (401) when it is gone or disabled, and the error of `admit`
   */
  async getEntity(id: string, params: AuthenticationParams, admit?: Admit): Promise<unknown> {
    const { entityService, entityName: entity } = this;
    if (!entityService || entity === null) throw new NotAuthenticated('Could not find entity service');
    const query = await this.getEntityQuery(params);
    try {
      const inner = this.entityParams(params);
      const stored = await readEntity(entityService, id, innerParams(inner, { query }));
      refuseDisabled(stored, disabledField(this.settings));
      // A query that selects some properties shows no secrets to look at.
      if (admit && !('$select' in query)) await admit({ entity: stored, fields: this.authentication?.protectedFields ?? [] });
      const found = this.concealed(stored);
      if (params.provider === undefined) return found;
      return await entityService.get(id, innerParams(inner, { query, provider: params.provider, [entity]: found }));
    } catch (error) {
      throw isMissing(error) ? new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' }) : error;
    }
  }

  /** @returns what admits an entity while it has the secrets that a session began with; `undefined` without sessions */
  protected stillHasSecrets(session: unknown): Admit | undefined {
    const sessions = this.authentication?.sessions;
    return sessions && typeof session === 'string' ? (secrets) => sessions.checkSecrets(session, secrets) : undefined;
  }
}

/** Looks at the secrets of an entity that a strategy has loaded. */
export type Admit = (secrets: EntitySecrets) => Promise<void> | void;
