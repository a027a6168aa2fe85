import { readClaims } from './claims.ts'
import { copyInput } from './copy-input.ts'
import { ENVELOPE } from './envelope.ts'
import type { KitFiles, OpenFile } from './files.ts'
import type { Host } from './host.ts'
import type { ContainedKit, VerificationReport } from './report.ts'
import { storedKit } from './stored-kit.ts'
import { type Trust, type TrustedKeySet, trustForIssuer } from './trust.ts'
import { verifyKit } from './verify.ts'
import { openZip } from './zip-kit.ts'

/** How deep kits in kits are followed, and how many are verified in all. */
const MAX_LEVELS = 8
const MAX_KITS = 1000
const CHUNK_BYTES = 1024 * 1024

/**
 * Verifies a kit, and each kit among its files with the same keys: `contains` in the report. The results of those do not
 * change the verdict.
 */
export async function verifyWithContained(
  kit: KitFiles,
  trusted: Trust,
  host: Host,
): Promise<VerificationReport> {
  const trust = copyInput(trusted)
  const { boundary, ...report } = await verifyKit(kit, trust, host)
  const keys = trustInside(trust, (await readClaims(kit))?.issuer)
  const contains: ContainedKit[] = []
  await findKits({ trust: keys, host, found: contains }, kit, 1, '')
  return { ...report, ...(contains.length === 0 ? {} : { contains }), boundary }
}

/**
 * The reader gave these keys for the outer kit. For a kit of the same issuer they decide; a kit of another issuer that is not
 * signed with them is not confirmed, rather than forged.
 */
function trustInside({ keySets, kids, pins, useKitKeys, logs }: Trust, issuer = ''): Trust {
  const own = kids.map((kid) => ({ kid, issuer }))
  const sets = kids.length > 0 ? [] : keySets
  const bind = (set: TrustedKeySet): TrustedKeySet =>
    set.issuer === undefined ? { ...set, issuer, verifiesOtherIssuers: true } : set
  return {
    keySets: sets.map(bind),
    kids: [],
    pins: [...own, ...pins],
    useKitKeys,
    logs,
  }
}

interface Search {
  readonly trust: Trust
  readonly host: Host
  readonly found: ContainedKit[]
}

/** Adds the kits in a kit to the list, each followed by those inside it. */
async function findKits(search: Search, kit: KitFiles, level: number, prefix: string): Promise<void> {
  if (level > MAX_LEVELS || kit.open === undefined) return
  const paths = kit.files.map(({ path }) => path).filter((path) => path.startsWith('data/'))
  const folders = kitFolders(paths)
  for (const folder of folders)
    await addKit(search, folderKit(kit, folder, search.host), level, prefix + folder.slice(0, -1))
  const below = new Set(folders)
  // Those in a folder that is a kit are found when that is searched.
  for (const path of paths.filter((each) => /\.zip$/i.test(each) && !isBelow(each, below))) {
    const file = await kit.open(path)
    if (file === undefined) continue
    try {
      const inner = await openZip(file, search.host)
      if (isKit(inner.files.map((each) => each.path))) await addKit(search, inner, level, prefix + path)
    } finally {
      file.close?.()
    }
  }
}

async function addKit(search: Search, kit: KitFiles, level: number, path: string): Promise<void> {
  const { trust, host, found } = search
  if (found.length >= MAX_KITS) return
  const claims = await readClaims(kit)
  const { status, verdict } = await verifyKit(kit, trustForIssuer(trust, claims?.issuer), host)
  const { kit_id = null, issuer = null, issued_at = null } = claims ?? {}
  const anonymous = claims?.anonymous === true ? { anonymous: true as const } : {}
  found.push({ path, level, kit_id, issuer, issued_at, status, verdict, ...anonymous })
  await findKits(search, kit, level + 1, `${path}/`)
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (folders.has(path.slice(0, at + 1))) return true
  return false
}

const MARKS = [ENVELOPE.manifest, ENVELOPE.receipt, ENVELOPE.signature]

/** Whether files with these paths are a kit, intact or not. */
export function isKit(paths: readonly string[]): boolean {
  return MARKS.every((name) => paths.includes(name))
}

/** The folders that are kits, each with a slash at the end. Folders inside another kit are not listed. */
export function kitFolders(paths: readonly string[]): readonly string[] {
  const all = new Set(paths)
  const folders = paths
    .filter((path) => path.endsWith(`/${ENVELOPE.receipt}`))
    .map((path) => path.slice(0, -ENVELOPE.receipt.length))
    .filter((folder) => MARKS.every((name) => all.has(folder + name)))
    .toSorted()
  const outer: string[] = []
  for (const folder of folders) if (!folder.startsWith(outer.at(-1) ?? '/')) outer.push(folder)
  return outer
}

/** The files below a folder of a kit, as a kit. */
function folderKit(kit: KitFiles, folder: string, host: Host): KitFiles {
  const files = kit.files
    .filter(({ path }) => path.startsWith(folder))
    .map(({ path, sizeBytes }) => ({ path: path.slice(folder.length), sizeBytes }))
  const open = async (path: string): Promise<OpenFile | undefined> => kit.open?.(folder + path)
  return storedKit(files, (path) => contentOf(() => open(path)), host, undefined, open)
}

async function* contentOf(open: () => Promise<OpenFile | undefined>): AsyncGenerator<Uint8Array> {
  const file = await open()
  if (file === undefined) throw new Error('it is compressed')
  try {
    for (let at = 0; at < file.sizeBytes; at += CHUNK_BYTES)
      yield await file.read(at, Math.min(CHUNK_BYTES, file.sizeBytes - at))
  } finally {
    file.close?.()
  }
}
