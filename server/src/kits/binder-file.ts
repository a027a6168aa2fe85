import {
  englishTexts,
  parseProvenance,
  parseStrictJson,
  type Language,
  type ProvenanceEntry,
  RECEIPT_VERSION,
} from '@kitseal/kit/internal'
import { findingIn } from '@kitseal/examiner/finding-text'
import findings from '../../../texts/findings.generated.ts'
import verifier from '../../../texts/verifier.generated.ts'
import type { BinderFile, BinderFinding, BinderItem, BinderMaker } from '@kitseal/binder'
import type { Origin } from '../access/supplier.ts'
import type { FindingRecord } from '@kitseal/examiner'
import type { KitId } from '../runtime/identifiers.ts'
import { reached } from '../runtime/steps.ts'
import type { SealedJob } from './intake-record.ts'
import { BINDER_PATH, type MadeFile, madeFile } from './kit-files.ts'

let making: Promise<BinderMaker> | undefined

/** Loaded by the worker that makes the first one. It opens the fonts once. */
const binders = (): Promise<BinderMaker> =>
  (making ??= import('@kitseal/binder').then(({ binderMaker }) => binderMaker()))

export interface KitIdentity {
  readonly kitId: KitId
  readonly issuedAt: string
  readonly kid: string
}

export interface BoundKit extends KitIdentity {
  readonly job: SealedJob
  readonly issuer: string
  readonly files: readonly BinderFile[]
  readonly origin: Origin
  readonly language?: Language
  readonly label?: string
  readonly profile?: string
  readonly replacesKitId?: string | null
  readonly findings?: readonly (BinderFinding & Pick<FindingRecord, 'code' | 'remedy' | 'args'>)[]
  readonly items?: readonly BinderItem[]
  /** The report about where the evidence came from. */
  readonly provenance?: MadeFile | undefined
}

export async function binderFile(kit: BoundKit): Promise<MadeFile> {
  const bytes = await (
    await binders()
  ).make({
    kitId: kit.kitId,
    jobId: kit.job.job_id,
    scope: kit.job.scope_label,
    issuer: kit.issuer,
    kid: kit.kid,
    issuedAt: kit.issuedAt,
    receiptVersion: RECEIPT_VERSION,
    verifyUrl: `${kit.issuer}/verify/${kit.kitId}`,
    supplier: kit.origin.supplier,
    isAnonymous:
      kit.job.authenticated === 0 && kit.origin.supplier === null && kit.origin.requested_by === undefined,
    ...(kit.origin.requested_by === undefined ? {} : { requestedBy: kit.origin.requested_by }),
    ...(kit.language === undefined ? {} : { language: kit.language }),
    ...(kit.label === undefined ? {} : { label: kit.label }),
    ...(kit.profile === undefined ? {} : { profile: kit.profile }),
    ...(kit.replacesKitId == null ? {} : { replacesKitId: kit.replacesKitId }),
    files: kit.files,
    findings: findingsIn(kit.findings ?? [], kit.language ?? 'en'),
    items: kit.items ?? [],
    provenance: entriesIn(kit.provenance),
  })
  reached('binder made')
  return madeFile(BINDER_PATH, bytes)
}

function findingsIn<T extends NonNullable<BoundKit['findings']>[number]>(
  list: readonly T[],
  language: Language,
): readonly T[] {
  if (list.length === 0) return list
  const texts = textsIn(language)
  return list.map((finding) => findingIn(finding, (key, args) => texts.find(key, args)))
}

const known = new Map<Language, ReturnType<typeof englishTexts>>()

/** Thousands of messages, so they are put together once for each language. */
function textsIn(language: Language): ReturnType<typeof englishTexts> {
  const texts =
    known.get(language) ??
    englishTexts({ ...verifier['en'], ...findings['en'], ...verifier[language], ...findings[language] })
  known.set(language, texts)
  return texts
}

function entriesIn(report: MadeFile | undefined): readonly ProvenanceEntry[] {
  const parsed = report && parseProvenance(parseStrictJson(report.bytes))
  return parsed?.ok === true ? parsed.value.entries : []
}

export function reportInBinder({ path, sha256, sizeBytes }: MadeFile): BinderFile {
  return { path, sha256, sizeBytes, mediaType: 'application/json' }
}
