/** Type of answers with one JSON record in each line. */
export const NDJSON_TYPE = 'application/x-ndjson; charset=utf-8';
