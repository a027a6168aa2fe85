import { forgetNotes, noteTask, readNotes } from '../database/task-notes.ts'
import type { Db } from '../database/schema.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Role } from '../settings/config.ts'

/** A process of the service, as it describes itself. */
export interface NodeState {
  /** Host name and process ID. */
  readonly name: string
  readonly role: Role
  readonly version: string
  readonly started_at: string
}

export interface SeenNode extends NodeState {
  readonly seen_at: string
  readonly is_running: boolean
}

const PREFIX = 'node '
/** Three times as long as between two signs of life. */
const GONE_MS = 90_000
/** A node that ended without saying so is listed this long. */
const FORGOTTEN_MS = 60 * 60_000

/** Says that this node runs. */
export async function recordNode(db: Db, clock: Clock, id: string, node: NodeState): Promise<void> {
  await noteTask(db, clock, PREFIX + id, node)
  await forgetNotes(db, PREFIX, timestamp(clock.now() - FORGOTTEN_MS))
}

/** When it stops. */
export const forgetNode = (db: Db, id: string): Promise<void> => forgetNotes(db, PREFIX + id)

export async function listNodes(db: Db, clock: Clock): Promise<readonly SeenNode[]> {
  return (await readNotes<NodeState>(db, PREFIX)).map(({ at, state }) => {
    const is_running = Date.parse(at) > clock.now() - GONE_MS
    return Object.assign(state, { seen_at: at, is_running })
  })
}
