export { RedisEventLog, redisEventLog } from './redis-event-log.ts';
export type { RedisClient } from './redis-client.ts';
export type { RedisEventLogOptions } from './options.ts';
