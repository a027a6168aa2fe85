import {
  ENVELOPE,
  groupBy,
  type Host,
  type KitFiles,
  type Message,
  openZip,
  type RandomAccess,
  readClaims,
  type Reason,
  storedKit,
  type Trust,
  type Verdict,
  verifyKit,
} from '@kitseal/kit/internal'
import type { EvidenceKit, ExamineContext } from '../examine-context.ts'
import { type RuleCode, detailOf } from '../rules.ts'

/** How many kits one may be inside of. A kit does not count as a level of archives. */
export const KIT_LEVELS = 8

const CODES: Readonly<Record<Verdict, RuleCode>> = {
  verified: 'kit_verified',
  sender_unconfirmed: 'kit_unconfirmed',
  signer_unknown: 'kit_forged',
  key_revoked: 'kit_key_revoked',
  altered: 'kit_altered',
  unreadable: 'kit_altered',
}

/** Verifies a kit in the evidence, and reports the result. */
export async function checkKit(ctx: ExamineContext, path: string, kit: KitFiles): Promise<void> {
  const { trust, platform } = ctx
  const claims = await readClaims(kit)
  const { verdict, errors, error_messages } = await verifyKit(
    kit,
    trustForIssuer(trust, claims?.issuer),
    platform.host,
  )
  const found = { kitId: claims?.kit_id, issuer: claims?.issuer, issuedAt: claims?.issued_at }
  ctx.addKit({ path, ...found, verdict })
  const text = errors[0] ?? ''
  const why = error_messages[0] ?? text.slice(text.indexOf(' ') + 1)
  const detail = kitDetail(verdict, found, why)
  const anonymous = claims?.anonymous === true
  ctx.report(path, {
    code: CODES[verdict],
    detail: anonymous ? detailOf('detail.anonymous', { what: detail }) : detail,
  })
}

/**
 * The part of a trust that decides about one issuer: the keys pinned for it, if there are any, or else the key sets.
 */
function trustForIssuer(trust: Trust, issuer: string | undefined): Trust {
  return trust.pins.some((pin) => pin.issuer === issuer) ? { ...trust, keySets: [], kids: [] } : trust
}

function kitDetail(
  verdict: Verdict,
  { kitId, issuer = '', issuedAt }: Pick<EvidenceKit, 'kitId' | 'issuer' | 'issuedAt'>,
  reason: string | Message,
): Reason {
  if (kitId === undefined) return detailOf('detail.noReceipt')
  if (verdict === 'altered' || verdict === 'unreadable' || issuedAt === undefined)
    return detailOf('detail.kitBecause', { kit: kitId, issuer, reason })
  return detailOf('detail.kitIssued', { kit: kitId, issuer, date: issuedAt.slice(0, 10) })
}

/**
 * The kit that an archive is: one folder with the name of the kit, in the strict form of kits. Others, such as a kit that was
 * unpacked and packed again, are checked as a folder.
 */
export async function kitInArchive(
  source: RandomAccess,
  names: readonly string[],
  host: Host,
): Promise<KitFiles | undefined> {
  const folder = `${names[0]?.split('/', 1)[0] ?? ''}/`
  if (!names.every((name) => name.startsWith(folder)) || kitFolders(names)[0] !== folder) return undefined
  const kit = await openZip(source, host)
  if (kit.problems.length > 0) return undefined
  return (await readClaims(kit))?.kit_id === kit.folderName ? kit : undefined
}

const MARKS = [ENVELOPE.manifest, ENVELOPE.receipt, ENVELOPE.signature]

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

/** A file of a kit that was unpacked. */
export interface UnpackedFile {
  /** The path as the supplier knows it. */
  readonly path: string
  readonly sizeBytes: number
  /** Known if it was hashed already. */
  readonly sha256?: string | undefined
  read(): AsyncIterable<Uint8Array>
}

/** Verifies the folders that are unpacked kits: among the files that were supplied, or in an archive that is kept whole. */
export async function checkKitFolders(ctx: ExamineContext, files: readonly UnpackedFile[]): Promise<void> {
  const folders = new Set(kitFolders(files.map(({ path }) => path)))
  if (folders.size === 0) return
  for (const [folder, group] of groupBy(files, ({ path }) => folderOf(path, folders))) {
    if (folder === undefined) continue
    const inside = new Map(group.map((file) => [file.path.slice(folder.length), file]))
    const list = [...inside].map(([path, { sizeBytes }]) => ({ path, sizeBytes }))
    const read = (path: string): AsyncIterable<Uint8Array> => contentOf(inside.get(path))
    const kit = storedKit(list, read, ctx.platform.host)
    const known = [...inside].flatMap(([path, { sha256 }]) =>
      sha256 === undefined ? [] : [[path, sha256] as const],
    )
    const measure: typeof kit.measure =
      known.length === inside.size ? async () => ({ sha256: new Map(known), problems: [] }) : kit.measure
    await checkKit(ctx, folder.slice(0, -1), { ...kit, measure })
  }
}

function folderOf(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (folders.has(path.slice(0, at + 1))) return path.slice(0, at + 1)
  return undefined
}

async function* contentOf(file: UnpackedFile | undefined): AsyncGenerator<Uint8Array> {
  if (file === undefined) throw new Error('it is missing')
  yield* file.read()
}
