import type { KitDetail, Submission } from '@kitseal/client'
import { joinList, sentences } from '@kitseal/kit/in-browser/words'
import type { ProvenanceEntry } from '@kitseal/kit/internal'
import { useQuery } from '@tanstack/react-query'
import { secretsIn } from '../../core/findings.ts'
import { nameText, sizeText } from '../../core/readable.ts'
import { revokedHeading, sealedText, Verdict } from './stage-status.tsx'
import { navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { Facts, Problem, QueryState } from '../../parts/blocks.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { KitFiles } from '../../parts/checklist.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { FindingList } from '../../parts/finding-list.tsx'
import { Provenance } from '../../parts/provenance.tsx'
import { Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { askChange, useChange, useOnce, useSeries } from '../queries.tsx'
import { useAllowed } from '../session.tsx'
import { ShareButton } from '../shares/share-button.tsx'

/** The address of a file of a kit, for previews and downloads. */
export const kitFileUrl = (kitId: string, path: string): string =>
  `/v1/kits/${kitId}/files/${path.split('/').map(encodeURIComponent).join('/')}`

export const useKit = (kitId: string | null) =>
  useQuery({
    queryKey: ['kit', kitId],
    queryFn: () => api.describeKit(kitId ?? ''),
    staleTime: Infinity,
    enabled: kitId !== null,
  })

export interface KitViewProps {
  readonly submission: Submission
  readonly kitId: string
}

/** An issued kit: share and download it, look into its files. */
export function KitView({ submission, kitId }: KitViewProps) {
  const query = useKit(kitId)
  const kit = query.data
  const evidence = kit === undefined ? [] : evidenceOf(kit)
  const isThere = submission.deliverables['kit.zip'] !== undefined
  const uploaded = submission.evidence.length
  const files = evidence.map(({ path, size_bytes, summary }) => ({
    path,
    name: path.replace(/^data\//, ''),
    sizeBytes: size_bytes,
    summary,
    url: isThere ? kitFileUrl(kitId, path) : undefined,
  }))
  return (
    <>
      {submission.key_revoked_at === null ? (
        <KitHead submission={submission} kitId={kitId} kit={kit} />
      ) : (
        <RevokedKit submission={submission} revokedAt={submission.key_revoked_at} />
      )}
      <KitFiles
        items={kit?.items ?? []}
        files={files}
        title={t('console.submission.kit.evidence')}
        above={
          <>
            <QueryState query={query} />
            {uploaded > 0 && kit !== undefined && uploaded !== evidence.length && (
              <p className="quiet">
                {t('console.submission.kit.unpacked', { uploaded, files: evidence.length })}
              </p>
            )}
          </>
        }
      />
      <FindingList findings={submission.findings} />
      <Provenance
        entries={(kit?.provenance ?? []) as readonly ProvenanceEntry[]}
        issuer={kit?.issuer ?? ''}
        confirmed={submission.key_revoked_at === null}
      />
      <Details submission={submission} kitId={kitId} />
    </>
  )
}

const evidenceOf = (kit: KitDetail): KitDetail['files'] => kit.files.filter(({ kind }) => kind === 'evidence')

interface KitHeadProps extends KitViewProps {
  readonly kit: KitDetail | undefined
}

function KitHead({ submission, kitId, kit }: KitHeadProps) {
  const isExpired = submission.status === 'EXPIRED'
  const secrets = secretsIn(submission.findings).length
  const problems = submission.findings.filter(({ acknowledged }) => acknowledged).length - secrets
  const { 'kit.zip': zip, 'binder.pdf': binder } = submission.deliverables
  return (
    <Verdict
      result={isExpired ? 'warn' : 'pass'}
      word={isExpired ? t('console.submission.kit.expiredWord') : sealedText({ secrets, problems })}
      text={isExpired ? t('console.submission.kit.expired') : t('console.submission.kit.sentence')}
      facts={kit !== undefined && <Summary kit={kit} submission={submission} />}
      action={
        zip !== undefined && (
          <span className="row">
            <ShareButton
              kitId={kitId}
              label={submission.label}
              series={submission.series}
              paths={kit === undefined ? [] : evidenceOf(kit).map(({ path }) => path)}
              findings={submission.findings}
            />
            <LinkButton href={zip} download icon="download">
              {t('console.submission.kit.downloadKit')}
            </LinkButton>
            {binder !== undefined && (
              <LinkButton href={binder} target="_blank" rel="noreferrer" icon="file">
                {t('console.submission.kit.binder')}
              </LinkButton>
            )}
          </span>
        )
      }
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
        text: joinList([t('console.files', { count: evidence.length }), sizeText(bytes)]),
      })}{' '}
      {t('console.submission.kit.issued')} <Time at={kit.issued_at} />
      {t('view.sentence', { text: '' })} <Series submission={submission} />
    </>
  )
}

/** The series of a kit, or how to add it to one. */
function Series({ submission: { submission_id: id, series } }: Pick<KitViewProps, 'submission'>) {
  const isAllowed = useAllowed('submit').is
  const known = useSeries()
  if (series !== null) return t('console.series.of', { name: nameText(series) })
  if (!isAllowed) return null
  return (
    <Button
      look="quiet"
      size="small"
      onClick={() =>
        askChange({
          title: t('console.series.add'),
          action: t('console.series.add'),
          stale: ['submission', id],
          texts: 'console.series',
          initial: { name: '' },
          fields: () => [
            {
              name: 'name',
              suggestions: known,
              maxLength: 100,
            },
          ],
          isReady: ({ name }) => name.trim() !== '',
          run: ({ name }) => api.updateSubmission(id, { series: name.trim() }),
        })
      }
    >
      {t('console.series.add')}
    </Button>
  )
}

/** The ID, where anyone verifies the kit, and its other documents. */
function Details({ submission, kitId }: KitViewProps) {
  return (
    <details className="card">
      <summary>{t('console.submission.kit.details')}</summary>
      <Facts
        texts="console.submission.kit.facts"
        facts={{
          kit: <Code value={kitId} what={t('console.submission.kit.facts.kit')} />,
          page: (
            <a href={`/verify/${kitId}`}>
              {location.origin}/verify/{kitId}
            </a>
          ),
          documents: (
            <ul>
              {Object.entries(submission.deliverables)
                .filter(([name]) => name !== 'kit.zip' && name !== 'binder.pdf')
                .map(([name, path]) => (
                  <li key={name}>
                    <a href={path} download>
                      {name}
                    </a>
                  </li>
                ))}
            </ul>
          ),
        }}
      />
    </details>
  )
}

interface RevokedKitProps {
  readonly submission: Submission
  readonly revokedAt: string
}

/** The state of a kit whose signing key was revoked, with a button to re-issue it. */
function RevokedKit({ submission, revokedAt }: RevokedKitProps) {
  const { is: mayReissue } = useAllowed('reissue')
  const { submission_id: id } = submission
  const onceFor = useOnce()
  const reissuing = useChange(
    ['submission'],
    () => api.reissueKit(id, onceFor({ id })),
    (made) => navigate(`/console/submissions/${made.submission_id}`),
  )
  const isExpired = submission.status === 'EXPIRED'
  const isReplaced = submission.replaced_by !== null
  const text = isReplaced
    ? t('console.reissue.kit.replaced')
    : isExpired
      ? t('console.reissue.kit.expired')
      : sentences([
          t('console.reissue.kit.revoked'),
          mayReissue ? t('console.reissue.kit.reissue') : t('console.reissue.kit.askOwner'),
        ])
  return (
    <>
      <Verdict
        result="fail"
        word={revokedHeading(revokedAt)}
        text={text}
        action={
          !isExpired &&
          !isReplaced &&
          mayReissue && (
            <Button look="main" icon="shield" isBusy={reissuing.isPending} onClick={() => reissuing.mutate()}>
              {t('console.reissue.kit.action')}
            </Button>
          )
        }
      />
      <Problem error={reissuing.error} />
    </>
  )
}
