import type { Verdict } from '@kitseal/kit/in-browser'
import { t } from '../core/texts.ts'

/** Where the issuer itself can confirm a kit, if this page cannot. */
export function AdviceLink({ verdict: { advice } }: { readonly verdict: Verdict }) {
  if (advice?.link === undefined) return null
  return (
    <>
      {t('verify.askIssuer')}{' '}
      <a href={advice.link} target="_blank" rel="noreferrer">
        {advice.link}
      </a>
    </>
  )
}
