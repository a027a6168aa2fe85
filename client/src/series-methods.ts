import type { Ask, CallOptions, Query } from './call.ts'

/** Series of kits, and what is different between two kits. */
export const seriesMethods = (ask: Ask) => ({
  /** One page of series, newest first. */
  listSeries: (query: Query<'listSeries'> = {}, options?: CallOptions) => ask('listSeries', query, options),

  /** One page of the kits of a series, newest first. `gap_days` says where one may be missing. */
  getSeries: (series: string, query: Query<'getSeries'> = {}, options?: CallOptions) =>
    ask('getSeries', { series, ...query }, options),

  /** Which evidence was added, removed, changed or moved between two kits of the workspace. */
  compareKits: (from: string, to: string, options?: CallOptions) => ask('compareKits', { from, to }, options),
})
