import type { KitDetail } from '@kitseal/client'
import { words } from '@kitseal/kit/in-browser/words'
import { type Fact, Card, Facts } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { localText, Time } from '../../parts/time.tsx'
import { sizeText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import { EvidenceTable } from './evidence-table.tsx'

/** Identifiers, hashes, the place in the log, and every file of the kit with its hash. */
export function KitDetails({ kit }: { readonly kit: KitDetail }) {
  return (
    <>
      <Card>
        <Facts facts={kitFacts(kit)} />
      </Card>
      <Card title={texts.console.submission.kit.allFiles}>
        <Inventory kit={kit} />
      </Card>
    </>
  )
}

function kitFacts(kit: KitDetail): readonly Fact[] {
  const t = texts.console.submission.kit.facts
  return [
    { name: t.kit, value: <Code value={kit.kit_id} what={t.kit} /> },
    ...originFacts(kit),
    { name: t.issued, value: <Time at={kit.issued_at} /> },
    { name: t.key, value: <Code value={kit.kid} what={t.key} /> },
    { name: t.manifest, value: <Code value={kit.manifest_sha256} what={t.manifest} /> },
    { name: t.root, value: <Code value={kit.manifest_root_hash} what={t.root} /> },
    { name: t.receipt, value: <Code value={kit.canonical_receipt_sha256} what={t.receipt} /> },
    { name: t.zip, value: <Code value={kit.sha256} what={t.zip} /> },
    ...logFacts(kit),
    { name: t.size, value: t.sizeValue(kit.files.length, sizeText(kit.size_bytes)) },
    {
      name: t.page,
      value: (
        <a href={`/verify/${kit.kit_id}`}>
          {location.origin}/verify/{kit.kit_id}
        </a>
      ),
    },
  ]
}

function originFacts({ supplier, requested_by }: KitDetail): readonly Fact[] {
  const t = texts.console.submission.kit.facts
  const named = supplier === null ? [] : [{ name: t.supplier, value: supplier.name }]
  if (requested_by === undefined) return named
  return [
    ...(supplier === null ? [{ name: t.supplierByLink, value: words.kit.byLink }] : named),
    { name: t.requester, value: requested_by.name },
  ]
}

function logFacts({ kit_id, log }: KitDetail): readonly Fact[] {
  const t = texts.console.submission.kit.log
  if (log === null) return []
  const names = log.cosigned.map(({ name, at }) => t.cosigned(name, localText(at)))
  return [
    {
      name: t.place,
      value: (
        <>
          {t.position(log.index, log.origin, log.size)}{' '}
          <a href={`/v1/kits/${kit_id}/log-proof`} download={`${kit_id}.tlog-proof`}>
            {t.proof}
          </a>
        </>
      ),
    },
    { name: t.witnesses, value: names.length === 0 ? t.none : names.join('; ') },
  ]
}

const KINDS: readonly KitDetail['files'][number]['kind'][] = [
  'evidence',
  'binder',
  'report',
  'guide',
  'verifier',
  'bag',
  'envelope',
]

function Inventory({ kit }: { readonly kit: KitDetail }) {
  const parts = KINDS.map((kind) => ({
    title: texts.console.inventory.kinds[kind],
    files: kit.files
      .filter((file) => file.kind === kind)
      .map(({ path, sha256, size_bytes }) => ({ name: path, sha256, size_bytes })),
  }))
  return <EvidenceTable parts={parts.filter(({ files }) => files.length > 0)} />
}
