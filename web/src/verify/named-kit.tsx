import { type JsonValue, type KeySet, parseReceipt, type Receipt, verifyReceipt, webHost } from '@kitseal/kit'
import { useEffect, useState } from 'react'
import { fetchJson } from '../fetch-json.ts'
import { Card, Facts, Notice } from '../parts/blocks.tsx'
import { Code } from '../parts/copy-button.tsx'
import { texts } from '../texts/index.ts'
import { judge } from './judgement.ts'
import { receiptFacts } from './result-view.tsx'

type Known =
  | { readonly is: 'loading' }
  | { readonly is: 'unknown' }
  | { readonly is: 'problem'; readonly message: string }
  | { readonly is: 'known'; readonly receipt: Receipt; readonly holds: boolean }

/** The receipt's hashes follow what says when, by whom and for what it was issued. */
const HASHES_FROM = 4

/** Which kit the page is about, and what the service says of it to anybody, itself held against the published keys. */
export function NamedKit({ kitId, keys }: { readonly kitId: string; readonly keys: KeySet | undefined }) {
  const [known, setKnown] = useState<Known>({ is: 'loading' })
  const isValid = /^kit_[\w-]{22,}$/.test(kitId)
  useEffect(() => {
    if (isValid && keys !== undefined) void ask(kitId, keys).then(setKnown)
  }, [kitId, keys, isValid])
  const facts = known.is === 'known' ? receiptFacts(known.receipt) : []
  const t = texts.verify.named
  return (
    <Card title={t.about} className="no-print">
      <p className="kit-id">
        <Code value={kitId} what={texts.verify.claims.kit} />
      </p>
      {!isValid && <Notice tone="warn">{t.invalid}</Notice>}
      <div aria-live="polite">
        {isValid && known.is === 'loading' && <p className="quiet">{t.loading}…</p>}
        {known.is === 'unknown' && (
          <Notice tone="warn" title={t.unknownTitle}>
            {t.unknown}
          </Notice>
        )}
        {known.is === 'problem' && <Notice tone="warn">{known.message}</Notice>}
        {known.is === 'known' && (
          <>
            <h3>{t.known}</h3>
            <Facts facts={facts.slice(1, HASHES_FROM)} />
            <details className="more">
              <summary>{t.hashes}</summary>
              <Facts facts={facts.slice(HASHES_FROM)} />
            </details>
            <Notice tone={known.holds ? 'pass' : 'fail'}>{known.holds ? t.agree : t.disagree}</Notice>
          </>
        )}
      </div>
    </Card>
  )
}

async function ask(kitId: string, keys: KeySet): Promise<Known> {
  const fetched = await fetchJson<JsonValue>(`/v1/kits/${encodeURIComponent(kitId)}/receipt`)
  if (!fetched.ok && fetched.status === 404) return { is: 'unknown' }
  if (!fetched.ok) return { is: 'problem', message: fetched.message }
  const parsed = parseReceipt(fetched.value)
  if (!parsed.ok || parsed.value.kit_id !== kitId) return { is: 'problem', message: texts.problem.unexpected }
  const report = await verifyReceipt(fetched.value, undefined, keys, webHost)
  const { tone } = judge({ kind: 'receipt', report, receipt: parsed.value })
  return { is: 'known', receipt: parsed.value, holds: tone === 'receipt' }
}
