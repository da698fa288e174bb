import { keywordObjectId } from '@framework/adapter-docdb';
import { addFormats, Ajv } from '@framework/schema';

/** As the incumbent's generator makes them, with the imports renamed. */
export const dataValidator = addFormats(new Ajv({}));
export const queryValidator = addFormats(new Ajv({ coerceTypes: true }));

dataValidator.addKeyword(keywordObjectId);
queryValidator.addKeyword(keywordObjectId);
