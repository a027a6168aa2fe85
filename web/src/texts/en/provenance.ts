/** Where evidence came from. The headings are in kit/src/provenance-text.ts. */
export const provenance = {
  title: 'Where the evidence came from',
}
