import { checkedOptions, isOptions, type ConfigurationOptions, type SettingsSchema } from './configuration-options.ts';
import { loadWithSecrets } from './load-configuration.ts';
import { hideSecrets, keepUnseen } from './secrets.ts';

/** What settings are put into: an application of `@framework/core`, or anything like it. */
export interface ConfigurableApplication {
  /** Settings by name. */
  readonly settings: object;
  /** Changes a setting. */
  set(name: string, value: unknown): unknown;
}

/** Puts settings into an application, for `app.configure`. */
export type Configure = (app: ConfigurableApplication) => void;

/**
 * Reads the settings of an application and sets them: `app.configure(configuration({ schema }))`. Every name at the top of the files becomes
 * a setting, for example `app.get('authentication')`. Call it before what reads settings, such as the authentication service.
 *
 * @param options the schema of the settings, and where they come from
 * @returns a function for `app.configure`. It throws ConfigurationError for a setting that is missing or wrong and for a file that can not be
 *   read, and TypeError without an application; nothing is set then
 * @throws TypeError for an unknown option, or a schema that is none
 * @see interface 2.1
 */
export function configuration(options?: ConfigurationOptions): Configure;
/**
 * The same with nothing but a schema.
 *
 * @param schema the schema of the settings, or a validator that has it as its property `schema`
 */
export function configuration<Schema extends SettingsSchema>(schema: Schema): Configure;
export function configuration(given: object = {}): Configure {
  const options: ConfigurationOptions = isOptions(given) ? given : { schema: given };
  checkedOptions(options);
  return (app) => {
    // Callers without types may leave it out.
    if (typeof (app as Partial<ConfigurableApplication> | null | undefined)?.set !== 'function')
      throw new TypeError(
        'configuration() makes what app.configure() takes: without an application loadConfiguration() gives the settings',
      );
    const { settings, isSecret } = loadWithSecrets(options);
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    keepUnseen(app.settings, [], isSecret, Object.keys(settings));
    hideSecrets(app.settings, [], isSecret);
  };
}
