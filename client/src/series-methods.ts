import type { KitDifferences, Operations, SeriesList, SeriesTimeline } from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import type { Transport } from './transport.ts'

/** Series of kits, and what is different between two kits. */
export const seriesMethods = (transport: Transport) => ({
  /** One page of series, newest first. */
  listSeries: async (
    query: Operations['listSeries']['query'] = {},
    options?: CallOptions,
  ): Promise<SeriesList> => (await call(transport, 'listSeries', query, options)).data,

  /** One page of the kits of a series, newest first. `gap_days` says where one may be missing. */
  getSeries: async (
    series: string,
    query: Operations['getSeries']['query'] = {},
    options?: CallOptions,
  ): Promise<SeriesTimeline> => (await call(transport, 'getSeries', { series, ...query }, options)).data,

  /** Which evidence was added, removed, changed or moved between two kits of the workspace. */
  compareKits: async (from: string, to: string, options?: CallOptions): Promise<KitDifferences> =>
    (await call(transport, 'compareKits', { from, to }, options)).data,
})
