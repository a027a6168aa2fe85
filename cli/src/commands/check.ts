import { existsSync } from 'node:fs'
import {
  BOUNDARY,
  comparePaths,
  formatBytes,
  NO_TRUST,
  type SubmissionProvenance,
  type Trust,
} from '@kitseal/kit/internal'
import { nodeHost, readSmallFile } from '@kitseal/kit/internal/node'
import type * as EvidenceRules from '@kitseal/examiner/node'
import { suggestion } from '../arguments.ts'
import { command } from '../command-line.ts'
import {
  type Blocker,
  blockerTable,
  acceptHint,
  type Finding,
  isBlocking,
  noticeLines,
  recognisedLines,
} from '../findings-text.ts'
import {
  findEvidence,
  type GatheredFile,
  type Unpackable,
  withOwnPaths,
  knownPlanLimit,
  tooLarge,
  totalBytes,
} from '../gather-evidence.ts'
import { readOrFail, InputError } from '../input-error.ts'
import { readProvenance, confirmed, confirmProblems } from '../submission-attributes.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { readTrustedKeys } from '../trust-store.ts'
import { pluralize, EXIT, colors, type Terminal } from '../terminal.ts'
import { transferProgress } from '../progress.ts'

const HELP = `usage: kitseal check PATH… [OPTIONS]

Checks evidence on this machine before you upload it, and lists every finding. The service runs the same checks; it may also
have a virus scanner. If you are logged in, the service is asked for the limits of your plan. A path is a file, a ZIP or a folder.

Kits among the evidence are verified with the keys that you pinned with "kitseal trust add".

Dangers block the submission. Damage blocks it unless you accept it. Notices never do.

OPTIONS

examples:
  kitseal check report.pdf access-review.xlsx
  kitseal check evidence --profile access-review

exit codes: 0 no blockers; 1 blockers; 2 wrong usage or unreadable input`

/** `kitseal check`. */
export const run = command('check', HELP, {
  options: {
    profile: 'NAME|FILE  check against a profile: the name of a built-in one, or a file',
    accept: 'CODE…  accept damage or a possible secret by its code, such as malformed_pdf; can be repeated',
    confirm:
      'ITEM=PATH…  say that a file is for an item of the profile; a name that matches only suggests it; can be repeated',
    provenance: 'FILE  where the evidence came from, as for "kitseal submit"; its dates count for a profile',
  },
  read: ({ positionals, value, values, reject }) => {
    reject(
      positionals.length === 0 && 'no files given. Pass files, folders or a ZIP',
      ...confirmProblems(values('confirm')),
    )
    return async (terminal) => {
      const files = await findEvidence(positionals, terminal)
      const provenance = await readProvenance(value('provenance'))
      const trust = { ...NO_TRUST, ...(await readTrustedKeys([], [], terminal)) }
      const { findings, recognised } = await check(
        files,
        value('profile'),
        { accept: values('accept'), confirmed: confirmed(values('confirm')), provenance },
        trust,
        { planBytes: await knownPlanLimit(terminal), terminal },
      )
      const blockers = findings.filter(isBlocking).map(asBlocker)
      const isPass = blockers.length === 0
      return {
        json: { status: isPass ? 'PASS' : 'FAIL', blockers, findings, recognised },
        out: [...recognisedLines(recognised, terminal), ...resultText(files, findings, terminal)],
        exitCode: isPass ? EXIT.ok : EXIT.fail,
      }
    }
  },
})

/** Every finding that the service would report about these files, and what they say about themselves. */
export async function check(
  files: readonly GatheredFile[],
  profileName: string | undefined,
  statements: {
    readonly accept: readonly string[]
    readonly confirmed: ReturnType<typeof confirmed>
    readonly provenance: SubmissionProvenance | undefined
  },
  trust: Trust,
  // The limit is that of the default plan, if that of the user's is not known.
  { planBytes, terminal }: { readonly planBytes?: number | undefined; readonly terminal?: Terminal } = {},
) {
  // Loaded here because the parsers are large.
  const evidence = await import('@kitseal/examiner/node')
  const profile = profileName === undefined ? undefined : await readProfile(profileName, evidence)
  rejectAccept(statements.accept, evidence)
  using scratch = scratchFolder()
  const progress = terminal && transferProgress(terminal, 'checking')
  const counted = countReads(totalBytes(files), progress?.of)
  const opened = files.map((file) => ({ name: file.name, source: counted(file.open()) }))
  const threads = files.map(({ onDisk = [] }) => evidence.startReadingAhead(onDisk))
  try {
    const platform = { host: nodeHost, store: scratch.store }
    const order = {
      files: opened.map((file, at) => ({ ...file, readAhead: threads[at]?.facts })),
      now: new Date().toISOString(),
      ...statements,
      trust,
      ...(profile === undefined ? {} : { profile }),
    }
    const { findings, recognised } = await evidence.checkFiles(platform, order)
    const unpackable = files
      .flatMap((file) => file.unpackable ?? [])
      .map(({ is, path, finding }) => evidence.findingRecord(path, finding ?? UNPACKABLE[is]))
    const all = [
      ...sizeFindings(
        planBytes === undefined
          ? tooLarge(files, evidence.DEFAULT_UPLOAD_BYTES, 'The default plan allows')
          : tooLarge(files, planBytes),
      ),
      ...withOwnPaths(findings, files),
      ...unpackable,
    ]
    return {
      findings: all.toSorted((a, b) => orderOf(a) - orderOf(b) || comparePaths(pathOf(a), pathOf(b))),
      recognised: withOwnPaths(recognised, files),
    }
  } finally {
    progress?.clear()
    for (const { source } of opened) source[Symbol.dispose]()
    for (const thread of threads) thread?.[Symbol.dispose]()
  }
}

/** Reports how far the sources were read, in all. */
function countReads(allBytes: number, onProgress: (done: number, all: number) => void = () => undefined) {
  let done = 0
  return (source: ReturnType<GatheredFile['open']>): typeof source => {
    let end = 0
    return {
      ...source,
      read: (offset, length) => {
        done += Math.max(0, offset + length - end)
        end = Math.max(end, offset + length)
        onProgress(Math.min(done, allBytes), allBytes)
        return source.read(offset, length)
      },
    }
  }
}

/** Those that block come first, secrets before others. The one that says how many are not listed comes last. */
const orderOf = (finding: Finding): number =>
  (isBlocking(finding) ? 0 : 3) +
  Number(finding.class !== 'secret') +
  Number(finding.code.startsWith('more_'))
const pathOf = ({ path }: Finding): string => path ?? ''

const asBlocker = ({ class: _class, acknowledged: _acknowledged, ...blocker }: Finding): Blocker => blocker

function rejectAccept(codes: readonly string[], { acceptProblem }: typeof EvidenceRules): void {
  const problem = codes.map((code) => acceptProblem(code)).find((one) => one !== undefined)
  if (problem !== undefined) throw new InputError(`--accept: ${problem}`)
}

/** The upload size limit, which the service applies before it checks anything. */
function sizeFindings(message: string | undefined): readonly Finding[] {
  if (message === undefined) return []
  const remedy =
    'Compress it as a ZIP, split it into several submissions, or ask the operator for a larger plan.'
  return [{ code: 'upload_too_large', class: 'danger', path: null, message, remedy, acknowledged: false }]
}

/** The finding that the service reports for such an entry in a ZIP. */
const UNPACKABLE: Readonly<Record<Unpackable['is'], EvidenceRules.Finding>> = {
  link: { code: 'link' },
  special: { code: 'special_file' },
  not_utf8: { code: 'name_not_unicode', detail: 'a name that is not UTF-8' },
  name: { code: 'name_forbidden' },
}

async function readProfile(name: string, rules: typeof EvidenceRules): Promise<EvidenceRules.Profile> {
  const builtIn = rules.loadProfiles()
  const known = builtIn.get(name)
  if (known !== undefined) return known
  const names = [...builtIn.keys()]
  if (!existsSync(name)) {
    const hint = suggestion(name, names) || `. Available: ${names.join(', ')}`
    throw new InputError(`no profile ${JSON.stringify(name)}${hint}`)
  }
  const parsed = rules.parseProfile(
    await readOrFail(`the profile ${name}`, () => readSmallFile(name, { what: 'a profile', limitMiB: 1 })),
  )
  if (parsed.ok) return parsed.value
  throw new InputError(`${name} is not a valid profile: ${parsed.problems.join('; ')}`)
}

/** The findings, and whether the files can be submitted. */
export function resultText(
  files: readonly GatheredFile[],
  findings: readonly Finding[],
  terminal: Terminal,
): readonly string[] {
  const style = colors(terminal)
  const count = files.reduce((sum, { packedFiles = 1 }) => sum + packedFiles, 0)
  const size = formatBytes(files.reduce((sum, file) => sum + (file.contentBytes ?? file.sizeBytes), 0))
  const what = `${pluralize(count, 'file')}, ${size}`
  const blockers = findings.filter(isBlocking)
  if (blockers.length === 0)
    return [
      ...noticeLines(findings, terminal),
      `${style.good(style.strong('Ready to submit'))}  ${what}. ${noticesText(findings.length)}`,
      style.faint(NOTHING_UPLOADED),
    ]
  return [
    ...blockerTable(blockers, terminal),
    '',
    ...noticeLines(findings, terminal),
    `${style.bad(style.strong('Needs changes'))}  ${what}. ${pluralize(blockers.length, 'blocker')}: the service would not issue a kit.`,
    ...acceptHint(findings),
    style.faint(NOTHING_UPLOADED),
  ]
}

const noticesText = (count: number): string =>
  count === 0 ? 'No problems found.' : `No blockers, ${pluralize(count, 'other finding')}.`

const NOTHING_UPLOADED = `Nothing was uploaded. ${BOUNDARY}`
