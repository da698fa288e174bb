export { MemoryService } from './memory-service.ts';
export type {
  Id,
  MemoryCallOptions,
  MemoryParams,
  MemoryServiceOptions,
  NullableId,
  Paginated,
  ResolvedMemoryOptions,
} from './memory-types.ts';
