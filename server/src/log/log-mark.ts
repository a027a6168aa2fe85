/** A size of the log and its root hash, in base64. */
export interface LogHead {
  readonly size: number
  readonly root: string
}

/**
 * The high-water mark: what was signed, kept outside the database and its backups. It is never lowered. Services with the
 * same log key see each other's entries.
 */
export interface LogMark {
  /** At least the largest size that was recorded, and everything recorded lately. */
  read(): Promise<readonly LogHead[]>
  /** Durable once it resolves. */
  record(head: LogHead): Promise<void>
  /** For operators. */
  readonly location: string
}

const LINE = /^(0|[1-9]\d{0,15}) ([A-Za-z0-9+/]{43}=)$/

export function headLine({ size, root }: LogHead): string {
  return `${size} ${root}`
}

/** Undefined if the line is damaged. */
export function parseHead(line: string): LogHead | undefined {
  const [, size, root] = LINE.exec(line) ?? []
  return size === undefined || root === undefined ? undefined : { size: Number(size), root }
}

/** The heads with the largest size: more than one if two histories were recorded. */
export function highestOf(heads: readonly LogHead[]): readonly LogHead[] {
  const size = Math.max(...heads.map((head) => head.size))
  return [...new Map(heads.map((head) => [headLine(head), head])).values()].filter(
    (head) => head.size === size,
  )
}
