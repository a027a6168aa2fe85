import type { KitDetail } from '@kitseal/client'
import { type Fact, Card, Facts } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { localText, Time } from '../../parts/time.tsx'
import { sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { EvidenceTable } from './evidence-table.tsx'

/** Identifiers, hashes, the place in the log, and every file of the kit with its hash. */
export function KitDetails({ kit }: { readonly kit: KitDetail }) {
  return (
    <>
      <Card>
        <Facts facts={kitFacts(kit)} />
      </Card>
      <Card title={t('console.submission.kit.allFiles')}>
        <Inventory kit={kit} />
      </Card>
    </>
  )
}

function kitFacts(kit: KitDetail): readonly Fact[] {
  return [
    {
      name: t('console.submission.kit.facts.kit'),
      value: <Code value={kit.kit_id} what={t('console.submission.kit.facts.kit')} />,
    },
    ...originFacts(kit),
    { name: t('console.submission.kit.facts.issued'), value: <Time at={kit.issued_at} /> },
    {
      name: t('console.submission.kit.facts.key'),
      value: <Code value={kit.kid} what={t('console.submission.kit.facts.key')} />,
    },
    {
      name: t('console.submission.kit.facts.manifest'),
      value: <Code value={kit.manifest_sha256} what={t('console.submission.kit.facts.manifest')} />,
    },
    {
      name: t('console.submission.kit.facts.root'),
      value: <Code value={kit.manifest_root_hash} what={t('console.submission.kit.facts.root')} />,
    },
    {
      name: t('console.submission.kit.facts.receipt'),
      value: <Code value={kit.canonical_receipt_sha256} what={t('console.submission.kit.facts.receipt')} />,
    },
    {
      name: t('console.submission.kit.facts.zip'),
      value: <Code value={kit.sha256} what={t('console.submission.kit.facts.zip')} />,
    },
    ...logFacts(kit),
    {
      name: t('console.submission.kit.facts.size'),
      value: t('console.submission.kit.facts.sizeValue', {
        files: kit.files.length,
        size: sizeText(kit.size_bytes),
      }),
    },
    {
      name: t('console.submission.kit.facts.page'),
      value: (
        <a href={`/verify/${kit.kit_id}`}>
          {location.origin}/verify/{kit.kit_id}
        </a>
      ),
    },
  ]
}

function originFacts({ supplier, requested_by }: KitDetail): readonly Fact[] {
  const named =
    supplier === null ? [] : [{ name: t('console.submission.kit.facts.supplier'), value: supplier.name }]
  if (requested_by === undefined) return named
  return [
    ...(supplier === null
      ? [{ name: t('console.submission.kit.facts.supplierByLink'), value: t('kit.byLink') }]
      : named),
    { name: t('console.submission.kit.facts.requester'), value: requested_by.name },
  ]
}

function logFacts({ kit_id, log }: KitDetail): readonly Fact[] {
  if (log === null) return []
  const names = log.cosigned.map(({ name, at }) =>
    t('console.submission.kit.log.cosigned', { name, at: localText(at) }),
  )
  return [
    {
      name: t('console.submission.kit.log.place'),
      value: (
        <>
          {t('console.submission.kit.log.position', {
            number: log.index + 1,
            origin: log.origin,
            size: log.size,
          })}{' '}
          <a href={`/v1/kits/${kit_id}/log-proof`} download={`${kit_id}.tlog-proof`}>
            {t('console.submission.kit.log.proof')}
          </a>
        </>
      ),
    },
    {
      name: t('console.submission.kit.log.witnesses'),
      value: names.length === 0 ? t('console.submission.kit.log.none') : names.join('; '),
    },
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
    title: t(`console.inventory.kinds.${kind}`),
    files: kit.files
      .filter((file) => file.kind === kind)
      .map(({ path, sha256, size_bytes }) => ({ name: path, sha256, size_bytes })),
  }))
  return <EvidenceTable parts={parts.filter(({ files }) => files.length > 0)} />
}
