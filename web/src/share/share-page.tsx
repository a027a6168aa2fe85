import { Button } from '@mantine/core'
import { useCallback, useState } from 'react'
import { ApiError } from '@kitseal/client'
import { formatBytes, nameBasis, type ProvenanceReport, type Supplier, SUPPLIER_BY_LINK } from '@kitseal/kit'
import { fetchJson } from '../fetch-json.ts'
import { linkBase } from '../outside/link-base.ts'
import { LinkProblem } from '../outside/link-problem.tsx'
import { Deadline, Time, TimeText } from '../parts/time.tsx'
import { OutsiderFrame } from '../outside/outsider-frame.tsx'
import { Card, Facts, Heading, Notice } from '../parts/blocks.tsx'
import { Code } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Provenance } from '../parts/provenance.tsx'
import { FileList } from '../preview/file-list.tsx'
import { nameText } from '../readable.ts'
import { texts } from '../texts/index.ts'
import { useLoaded } from '../use-loaded.ts'
import '../styles/verify.css'
import { PasswordForm } from './password-form.tsx'
import type { SharedFile, SharedKit } from './shared-kit.ts'
import { ShareVerdict } from './share-verdict.tsx'

/** `/s/TOKEN`: a kit, or some of its files, for someone without an account. */
export function SharePage() {
  const base = linkBase()
  const load = useCallback(() => fetchJson<SharedKit>(`${base}/share.json`), [base])
  const { value: share, error, reload } = useLoaded(load)
  const t = texts.share
  if (share !== undefined) return <OpenShare base={base} share={share} />
  if (error === undefined)
    return (
      <OutsiderFrame title={t.title}>
        <p className="quiet loading">{texts.loading}…</p>
      </OutsiderFrame>
    )
  if (error instanceof ApiError && error.code === 'share_password_required')
    return <PasswordForm base={base} onUnlocked={reload} />
  return <LinkProblem error={error} />
}

interface OpenShareProps {
  readonly base: string
  readonly share: SharedKit
}

function OpenShare({ base, share }: OpenShareProps) {
  const t = texts.share
  const [isVerified, setIsVerified] = useState(false)
  const [sealed, setSealed] = useState<ProvenanceReport>()
  const onVerdict = useCallback((is: boolean, provenance?: ProvenanceReport) => {
    setIsVerified(is)
    setSealed(provenance)
  }, [])
  // The workspace that has the kit shares it, also if it only asked for the files.
  const who = (share.supplier ?? share.requested_by)?.name
  const served = (file: SharedFile) => ({
    name: file.path.replace(/^data\//, ''),
    sizeBytes: file.size_bytes,
    summary: file.summary,
    url: `${base}/${file.download}`,
    viewUrl: `${base}/view/${file.download}`,
    ...(file.proof === null ? {} : { proofUrl: `${base}/${file.proof}` }),
  })
  const evidence = share.files.filter(({ kind }) => share.shared === 'files' || kind === 'evidence')
  const others = share.files.filter((file) => !evidence.includes(file))
  const isAvailable = share.status === 'available'
  return (
    <OutsiderFrame title={share.scope}>
      <Heading
        title={nameText(share.scope)}
        lead={[
          ...(who === undefined ? [] : [t.sharedBy(nameText(who))]),
          ...(isAvailable ? [t.verifies] : []),
        ].join(' ')}
        actions={
          share.kit !== null &&
          isAvailable && (
            <Button
              component="a"
              href={`${base}/${share.kit.download}`}
              download
              leftSection={<Icon name="download" />}
            >
              {t.downloadKit(formatBytes(share.kit.size_bytes))}
            </Button>
          )
        }
      />
      {share.note !== null && <blockquote className="outside-note">{nameText(share.note)}</blockquote>}
      {share.status === 'erased' && (
        <Notice tone="warn" title={<TimeText text={t.erased} at={share.erased_at ?? ''} as="day" />}>
          {t.erasedText}
        </Notice>
      )}
      {share.status === 'exhausted' && (
        <Notice tone="warn" title={texts.outside.titles.exhausted}>
          {t.exhausted}
        </Notice>
      )}
      {share.signing_key.status === 'revoked' && share.status !== 'available' && (
        <Notice
          tone="fail"
          title={<TimeText text={t.keyRevoked} at={share.signing_key.revoked_at ?? ''} as="day" />}
        >
          {t.keyRevokedText}
        </Notice>
      )}
      {isAvailable && <ShareVerdict base={base} share={share} onVerdict={onVerdict} />}
      <Card title={share.shared === 'kit' ? t.aboutKit : t.aboutFiles}>
        <Facts facts={factsOf(share, isVerified)} />
      </Card>
      <Provenance
        entries={sealed?.entries ?? share.provenance}
        issuer={share.issuer}
        confirmed={sealed?.confirmed ?? false}
      />
      <Card title={t.files(evidence.length)}>
        {isAvailable ? (
          <>
            <FileList files={evidence.map(served)} />
            {others.length > 0 && (
              <details className="more">
                <summary>{t.otherFiles(others.length)}</summary>
                <FileList files={others.map(served)} />
              </details>
            )}
          </>
        ) : (
          <ul>
            {evidence.map(({ path, size_bytes }) => (
              <li key={path}>
                {nameText(path)} <span className="quiet">{formatBytes(size_bytes)}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {isAvailable && (
        <Card title={t.yourself}>
          <p>{share.shared === 'kit' ? t.yourselfKit : t.yourselfFiles}</p>
          <p>
            <Code value={commandFor(share)} what={t.command} />
          </p>
        </Card>
      )}
    </OutsiderFrame>
  )
}

function factsOf(share: SharedKit, isVerified: boolean) {
  const t = texts.share
  const basisOf = (workspace: Supplier): string => nameBasis(workspace, share.issuer, isVerified)
  return [
    { name: t.facts.issuer, value: share.issuer },
    {
      name: t.facts.supplier,
      value:
        share.supplier === null ? (
          <span className="quiet">
            {share.requested_by === undefined ? t.unknownSupplier : SUPPLIER_BY_LINK}
          </span>
        ) : (
          <>
            {nameText(share.supplier.name)}, <span className="quiet">{basisOf(share.supplier)}</span>
          </>
        ),
    },
    ...(share.requested_by === undefined
      ? []
      : [
          {
            name: t.facts.requester,
            value: (
              <>
                {nameText(share.requested_by.name)},{' '}
                <span className="quiet">{basisOf(share.requested_by)}</span>
              </>
            ),
          },
        ]),
    { name: t.facts.name, value: nameText(share.scope) },
    { name: t.facts.issued, value: <Time at={share.issued_at} /> },
    { name: t.facts.expires, value: <Deadline at={share.expires_at} /> },
    ...(share.downloads_left === null
      ? []
      : [{ name: t.facts.downloadsLeft, value: String(share.downloads_left) }]),
    { name: t.facts.kitId, value: <Code value={share.kit_id} what={t.facts.kitId} /> },
  ]
}

function commandFor({ shared, kit_id, issuer, files: [first] }: SharedKit): string {
  if (shared === 'kit') return `kitseal verify ${kit_id}.zip --issuer ${issuer}`
  const name = first?.path.slice(first.path.lastIndexOf('/') + 1) ?? 'FILE'
  const quoted = /^[\w.-]+$/.test(name) ? name : 'FILE'
  return `kitseal verify ${quoted} ${quoted}.proof.json --issuer ${issuer}`
}
