import type { Submission } from '@kitseal/client'
import { Button, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '@kitseal/kit'
import { type Fact, Card, Facts } from '../../parts/blocks.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icons.tsx'
import { instantText } from '../../readable.ts'
import { Link } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { API, get, ownPath } from '../api.ts'
import { Loading, Problem } from '../problem.tsx'
import type { FileKind, KitDetail } from '../api-types.generated.ts'
import { FindingList } from '../blocker-list.tsx'
import { ShareButton } from '../shares/share-button.tsx'
import { RevokedKit } from './revoked-kit.tsx'
import { EvidenceTable } from './evidence-table.tsx'
import { Verdict } from './verdict.tsx'
import { VerifyHere } from './verify-here.tsx'

/** An issued kit: its facts, files, downloads and binder. */
export function KitView({ submission, kitId }: { readonly submission: Submission; readonly kitId: string }) {
  const kit = useQuery({
    queryKey: ['kit', kitId],
    queryFn: () => get<KitDetail>(`/kits/${kitId}`),
    staleTime: Infinity,
  })
  const t = texts.console.submission.kit
  const noKit =
    kit.error === null ? <Loading /> : <Problem error={kit.error} onRetry={() => void kit.refetch()} />
  const isExpired = submission.status === 'EXPIRED'
  const { 'kit.zip': zip, 'binder.pdf': binder } = submission.deliverables
  return (
    <>
      {submission.key_revoked_at !== null && (
        <RevokedKit submission={submission} revokedAt={submission.key_revoked_at} />
      )}
      {submission.key_revoked_at === null && (
        <Verdict
          result={isExpired ? 'warn' : 'pass'}
          word={isExpired ? t.expiredWord : t.word}
          text={isExpired ? t.expired : t.sentence}
          action={
            zip !== undefined && (
              <span className="row verdict-action">
                <ShareButton kitId={kitId} label={submission.label} paths={evidencePaths(kit.data)} />
                <Button
                  component="a"
                  href={ownPath(zip)}
                  download
                  variant="default"
                  leftSection={<Icon name="download" />}
                >
                  {t.downloadKit}
                </Button>
              </span>
            )
          }
        />
      )}
      {zip !== undefined && <VerifyHere submissionId={submission.submission_id} kitId={kitId} />}
      <FindingList findings={submission.findings} />
      <Tabs defaultValue="kit" keepMounted={false}>
        <Tabs.List aria-label={t.parts}>
          <Tabs.Tab value="kit">{t.tabs.kit}</Tabs.Tab>
          <Tabs.Tab value="inventory">{t.tabs.inventory}</Tabs.Tab>
          <Tabs.Tab value="deliverables">{t.tabs.deliverables}</Tabs.Tab>
          {binder !== undefined && <Tabs.Tab value="binder">{t.tabs.binder}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="kit">
          <Card>
            {kit.data === undefined ? noKit : <Facts facts={kitFacts(kit.data)} />}
            <p>
              <Link href={`/console/compare?to=${kitId}`}>{t.compare}</Link>
            </p>
          </Card>
        </Tabs.Panel>
        <Tabs.Panel value="inventory">
          <Card>{kit.data === undefined ? noKit : <Inventory kit={kit.data} />}</Card>
        </Tabs.Panel>
        <Tabs.Panel value="deliverables">
          <Card>
            <Deliverables submission={submission} />
          </Card>
        </Tabs.Panel>
        <Tabs.Panel value="binder">
          <Card>
            <Binder submissionId={submission.submission_id} />
          </Card>
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

const evidencePaths = (kit: KitDetail | undefined): readonly string[] =>
  kit?.files.filter(({ kind }) => kind === 'evidence').map(({ path }) => path) ?? []

function kitFacts(kit: KitDetail): readonly Fact[] {
  const t = texts.console.submission.kit.facts
  return [
    { name: t.kit, value: <Code value={kit.kit_id} what={t.kit} /> },
    ...(kit.supplier === null ? [] : [{ name: t.supplier, value: kit.supplier.name }]),
    { name: t.issued, value: instantText(kit.issued_at) },
    { name: t.key, value: <Code value={kit.kid} what={t.key} /> },
    { name: t.manifest, value: <Code value={kit.manifest_sha256} what={t.manifest} /> },
    { name: t.root, value: <Code value={kit.manifest_root_hash} what={t.root} /> },
    { name: t.receipt, value: <Code value={kit.canonical_receipt_sha256} what={t.receipt} /> },
    ...(kit.sha256 === null ? [] : [{ name: t.zip, value: <Code value={kit.sha256} what={t.zip} /> }]),
    ...logFacts(kit),
    { name: t.size, value: `${texts.console.files(kit.files.length)}, ${formatBytes(kit.size_bytes)}` },
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

function logFacts({ kit_id, log }: KitDetail): readonly Fact[] {
  const t = texts.console.submission.kit.log
  if (log === null) return []
  const names = log.cosigned.map(({ name, at }) => t.cosigned(name, instantText(at)))
  return [
    {
      name: t.place,
      value: (
        <>
          {t.position(log.index, log.origin, log.size)} {log.late && t.late}{' '}
          <a href={`${API}/kits/${kit_id}/log-proof`} download>
            {t.proof}
          </a>
        </>
      ),
    },
    { name: t.witnesses, value: names.length === 0 ? t.none : names.join('; ') },
  ]
}

const KINDS: readonly FileKind[] = ['evidence', 'binder', 'report', 'guide', 'verifier', 'bag', 'envelope']

function Inventory({ kit }: { readonly kit: KitDetail }) {
  const parts = KINDS.map((kind) => ({
    title: texts.console.inventory.kinds[kind],
    files: kit.files
      .filter((file) => file.kind === kind)
      .map(({ path, sha256, size_bytes }) => ({ name: path, sha256, size_bytes })),
  }))
  return <EvidenceTable parts={parts.filter(({ files }) => files.length > 0)} />
}

function Deliverables({ submission }: { readonly submission: Submission }) {
  const t = texts.console.submission.kit
  const known: Readonly<Record<string, string>> = t.deliverables
  return (
    <ul className="deliverables">
      {Object.entries(submission.deliverables).map(([name, path]) => (
        <li key={name}>
          <a href={ownPath(path)} download className="download-link">
            <Icon name="download" size={16} />
            {name}
          </a>
          <span className="quiet">{known[name] ?? ''}</span>
        </li>
      ))}
    </ul>
  )
}

/** Tells the browser's PDF viewer to fit the width and hide the sidebar. */
const PDF_VIEW = '#navpanes=0&view=FitH'

function Binder({ submissionId }: { readonly submissionId: string }) {
  const t = texts.console.submission.kit
  const address = `${API}/submissions/${submissionId}/binder`
  return (
    <>
      <p className="quiet">
        {t.binderHint}{' '}
        <a href={address} target="_blank" rel="noreferrer">
          {t.binderAlone}
        </a>
      </p>
      <iframe className="binder" src={`${address}${PDF_VIEW}`} title={t.tabs.binder} />
    </>
  )
}
