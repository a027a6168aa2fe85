import type { ReactNode } from 'react'
import { nameBasis, type ProvenanceReport, type Supplier } from '@kitseal/kit/internal'
import { joinList } from '@kitseal/kit/in-browser/words'
import { Card, Facts } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Provenance } from '../../parts/provenance.tsx'
import { Deadline, Time } from '../../parts/time.tsx'
import { FileList } from '../../parts/preview/file-list.tsx'
import { nameText, sizeText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import type { SharedFile, SharedKit } from './shared-kit.ts'

export interface KitDetailsProps {
  /** Where the kit is, below the link. */
  readonly base: string
  readonly share: SharedKit
  readonly isVerified: boolean
  /** What the verified kit says about where it came from. */
  readonly sealed: ProvenanceReport | undefined
  /** Shown beside a file. */
  markOf?(file: SharedFile): ReactNode
}

/** Facts, provenance and files of a shared kit, and how to check it without this page. */
export function KitDetails({ base, share, isVerified, sealed, markOf }: KitDetailsProps) {
  const served = (file: SharedFile) => ({
    name: file.path.replace(/^data\//, ''),
    sizeBytes: file.size_bytes,
    summary: file.summary,
    url: `${base}/${file.download}`,
    viewUrl: `${base}/view/${file.download}`,
    ...(file.proof === null ? {} : { proofUrl: `${base}/${file.proof}` }),
    mark: markOf?.(file),
  })
  const evidence = share.files.filter(({ kind }) => share.shared === 'files' || kind === 'evidence')
  const others = share.files.filter((file) => !evidence.includes(file))
  const isAvailable = share.status === 'available'
  return (
    <>
      <Card title={share.shared === 'kit' ? t('share.aboutKit') : t('share.aboutFiles')}>
        <Facts facts={factsOf(share, isVerified)} />
      </Card>
      <Provenance
        entries={sealed?.entries ?? share.provenance}
        issuer={share.issuer}
        confirmed={sealed?.confirmed ?? false}
      />
      <Card title={t('share.files', { count: evidence.length })}>
        {isAvailable ? (
          <>
            <FileList files={evidence.map(served)} />
            {others.length > 0 && (
              <details className="more">
                <summary>{t('share.otherFiles', { count: others.length })}</summary>
                <FileList files={others.map(served)} />
              </details>
            )}
          </>
        ) : (
          <ul>
            {evidence.map(({ path, size_bytes }) => (
              <li key={path}>
                {nameText(path)} <span className="quiet">{sizeText(size_bytes)}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {isAvailable && (
        <Card title={t('share.yourself')}>
          <p>
            {t(share.shared === 'kit' ? 'share.yourselfKit' : 'share.yourselfFiles', {
              keys: `${share.issuer}/.well-known/jwks.json`,
            })}
          </p>
          <p>
            <Code value={commandFor(share)} what={t('share.command')} />
          </p>
        </Card>
      )}
    </>
  )
}

function factsOf(share: SharedKit, isVerified: boolean) {
  const basisOf = (workspace: Supplier): string => nameBasis(workspace, share.issuer, isVerified, t)
  return [
    { name: t('share.facts.issuer'), value: share.issuer },
    {
      name: t('share.facts.supplier'),
      value:
        share.supplier === null ? (
          <span className="quiet">
            {share.requested_by === undefined ? t('share.unknownSupplier') : t('kit.byLink')}
          </span>
        ) : (
          <>
            {joinList([nameText(share.supplier.name), ''])}
            <span className="quiet">{basisOf(share.supplier)}</span>
          </>
        ),
    },
    ...(share.requested_by === undefined
      ? []
      : [
          {
            name: t('share.facts.requester'),
            value: (
              <>
                {joinList([nameText(share.requested_by.name), ''])}
                <span className="quiet">{basisOf(share.requested_by)}</span>
              </>
            ),
          },
        ]),
    { name: t('share.facts.name'), value: nameText(share.scope) },
    { name: t('share.facts.issued'), value: <Time at={share.issued_at} /> },
    { name: t('share.facts.expires'), value: <Deadline at={share.expires_at} /> },
    ...(share.downloads_left === null
      ? []
      : [{ name: t('share.facts.downloadsLeft'), value: String(share.downloads_left) }]),
    { name: t('share.facts.kitId'), value: <Code value={share.kit_id} what={t('share.facts.kitId')} /> },
  ]
}

function commandFor({ shared, kit_id, files: [first] }: SharedKit): string {
  if (shared === 'kit') return `kitseal verify ${kit_id}.zip --jwks jwks.json`
  const name = first?.path.slice(first.path.lastIndexOf('/') + 1) ?? 'FILE'
  const quoted = /^[\w.-]+$/.test(name) ? name : 'FILE'
  return `kitseal verify ${quoted} ${quoted}.proof.json --jwks jwks.json`
}
