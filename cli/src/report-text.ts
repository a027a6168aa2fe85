import type { CheckResult, VerificationReport } from '@kitseal/kit'
import type { Claims } from './claims.ts'
import { paint, type Paint, plain, type Terminal } from './terminal.ts'

const MAX_ERRORS = 20

const TRUST: Readonly<Record<VerificationReport['signer']['trust'], string>> = {
  pinned: 'pinned by you',
  jwks: 'in the key set that you gave',
  kit: 'taken from the kit itself: INTEGRITY ONLY, anyone can make such a key',
  none: 'not trusted',
}

/** A result for a person: what the receipt says, each guarantee, the verdict. */
export function reportText(
  report: VerificationReport,
  claims: Claims | undefined,
  terminal: Terminal,
): readonly string[] {
  const style = paint(terminal)
  return [
    ...claimLines(report, claims),
    ...report.checks.map((check) => checkLine(check, style)),
    '',
    ...errorLines(report, style),
    verdict(report, style),
    style.faint(report.boundary),
  ]
}

function claimLines({ status, signer }: VerificationReport, claims: Claims | undefined): readonly string[] {
  if (claims === undefined) return []
  const says = status === 'PASS' ? '' : '   (as the receipt says; not proved)'
  return [
    `kit      ${plain(claims.kit_id)}${says}`,
    `scope    ${plain(claims.scope)}`,
    `issuer   ${plain(claims.issuer)}`,
    `issued   ${plain(claims.issued_at)}`,
    `key      ${signer.kid ?? 'none'}, ${TRUST[signer.trust]}`,
    '',
  ]
}

function checkLine({ guarantee, result, why }: CheckResult, style: Paint): string {
  if (result === 'pass') return `  ${style.good('pass')}     ${guarantee}`
  if (result === 'fail') return `  ${style.bad('FAIL')}     ${guarantee}`
  return `  ${style.faint('not run')}  ${guarantee}${style.faint(`: ${plain(why ?? '')}`)}`
}

function errorLines({ errors }: VerificationReport, style: Paint): readonly string[] {
  if (errors.length === 0) return []
  const shown = errors.slice(0, MAX_ERRORS).map((error) => `  ${style.bad('-')} ${plain(error)}`)
  const left = errors.length - shown.length
  return [...shown, ...(left > 0 ? [`  … and ${left} more; --json lists them all`] : []), '']
}

function verdict({ status, signer, errors }: VerificationReport, style: Paint): string {
  if (status === 'FAIL') {
    const [first] = errors
    const only = errors.length === 1 && first?.startsWith('signer_not_trusted') === true
    return `${style.bad(style.strong('FAIL'))}  ${only ? 'The files are intact, but nothing says that the signer is who it claims to be.' : 'This is not what was issued, or it cannot be shown to be.'}`
  }
  if (signer.trust === 'kit')
    return `${style.good(style.strong('PASS'))}  Integrity only: the files are intact. Who made them was not checked.`
  return `${style.good(style.strong('PASS'))}  This is what was issued, unchanged.`
}
