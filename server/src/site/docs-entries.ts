import { apiEntries } from './api-reference.ts'
import type { GuidePage } from './guide-pages.ts'
import type { Described } from './openapi-document.ts'
import type { SearchEntry } from './search-docs.ts'

export const API_PAGE = '/docs/reference/api'

/** Every place that search can find. The front page only leads to the others. */
export const docsEntries = (pages: readonly GuidePage[], api: Described): readonly SearchEntry[] => [
  ...pages
    .filter(({ url }) => url !== '/docs')
    .flatMap(({ url, title, about, sections }) =>
      sections.map(({ heading, anchor, text }, index) => ({
        url: index === 0 ? url : `${url}#${anchor}`,
        page: title,
        heading: index === 0 ? title : heading,
        text,
        about: index === 0 ? about : '',
      })),
    ),
  ...apiEntries(api, API_PAGE),
]
