import type { KitDetail, Submission } from '@kitseal/client'
import { Button, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ProvenanceEntry } from '@kitseal/kit/internal'
import { listed } from '@kitseal/kit/in-browser/words'
import { Card } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Provenance } from '../../parts/provenance.tsx'
import { Time } from '../../parts/time.tsx'
import { FileList } from '../../parts/preview/file-list.tsx'
import { sizeText } from '../../core/readable.ts'
import { known, t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { QueryState } from '../problem.tsx'
import { secretsIn } from '../../core/findings.ts'
import { FindingList } from '../../parts/finding-list.tsx'
import { SeriesOf } from '../series/add-to-series.tsx'
import { RoomButton } from '../rooms/room-button.tsx'
import { ShareButton } from '../shares/share-button.tsx'
import { sealedText } from '../stage-badge.tsx'
import { RevokedKit } from './revoked-kit.tsx'
import { EvidenceTable } from './evidence-table.tsx'
import { KitDetails } from './kit-details.tsx'
import { kitFileUrl } from './kit-file-url.ts'
import { Verdict } from './verdict.tsx'
import { VerifyHere } from './verify-here.tsx'

/** An issued kit: share and download it, look into its files. Hashes and proofs are in the details. */
export function KitView({ submission, kitId }: { readonly submission: Submission; readonly kitId: string }) {
  const kit = useQuery({
    queryKey: ['kit', kitId],
    queryFn: () => api.describeKit(kitId),
    staleTime: Infinity,
  })
  const noKit = <QueryState query={kit} />
  const { 'kit.zip': zip, 'binder.pdf': binder } = submission.deliverables
  return (
    <>
      <KitHead submission={submission} kitId={kitId} kit={kit.data} />
      <FindingList findings={submission.findings} />
      <Tabs defaultValue="evidence" keepMounted={false}>
        <Tabs.List aria-label={t('console.submission.kit.parts')}>
          <Tabs.Tab value="evidence">{t('console.submission.kit.tabs.evidence')}</Tabs.Tab>
          {binder !== undefined && (
            <Tabs.Tab value="binder">{t('console.submission.kit.tabs.binder')}</Tabs.Tab>
          )}
          <Tabs.Tab value="deliverables">{t('console.submission.kit.tabs.deliverables')}</Tabs.Tab>
          <Tabs.Tab value="details">{t('console.submission.kit.tabs.details')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="evidence">
          <Card>
            {kit.data === undefined ? (
              noKit
            ) : (
              <Evidence kit={kit.data} isThere={zip !== undefined} uploaded={submission.evidence.length} />
            )}
          </Card>
          <Provenance
            entries={(kit.data?.provenance ?? []) as readonly ProvenanceEntry[]}
            issuer={kit.data?.issuer ?? ''}
            confirmed={submission.key_revoked_at === null}
          />
        </Tabs.Panel>
        <Tabs.Panel value="binder">
          <Card>
            <Binder address={binder ?? ''} />
          </Card>
        </Tabs.Panel>
        <Tabs.Panel value="deliverables">
          <Card>
            <Deliverables submission={submission} />
          </Card>
        </Tabs.Panel>
        <Tabs.Panel value="details">
          {zip !== undefined && <VerifyHere submissionId={submission.submission_id} kitId={kitId} />}
          {kit.data === undefined ? noKit : <KitDetails kit={kit.data} />}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

interface KitHeadProps {
  readonly submission: Submission
  readonly kitId: string
  readonly kit: KitDetail | undefined
}

function KitHead({ submission, kitId, kit }: KitHeadProps) {
  const isExpired = submission.status === 'EXPIRED'
  const secrets = secretsIn(submission.findings).length
  const problems = submission.findings.filter(({ acknowledged }) => acknowledged).length - secrets
  const { 'kit.zip': zip } = submission.deliverables
  const actions = zip !== undefined && (
    <span className="row verdict-action">
      <ShareButton
        kitId={kitId}
        label={submission.label}
        paths={evidencePaths(kit)}
        findings={submission.findings}
      />
      <RoomButton kitId={kitId} />
      <Button component="a" href={zip} download variant="default" leftSection={<Icon name="download" />}>
        {t('console.submission.kit.downloadKit')}
      </Button>
    </span>
  )
  if (submission.key_revoked_at !== null)
    return <RevokedKit submission={submission} revokedAt={submission.key_revoked_at} />
  return (
    <Verdict
      result={isExpired ? 'warn' : 'pass'}
      word={isExpired ? t('console.submission.kit.expiredWord') : sealedText({ secrets, problems })}
      text={isExpired ? t('console.submission.kit.expired') : t('console.submission.kit.sentence')}
      facts={kit !== undefined && <Summary kit={kit} submission={submission} />}
      action={actions}
    />
  )
}

/** Counts what was sent, without the files that the service adds. */
function Summary({ kit, submission }: { readonly kit: KitDetail; readonly submission: Submission }) {
  const evidence = evidenceOf(kit)
  const bytes = evidence.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  return (
    <>
      {t('view.sentence', {
        text: listed([t('console.files', { count: evidence.length }), sizeText(bytes)]),
      })}{' '}
      {t('console.submission.kit.issued')} <Time at={kit.issued_at} />
      {t('view.sentence', { text: '' })} <SeriesOf submission={submission} />
    </>
  )
}

const evidenceOf = (kit: KitDetail): KitDetail['files'] => kit.files.filter(({ kind }) => kind === 'evidence')

const evidencePaths = (kit: KitDetail | undefined): readonly string[] =>
  kit === undefined ? [] : evidenceOf(kit).map(({ path }) => path)

/** With previews, unless the evidence was deleted. */
interface EvidenceProps {
  readonly kit: KitDetail
  readonly isThere: boolean
  /** Number of files. */
  readonly uploaded: number
}

function Evidence({ kit, isThere, uploaded }: EvidenceProps) {
  const files = useMemo(
    () =>
      evidenceOf(kit).map(({ path, size_bytes, summary }) => ({
        name: path.replace(/^data\//, ''),
        sizeBytes: size_bytes,
        summary,
        url: kitFileUrl(kit.kit_id, path),
      })),
    [kit],
  )
  return (
    <>
      {uploaded > 0 && uploaded !== files.length && (
        <p className="quiet">{t('console.submission.kit.unpacked', { uploaded, files: files.length })}</p>
      )}
      {isThere ? (
        <FileList files={files} />
      ) : (
        <EvidenceTable parts={[{ files: evidenceOf(kit).map(tableFile) }]} />
      )}
    </>
  )
}

const tableFile = ({ path, sha256, size_bytes }: KitDetail['files'][number]) => ({
  name: path,
  sha256,
  size_bytes,
})

function Deliverables({ submission }: { readonly submission: Submission }) {
  return (
    <ul className="deliverables">
      {Object.entries(submission.deliverables).map(([name, path]) => (
        <li key={name}>
          <DownloadLink
            address={path}
            name={name}
            hint={known(`console.submission.kit.deliverables.${name}`) ?? ''}
          />
        </li>
      ))}
    </ul>
  )
}

function DownloadLink({ address, name, hint }: Readonly<Record<'address' | 'name' | 'hint', string>>) {
  return (
    <>
      <a href={address} download className="download-link">
        <Icon name="download" size={16} />
        {name}
      </a>
      <span className="quiet">{hint}</span>
    </>
  )
}

/** Tells the browser's PDF viewer to fit the width and hide the sidebar. */
const PDF_VIEW = '#navpanes=0&view=FitH'

function Binder({ address }: { readonly address: string }) {
  return (
    <>
      <p className="quiet">
        {t('console.submission.kit.binderHint')}{' '}
        <a href={address} target="_blank" rel="noreferrer">
          {t('console.submission.kit.binderAlone')}
        </a>
      </p>
      <iframe
        className="binder"
        src={`${address}${PDF_VIEW}`}
        title={t('console.submission.kit.tabs.binder')}
      />
    </>
  )
}
