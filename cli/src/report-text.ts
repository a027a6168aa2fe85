import {
  type CheckResult,
  type Claims,
  describeProvenance,
  english,
  type Origin,
  keyText,
  nameBasis,
  type ProvenanceGroup,
  type Supplier,
  type VerificationReport,
  verdictAdvice,
  verdictHeading,
  VERDICTS,
} from '@kitseal/kit/internal'
import { colors, type Colors, firstLines, printable, type Terminal } from './terminal.ts'

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
    ...provenanceLines(report, claims, style),
    ...errorLines(report, style),
    ...verdictLines(report, style),
    style.faint(report.boundary),
  ]
}

function claimLines(
  { status, signer, log, time, checks }: VerificationReport,
  claims: Claims | undefined,
): readonly string[] {
  if (claims === undefined) return []
  const note = checks.find(({ check, result }) => check === 'key_was_alive' && result === 'pass')?.why
  const says = status === 'PASS' ? '' : '   (claimed, not proved)'
  return [
    `kit      ${printable(claims.kit_id)}${says}`,
    `name     ${printable(claims.scope)}`,
    `issuer   ${printable(claims.issuer)}${status === 'PASS' ? '' : ', named in the kit'}`,
    ...originLines(claims, claims.issuer, status === 'PASS'),
    `issued   ${printable(claims.issued_at)}`,
    `key      ${signer.kid ?? 'none'}, ${printable(keyText(signer))}`,
    ...(log === undefined ? [] : [`log      ${printable(log.text)}`]),
    ...(time === undefined ? [] : [`time     ${printable(time.text)}`]),
    ...(note === undefined ? [] : [`note     ${printable(note)}`]),
    '',
  ]
}

/** Who supplied the evidence, and who asked for it. */
export function originLines(origin: Origin, issuer: string, isVerified: boolean): readonly string[] {
  const { supplier, requested_by: requester, anonymous } = origin
  if (anonymous === true) return [`caller   ${english('kit.anonymous')}`]
  const named = (workspace: Supplier): string =>
    printable(`${workspace.name}, ${nameBasis(workspace, issuer, isVerified)}`)
  if (requester === undefined) return supplier === null ? [] : [`supplier ${named(supplier)}`]
  return [
    `supplier ${supplier === null ? english('kit.byLink') : named(supplier)}`,
    `asked by ${named(requester)}`,
  ]
}

export function checkLine({ guarantee, result, why }: CheckResult, style: Colors): string {
  const reason = why === undefined ? '' : style.faint(`: ${printable(why)}`)
  if (result === 'pass') return `  ${style.good('pass')}     ${guarantee}${reason}`
  if (result === 'fail') return `  ${style.bad('FAIL')}     ${guarantee}`
  return `  ${style.faint('not run')}  ${guarantee}${reason}`
}

export function errorLines({ errors }: Pick<VerificationReport, 'errors'>, style: Colors): readonly string[] {
  return errors.length === 0
    ? []
    : [...firstLines(errors, (error) => `  ${style.bad('-')} ${printable(error)}`), '']
}

/** Where the evidence came from. What is verified and what is stated differ in heading and mark. */
function provenanceLines(
  { provenance }: VerificationReport,
  claims: Claims | undefined,
  style: Colors,
): readonly string[] {
  if (provenance === undefined || claims === undefined) return []
  const { entries, problem, confirmed } = provenance
  if (problem !== null) return [`Provenance is not shown: ${printable(problem)}`, '']
  return describeProvenance(entries, claims.issuer, confirmed).flatMap((group) => groupLines(group, style))
}

function groupLines({ heading, mark, lines }: ProvenanceGroup, style: Colors): readonly string[] {
  const shown = firstLines(
    lines,
    ({ files, text }) => `  ${mark} ${printable(text)} ${style.faint(`(${printable(files)})`)}`,
  )
  return [printable(heading), ...shown, '']
}

const STYLES = { green: 'good', amber: 'warn', red: 'bad' } as const

const verdictLines = (report: VerificationReport, style: Colors): readonly string[] => [
  `${style.strong(statusWord(report, style))}  ${verdictHeading(report)}`,
  printable(verdictAdvice(report)),
]

/** PASS or FAIL in the colour of the verdict. */
export const statusWord = ({ verdict, status }: VerificationReport, style: Colors): string =>
  style[STYLES[VERDICTS[verdict].colour]](status)
