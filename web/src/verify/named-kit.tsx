import {
  hostOf,
  type JsonValue,
  type Origin,
  parseReceipt,
  type Receipt,
  type Erasure,
  verifyErasure,
  verifyReceipt,
  webHost,
} from '@kitseal/kit/internal'
import {
  type ReceiptFact,
  receiptFacts,
  receiptHashes,
  type SiteKeySet,
  type Verdict,
} from '@kitseal/kit/in-browser'
import { useCallback } from 'react'
import { fetchHere, fetchJson, isMissing, messageOf } from '../core/fetch-json.ts'
import { Card, type Fact, Facts, Notice } from '../parts/blocks.tsx'
import { Code } from '../parts/copy-button.tsx'
import { dayText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { useLoaded } from '../core/use-loaded.ts'
import { AdviceLink } from './result-view.tsx'
import { receiptVerdict } from './service-verdict.ts'

interface Known {
  readonly receipt: Receipt
  readonly verdict: Verdict
  readonly site: SiteKeySet
  readonly erasure: Erasure | undefined
  readonly origin: Origin
}

/** The kit this page is for, with its public receipt, checked against the published keys. */
export function NamedKit({ kitId, keys }: { readonly kitId: string; readonly keys: SiteKeySet | undefined }) {
  const isKitId = /^kit_[\w-]{22,}$/.test(kitId)
  const load = useCallback(
    async () => (isKitId && keys !== undefined ? fetchReceipt(kitId, keys) : undefined),
    [kitId, keys, isKitId],
  )
  const { value: known, error } = useLoaded(load)
  return (
    <Card title={t('verify.named.about')} className="no-print">
      <p>
        <Code value={kitId} what={t('verify.named.kitId')} />
      </p>
      {!isKitId && <Notice tone="warn">{t('verify.named.invalid')}</Notice>}
      <div aria-live="polite">
        {isKitId && known === undefined && error === undefined && (
          <p className="quiet">{t('verify.named.loading')}…</p>
        )}
        {isMissing(error) && (
          <Notice tone="warn" title={t('verify.named.unknownTitle')}>
            {t('verify.named.unknown')}
          </Notice>
        )}
        {error !== undefined && !isMissing(error) && <Notice tone="warn">{messageOf(error)}</Notice>}
        {known !== undefined && (
          <>
            <h3>{t('verify.named.known')}</h3>
            <Facts
              more={shown(
                receiptFacts(known.receipt, known.origin, known.verdict.isProved).filter(
                  ({ isCode }) => isCode !== true,
                ),
              )}
            />
            <details className="more">
              <summary>{t('verify.named.hashes')}</summary>
              <Facts more={shown(receiptHashes(known.receipt))} />
            </details>
            {known.erasure !== undefined && (
              <Notice tone="warn" title={erasedTitle(known.erasure)}>
                {t('verify.named.erasedText')}
              </Notice>
            )}
            {known.verdict.isProved ? (
              <Notice tone="pass">{t('verify.named.agree', { host: hostOf(known.site.address) })}</Notice>
            ) : (
              <Notice tone={known.verdict.tone} title={known.verdict.heading}>
                {known.verdict.sentence} <AdviceLink verdict={known.verdict} />
              </Notice>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

function shown(facts: readonly ReceiptFact[]): readonly Fact[] {
  return facts.map(({ name, value, isCode }) => ({
    name,
    value: isCode === true ? <Code value={value} what={name} /> : value,
  }))
}

async function fetchReceipt(kitId: string, keys: SiteKeySet): Promise<Known> {
  const path = `/v1/kits/${encodeURIComponent(kitId)}`
  const response = await fetchHere(`${path}/receipt`)
  const given = (await response.json()) as JsonValue
  const parsed = parseReceipt(given)
  if (!parsed.ok || parsed.value.kit_id !== kitId) throw new Error(t('problem.unexpected'))
  const report = await verifyReceipt(given, undefined, keys, webHost)
  const receipt = parsed.value
  const isAnonymous = response.headers.get('kitseal-caller') === 'anonymous'
  const isErased = response.headers.get('link')?.includes('/erasure>') === true
  return {
    receipt,
    verdict: receiptVerdict({ report, receipt, site: keys }),
    site: keys,
    origin: { supplier: null, ...(isAnonymous && { anonymous: true }) },
    erasure: isErased ? await fetchErasure(path, receipt, keys) : undefined,
  }
}

/** The signed record that the evidence was deleted. */
async function fetchErasure(path: string, receipt: Receipt, { keys }: SiteKeySet) {
  const given = await fetchJson<JsonValue>(`${path}/erasure`).catch(() => undefined)
  if (given === undefined || (await verifyErasure(given, receipt, { keys }, webHost)).length > 0)
    return undefined
  return given as unknown as Erasure
}

function erasedTitle({ erased_at, reason, rule }: Erasure): string {
  return t('verify.named.erased', {
    day: dayText(erased_at),
    by:
      reason === 'retention'
        ? t('verify.named.erasedByRule', { rule: rule ?? '' })
        : t('verify.named.erasedByOrder'),
  })
}
