import { joinList } from '@kitseal/kit/in-browser/words'
import { nameBasis, type ProvenanceReport, type Supplier } from '@kitseal/kit/internal'
import type { ReactNode } from 'react'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Card, Facts } from '../../parts/blocks.tsx'
import { KitFiles } from '../../parts/checklist.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Files, type ListedFile } from '../../parts/files.tsx'
import { Provenance } from '../../parts/provenance.tsx'
import { Deadline, Time } from '../../parts/time.tsx'
import type { Place, SharedFile, SharedKit } from './shared.ts'

export interface KitDetailsProps {
  /** Where the kit is, below the link. */
  readonly base: string
  readonly share: SharedKit
  readonly isVerified: boolean
  /** What the verified kit says about where it came from. */
  readonly sealed: ProvenanceReport | undefined
  /** What a reviewer can do with a file or an item. */
  remark?(about: Place, name: string): ReactNode
}

interface Served extends ListedFile {
  readonly path: string
}

/** What was asked for and the files of a shared kit, where they came from, and how to check them without this page. */
export function KitDetails({ base, share, isVerified, sealed, remark }: KitDetailsProps) {
  const { kit_id, items } = share
  const isAvailable = share.status === 'available'
  const served = (file: SharedFile): Served => ({
    path: file.path,
    name: nameOf(file.path),
    sizeBytes: file.size_bytes,
    summary: file.summary,
    ...(isAvailable && {
      url: `${base}/${file.download}`,
      viewUrl: `${base}/view/${file.download}`,
      proofUrl: file.proof === null ? undefined : `${base}/${file.proof}`,
    }),
  })
  const evidence = share.files.filter(({ kind }) => share.shared === 'files' || kind === 'evidence')
  const others = share.files.filter((file) => !evidence.includes(file))
  return (
    <>
      <KitFiles<Served>
        items={items ?? []}
        files={evidence.map(served)}
        title={t('share.files', { count: evidence.length })}
        state={({ path }) => remark?.({ kit_id, path }, nameOf(path))}
        about={({ id, title }) => {
          const marks = remark?.({ kit_id, item_id: id }, title)
          return marks === undefined ? undefined : <p className="row">{marks}</p>
        }}
        more={
          others.length > 0 && isAvailable ? (
            <details className="more">
              <summary>{t('share.otherFiles', { count: others.length })}</summary>
              <Files files={others.map(served)} />
            </details>
          ) : undefined
        }
      />
      <Card title={share.shared === 'kit' ? t('share.aboutKit') : t('share.aboutFiles')}>
        <Facts texts="share.facts" facts={factsOf(share, isVerified)} />
      </Card>
      <Provenance
        entries={sealed?.entries ?? share.provenance}
        issuer={share.issuer}
        confirmed={sealed?.confirmed ?? false}
      />
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

const nameOf = (path: string): string => path.replace(/^data\//, '')

function factsOf(share: SharedKit, isVerified: boolean) {
  const named = (workspace: Supplier): ReactNode => (
    <>
      {joinList([nameText(workspace.name), ''])}
      <span className="quiet">{nameBasis(workspace, share.issuer, isVerified, t)}</span>
    </>
  )
  const { supplier, requested_by: requester } = share
  const unknown = requester === undefined ? t('share.unknownSupplier') : t('kit.byLink')
  return {
    issuer: share.issuer,
    supplier: supplier === null ? <span className="quiet">{unknown}</span> : named(supplier),
    requester: requester && named(requester),
    name: nameText(share.scope),
    issued: <Time at={share.issued_at} />,
    expires: <Deadline at={share.expires_at} />,
    downloadsLeft: share.downloads_left ?? undefined,
    kitId: <Code value={share.kit_id} what={t('share.facts.kitId')} />,
  }
}

function commandFor({ shared, kit_id, files: [first] }: SharedKit): string {
  if (shared === 'kit') return `kitseal verify ${kit_id}.zip --jwks jwks.json`
  const name = first?.path.slice(first.path.lastIndexOf('/') + 1) ?? 'FILE'
  const quoted = /^[\w.-]+$/.test(name) ? name : 'FILE'
  return `kitseal verify ${quoted} ${quoted}.proof.json --jwks jwks.json`
}
