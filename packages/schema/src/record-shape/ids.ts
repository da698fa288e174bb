/** Names of the id, which is given by the service. */
export const IDS: readonly string[] = ['_id', 'id'];
