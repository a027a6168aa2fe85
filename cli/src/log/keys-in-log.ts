import { parseLeaf, type PinnedLog, type PublicJwk, TILE_WIDTH } from '@kitseal/kit/internal'
import { printable, type Terminal, writeLines } from '../terminal.ts'
import { LogAlert, readCheckpoint } from './read-checkpoint.ts'
import { openTree } from './verified-tree.ts'

const TIMEOUT_MS = 600_000

/**
 * The new keys of an issuer that its pinned log lists, and not as ended, each alive from the time of its leaf. Reads the log
 * from its end until it has found them all.
 */
export async function keysInLog(
  { issuer, policy }: PinnedLog,
  address: string,
  keys: readonly PublicJwk[],
  { stderr }: Pick<Terminal, 'stderr'>,
): Promise<readonly PublicJwk[]> {
  const say = (text: string): void => writeLines(stderr, [printable(text)])
  const open = new Map(keys.map((key) => [key.kid, key]))
  const confirmed: PublicJwk[] = []
  try {
    for await (const leaf of leavesFromEnd(address, policy)) {
      const key = leaf.kind === 'key' ? open.get(leaf.kid) : undefined
      if (leaf.kind !== 'key' || key === undefined || leaf.event === 'retired') continue
      open.delete(leaf.kid)
      if (leaf.event === 'added') {
        say(
          `${issuer} signs with a new key since ${leaf.at.slice(0, 10)}; its log, which you know, lists it: ${leaf.kid}`,
        )
        const since = Math.floor(Date.parse(leaf.at) / 1000)
        confirmed.push({ ...key, iat: Math.max(key.iat ?? 0, since) })
      }
      if (open.size === 0) break
    }
    for (const kid of open.keys())
      say(`${issuer} publishes the new key ${kid}, but its log, which you know, does not list it.`)
  } catch (error) {
    if (!(error instanceof LogAlert)) throw error
    say(`The new keys of ${issuer} were not pinned: ${error.message}`)
  }
  return confirmed
}

async function* leavesFromEnd(address: string, { logs }: PinnedLog['policy']) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const url = `${address}/log`
  const { checkpoint } = await readCheckpoint(url, { logs, witnesses: [], quorum: undefined }, 0, signal)
  const tree = await openTree(url, checkpoint, signal)
  for (let bundle = Math.ceil(checkpoint.size / TILE_WIDTH) - 1; bundle >= 0; bundle--) {
    const { entries } = await tree.entries(bundle)
    for (const entry of entries.toReversed()) yield parseLeaf(entry)
  }
}
