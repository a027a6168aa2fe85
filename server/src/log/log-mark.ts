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

export function headLine({ size, root }: LogHead): string {
  return `${size} ${root}`
}

/** The name of an entry in a folder or a bucket. */
export const entryName = ({ size, root }: LogHead): string =>
  `${size}-${Buffer.from(root, 'base64').toString('hex')}`

/** Undefined if the name is not one of an entry. */
export function headOf(name: string): LogHead | undefined {
  const [, size, root] = /^(0|[1-9]\d{0,15})-([0-9a-f]{64})$/.exec(name) ?? []
  return size === undefined || root === undefined
    ? undefined
    : { size: Number(size), root: Buffer.from(root, 'hex').toString('base64') }
}

/** The heads with the largest size: more than one if two histories were recorded. */
export function highestOf(heads: readonly LogHead[]): readonly LogHead[] {
  const size = Math.max(...heads.map((head) => head.size))
  return [...new Map(heads.map((head) => [headLine(head), head])).values()].filter(
    (head) => head.size === size,
  )
}
