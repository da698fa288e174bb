/** Marks properties of a query: as a schema they would take everything. */
export const PROPERTIES_ONLY: unique symbol = Symbol('framework.propertiesOnly');
