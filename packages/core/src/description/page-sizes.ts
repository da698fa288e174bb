/** Page sizes of a service. */
export interface PaginationSizes {
  /** Records of a page when the query names no number. */
  readonly default?: number | undefined;
  /** Most records of a page. */
  readonly max?: number | undefined;
}
