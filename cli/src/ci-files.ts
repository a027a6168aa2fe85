import { appendFileSync } from 'node:fs'
import type { Submission } from '@kitseal/client'
import {
  BOUNDARY,
  groupBy,
  keyText,
  parseReceipt,
  type VerificationReport,
  verdictAdvice,
  verdictHeading,
} from '@kitseal/kit/internal'
import { openKit } from '@kitseal/kit/node'
import { orInputError } from './input-error.ts'
import { readDocument } from './read-documents.ts'
import { printable } from './terminal.ts'

/** Files of a CI job that results are appended to. */
export interface CiFiles {
  /** Markdown, such as GITHUB_STEP_SUMMARY. */
  readonly summary?: string | undefined
  /** NAME=VALUE lines, such as GITHUB_OUTPUT or a dotenv report of GitLab. */
  readonly outputs?: string | undefined
}

export interface CiResult {
  readonly submission: Submission
  readonly report?: VerificationReport | undefined
  /** The saved kit. */
  readonly path?: string | undefined
}

export async function writeCiFiles({ summary, outputs }: CiFiles, result: CiResult): Promise<void> {
  if (outputs !== undefined) append(outputs, await outputLines(result))
  if (summary !== undefined) append(summary, summaryLines(result))
}

function append(path: string, lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\n`).join('')
  orInputError(`cannot write ${path}`, () => appendFileSync(path, text))
}

async function outputLines({ submission, report, path }: CiResult): Promise<readonly string[]> {
  const values = {
    status: report?.status ?? submission.status,
    verdict: report?.verdict ?? '',
    key_from: report === undefined ? '' : keyText(report.signer),
    submission_id: submission.submission_id,
    kit_id: submission.kit_id ?? '',
    kit_path: path ?? '',
    receipt_sha256: path === undefined ? '' : await receiptSha256(path),
  }
  return Object.entries(values).map(([name, value]) => `${name}=${printable(value)}`)
}

async function receiptSha256(path: string): Promise<string> {
  using kit = await openKit(path)
  return (await readDocument(kit, 'receipt', parseReceipt)).canonical_receipt_sha256
}

/** Name, findings, kit and how it was verified; then every blocker. */
function summaryLines({ submission, report, path }: CiResult): readonly string[] {
  const { label, submission_id: id, kit_id: kitId, blockers } = submission
  const rows = {
    Name: markdown(label),
    Findings: findingsText(submission.findings),
    Kit:
      report === undefined
        ? 'none was issued'
        : `${markdown(kitId ?? '')}${path === undefined ? ', not saved' : `, saved as ${markdown(path)}`}`,
    Verified:
      report === undefined
        ? 'nothing to verify'
        : `**${verdictHeading(report)}** ${markdown(verdictAdvice(report))}`,
    Submission: markdown(id),
  }
  return [
    `### kitseal: ${report?.status ?? submission.status}, ${markdown(label)}`,
    '',
    '| | |',
    '| --- | --- |',
    ...Object.entries(rows).map(([name, text]) => `| ${name} | ${text} |`),
    '',
    ...(report === undefined ? blockerLines(blockers) : []),
    BOUNDARY,
  ]
}

/** Equal codes once, with their number and their first file. */
function findingsText(findings: Submission['findings'] | undefined = []): string {
  const byCode = [...groupBy(findings, ({ code }) => code)]
  const texts = byCode.map(([code, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    return `${markdown(code)} (${first?.class}): ${markdown(first?.path ?? 'all files')}${more}`
  })
  return texts.length === 0 ? 'none' : texts.join('<br>')
}

/** GitHub shows at most 1 MiB. */
const MAX_BLOCKERS = 200

function blockerLines(blockers: Submission['blockers']): readonly string[] {
  const shown = blockers.slice(0, MAX_BLOCKERS)
  const more = blockers.length - shown.length
  return [
    '| code | file | problem | fix |',
    '| --- | --- | --- | --- |',
    ...shown.map(
      ({ code, path: file, message, remedy }) =>
        `| ${[code, file ?? '(all files)', message, remedy].map(markdown).join(' | ')} |`,
    ),
    ...(more === 0 ? [] : ['', `And ${more} more: see the log of the job.`]),
    '',
  ]
}

/** Text from evidence must not become Markdown or HTML. */
function markdown(text: string): string {
  return printable(text).replaceAll(/[\\`*_{}[\]<>()#!|&~]/g, (character) => `&#${character.charCodeAt(0)};`)
}
