import type { CheckResult, Receipt } from '@kitseal/kit'
import { codeOf } from '@kitseal/kit/in-browser'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatBytes } from '@kitseal/kit'
import { type Fact, Facts, Notice } from '../parts/blocks.tsx'
import { Code } from '../parts/copy-button.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { instantText } from '../readable.ts'
import { texts } from '../texts/index.ts'
import { type Judged, judge, type ToJudge } from './judgement.ts'
import { saveJson } from './save-json.ts'

export interface Result extends ToJudge {
  readonly name: string
  readonly fileCount: number
  readonly sizeBytes: number
  readonly verifiedAt: Date
  readonly tookMs: number
}

/** The whole result, in the engine's own words. It is what is printed. */
export function ResultView({ result, onAgain }: { readonly result: Result; readonly onAgain?: () => void }) {
  const judged = judge(result)
  const verdict = useRef<HTMLDivElement>(null)
  useEffect(() => {
    verdict.current?.scrollIntoView({ block: 'nearest' })
    verdict.current?.focus({ preventScroll: true })
  }, [result])
  const t = texts.verify
  return (
    <section className="card result" aria-label={t.result} data-verdict={judged.tone}>
      <div ref={verdict} tabIndex={-1} className={`verdict ${judged.tone}`} role="status">
        <span className="verdict-mark">
          <Icon name={VERDICT_ICONS[judged.tone]} size={30} />
        </span>
        <div>
          <h2>
            <span className="verdict-word">{judged.word}</span>
            {judged.qualifier !== undefined && <small>{judged.qualifier}</small>}
          </h2>
          <p>{judged.sentence}</p>
          <p className="quiet">{described(result)}</p>
        </div>
      </div>
      {judged.advice !== undefined && (
        <Notice tone={judged.tone === 'fail' ? 'warn' : 'info'} title={t.advice.title}>
          {judged.advice}
        </Notice>
      )}
      <h3>{t.checks}</h3>
      <Checks checks={judged.checks} />
      <Claims result={result} />
      {judged.errors.length > 0 && <Errors errors={judged.errors} />}
      <div className="row no-print result-actions">
        {onAgain !== undefined && <Button onClick={onAgain}>{t.again}</Button>}
        <Button variant="default" leftSection={<Icon name="print" />} onClick={() => print()}>
          {t.print}
        </Button>
        <Button variant="default" leftSection={<Icon name="download" />} onClick={() => save(result, judged)}>
          {t.save}
        </Button>
      </div>
    </section>
  )
}

const VERDICT_ICONS: Readonly<Record<Judged['tone'], IconName>> = {
  pass: 'check',
  fail: 'cross',
  receipt: 'warning',
}
const CHECK_ICONS: Readonly<Record<CheckResult['result'], IconName>> = {
  pass: 'check',
  fail: 'cross',
  not_run: 'dash',
}

function described({ name, kind, fileCount, sizeBytes, verifiedAt, tookMs }: Result): string {
  const t = texts.verify
  const files = kind === 'receipt' ? [] : [t.files(fileCount)]
  const what = [t.kinds[kind], ...files, formatBytes(sizeBytes)].join(', ')
  return `${name} (${what}), ${t.checkedAt(instantText(verifiedAt))}, ${t.inSeconds(Math.max(tookMs / 1000, 0.1).toFixed(1))}`
}

function Checks({ checks }: { readonly checks: readonly CheckResult[] }) {
  return (
    <ul className="checks">
      {checks.map(({ check, guarantee, result, why }) => (
        <li key={check} className={result} data-check={check}>
          <Icon name={CHECK_ICONS[result]} />
          <span className="check-word">{texts.verify.words[result]}</span>
          <span>
            {guarantee}
            {why !== undefined && <span className="why">{why}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What the receipt says of itself, under a title that says whether a trusted signature stands behind it. */
function Claims({ result: { report, receipt } }: { readonly result: Result }) {
  const t = texts.verify.claims
  if (receipt === undefined) return <p className="quiet">{t.missing}</p>
  const trusted = report.signer.trust === 'pinned' || report.signer.trust === 'jwks'
  const proved = trusted && report.ed25519_signature_valid && report.receipt_canonical_hash_valid
  return (
    <>
      <h3>{proved ? t.proved : t.claimed}</h3>
      <Facts facts={receiptFacts(receipt)} />
    </>
  )
}

export function receiptFacts(receipt: Receipt): readonly Fact[] {
  const t = texts.verify.claims
  return [
    { name: t.kit, value: <Code value={receipt.kit_id} what={t.kit} /> },
    { name: t.scope, value: receipt.scope },
    { name: t.issuer, value: receipt.issuer },
    { name: t.issued, value: instantText(receipt.issued_at) },
    { name: t.key, value: <Code value={receipt.public_key_kid} what={t.key} /> },
    { name: t.manifest, value: <Code value={receipt.manifest_sha256} what={t.manifest} /> },
    { name: t.root, value: <Code value={receipt.manifest_root_hash} what={t.root} /> },
  ]
}

const SHOWN_ERRORS = 50

function Errors({ errors }: { readonly errors: readonly string[] }) {
  const t = texts.verify
  const rest = errors.length - SHOWN_ERRORS
  return (
    <>
      <h3>{t.errors(errors.length)}</h3>
      <ul className="errors">
        {errors.slice(0, SHOWN_ERRORS).map((error) => (
          <li key={error}>
            <code>{codeOf(error)}</code>
            {error.slice(codeOf(error).length)}
          </li>
        ))}
        {rest > 0 && <li>{t.moreErrors(rest)}</li>}
      </ul>
    </>
  )
}

function save({ name, verifiedAt, report, receipt, expectedKitId }: Result, { word, checks }: Judged): void {
  const document = {
    ...report,
    checks,
    verdict: word,
    name,
    expected_kit_id: expectedKitId,
    verified_at: verifiedAt,
    receipt,
  }
  saveJson(`verification-${receipt?.kit_id ?? 'unknown'}.json`, document)
}
