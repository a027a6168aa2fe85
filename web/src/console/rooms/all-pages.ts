interface ListPage<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

/** More than a room is for. */
const MAX_PAGES = 30

/** All rows of a list, page by page. */
export async function allPages<Row>(
  ask: (page: { readonly limit: number; readonly cursor?: string }) => Promise<ListPage<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const page: ListPage<Row> = await ask({ limit: 100, ...(cursor !== null && { cursor }) })
    rows.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return rows
}
