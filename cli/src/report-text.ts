import type { CheckResult, VerificationReport } from '@kitseal/kit'
import type { Claims } from './claims.ts'
import { colors, type Colors, printable, type Terminal } from './terminal.ts'

const MAX_ERRORS = 20

const TRUST: Readonly<Record<VerificationReport['signer']['trust'], string>> = {
  pinned: 'pinned by you',
  jwks: 'from the key set you gave',
  kit: 'from the kit itself: INTEGRITY ONLY, anyone could have made this key',
  none: 'not trusted',
}

/** A verification report as text: receipt, checks, verdict. */
export function reportText(
  report: VerificationReport,
  claims: Claims | undefined,
  terminal: Terminal,
): readonly string[] {
  const style = colors(terminal)
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
  const says = status === 'PASS' ? '' : '   (unverified: as stated in the receipt)'
  return [
    `kit      ${printable(claims.kit_id)}${says}`,
    `scope    ${printable(claims.scope)}`,
    `issuer   ${printable(claims.issuer)}`,
    `issued   ${printable(claims.issued_at)}`,
    `key      ${signer.kid ?? 'none'}, ${TRUST[signer.trust]}`,
    '',
  ]
}

function checkLine({ guarantee, result, why }: CheckResult, style: Colors): string {
  if (result === 'pass') return `  ${style.good('pass')}     ${guarantee}`
  if (result === 'fail') return `  ${style.bad('FAIL')}     ${guarantee}`
  return `  ${style.faint('not run')}  ${guarantee}${style.faint(`: ${printable(why ?? '')}`)}`
}

function errorLines({ errors }: VerificationReport, style: Colors): readonly string[] {
  if (errors.length === 0) return []
  const shown = errors.slice(0, MAX_ERRORS).map((error) => `  ${style.bad('-')} ${printable(error)}`)
  const left = errors.length - shown.length
  return [...shown, ...(left > 0 ? [`  … and ${left} more. Use --json to list all.`] : []), '']
}

function verdict({ status, signer, errors }: VerificationReport, style: Colors): string {
  if (status === 'FAIL') {
    const [first] = errors
    const only = errors.length === 1 && first?.startsWith('signer_not_trusted') === true
    return `${style.bad(style.strong('FAIL'))}  ${only ? 'The files are intact, but the signer is not trusted.' : 'The kit was altered or cannot be verified.'}`
  }
  if (signer.trust === 'kit')
    return `${style.good(style.strong('PASS'))}  Integrity only: the files are intact, but the signer was not checked.`
  return `${style.good(style.strong('PASS'))}  Unchanged since it was issued.`
}
