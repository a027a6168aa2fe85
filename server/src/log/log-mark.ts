// docs/decisions/0355, docs/decisions/0341

/** A size of the log and its root hash, in base64. */
export interface LogHead {
  readonly size: number
  readonly root: string
}

/** A head that a process is about to commit. Nobody knows whether it did, until the head is recorded. */
export interface Announced extends LogHead {
  /** The process, as in leases. */
  readonly owner: string
}

export interface MarkEntries {
  /** What was recorded: at least the largest size, and everything recorded lately. */
  readonly heads: readonly LogHead[]
  /** What was announced beyond the largest size that is recorded, and not withdrawn. */
  readonly announced: readonly Announced[]
}

/**
 * The high-water mark: what was signed, kept outside the database and its backups. It is never lowered. Services with the
 * same log key see each other's entries. Each write but a confirmation is durable once its promise resolves.
 */
export interface LogMark {
  /** The recorded heads. */
  read(): Promise<readonly LogHead[]>
  readAll(): Promise<MarkEntries>
  /** A head that is committed. */
  record(head: LogHead): Promise<void>
  /** Records an announced head that is committed. All processes see it, but a power failure may undo it until the next write. */
  confirm(head: LogHead): Promise<void>
  /** A head that is signed before it is committed. */
  announce(head: Announced): Promise<void>
  /** An announced head that was not committed, and whose signature nobody has seen. */
  withdraw(head: Announced): Promise<void>
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

/** Without those that a recorded head has made obsolete. */
export function beyond(heads: readonly LogHead[], announced: readonly Announced[]): readonly Announced[] {
  if (announced.length === 0) return announced
  const size = Math.max(-1, ...heads.map((head) => head.size))
  return announced.filter((each) => each.size > size)
}
