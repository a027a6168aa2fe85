import { BOUNDARY, type JsonObject, type JsonValue } from '@kitseal/kit/internal'
import type { Examined, FilesToExamine } from './examine-files.ts'
import type { ExaminedFile } from './examined-file.ts'
import type { EvidenceKit } from './examine-context.ts'
import type { ItemReport } from './profile/match-profile.ts'
import { escapeInvisible } from './findings.ts'
import { bothPolicies, OPEN_POLICY } from './policy.ts'
import { RULES } from './rules.ts'

/** reports/intake_report.json: what was supplied, required and found. */
export function intakeReport(input: FilesToExamine, examined: Examined): JsonValue {
  const { blockers, findings, files, leftOut, checksums, profile, scanned, kits } = examined
  const filesFrom = countsOf(files, ({ from }) => from)
  // Members are in canonical order, which is faster to serialize.
  return {
    accept: input.accept,
    blockers: blockers.map(({ args, code, path, message, remedy }) => ({
      args: args as JsonValue,
      code,
      message,
      path,
      remedy,
    })),
    boundary: BOUNDARY,
    bytes_recorded: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    checksums: checksums.map(({ list, checked, mismatched, missing, unlisted, notes }) => ({
      checked,
      list,
      mismatched,
      missing,
      notes,
      unlisted,
    })),
    examined_at: input.now,
    files_recorded: files.length,
    findings: findings as unknown as JsonValue,
    ...(kits.length === 0 ? {} : { kits: kits.map(kitMembers) }),
    left_out: leftOut.map(({ path, sizeBytes }) => ({
      path: escapeInvisible(path),
      reason: 'created by an operating system or office program',
      size_bytes: sizeBytes,
    })),
    limits: {
      entries: input.limits.entries,
      nesting: input.limits.nesting,
      ratio: input.limits.ratio,
      unpacked_bytes: input.limits.unpackedBytes,
    },
    outcome: blockers.length === 0 ? 'PASS' : 'FAIL',
    ...policyMembers(input),
    profile: { items: profile.items.map(itemMembers), profile: profile.profile, title: profile.title },
    report: 'intake',
    rules: RULE_CODES,
    statement: STATEMENT,
    supplied: input.files.map((supplied) => ({
      files: filesFrom.get(supplied.name) ?? 0,
      name: supplied.name,
      ...(supplied.sha256 === undefined ? {} : { sha256: supplied.sha256 }),
      size_bytes: supplied.source.sizeBytes,
    })),
    virus_scanner: scanned
      ? 'each file was scanned'
      : 'not configured; files were searched for the EICAR test string only',
  }
}

const RULE_CODES = Object.keys(RULES).filter((code) => !code.startsWith('more_'))

const STATEMENT =
  'The supplied files were recorded byte for byte. Archives were unpacked, and names converted to Unicode normalization ' +
  'form C. Types were detected from content and name. Dates are those that the supplier stated, or else from file names. The statements in the files were ' +
  'neither verified nor endorsed.'

/** Only if a plan or profile asks for more than the rules. */
function policyMembers({ policy = OPEN_POLICY, profile }: FilesToExamine): JsonObject {
  const { evidence, classes } = bothPolicies(policy, profile.policy ?? OPEN_POLICY)
  if (evidence === 'open' && Object.keys(classes).length === 0) return {}
  return { policy: { evidence_policy: evidence, finding_classes: { ...classes } } }
}

function kitMembers({ path, kitId, issuer, issuedAt, verdict }: EvidenceKit): JsonValue {
  return {
    path: escapeInvisible(path),
    kit_id: kitId ?? null,
    issuer: issuer ?? null,
    issued_at: issuedAt ?? null,
    verdict,
  }
}

function itemMembers({ item, matched, suggested, isMet, missing }: ItemReport): JsonValue {
  return {
    id: item.id,
    title: item.title,
    paths: item.paths,
    types: item.types,
    min_files: item.minFiles,
    ...(item.maxAgeDays === undefined ? {} : { max_age_days: item.maxAgeDays }),
    met: isMet,
    matched: matched.map(({ path, statedDate }) => ({
      path,
      ...(statedDate === undefined ? {} : { stated_date: statedDate }),
    })),
    suggested: suggested.map((name) => `data/${name}`),
    ...(missing === undefined ? {} : { missing }),
  }
}

/** reports/classification_report.json: the type of each file, and how it was detected. */
export function classificationReport({ files }: Examined): JsonValue {
  return {
    boundary: BOUNDARY,
    files: files.map(fileMembers),
    report: 'classification',
    types: Object.fromEntries(countsOf(files, ({ type }) => type.id)),
  }
}

function fileMembers(file: ExaminedFile): JsonValue {
  return {
    ...(file.inside === undefined ? {} : { inside: { bytes: file.inside.bytes, files: file.inside.files } }),
    media_type: file.type.mediaType,
    notes: file.notes,
    path: file.path,
    sha256: file.sha256,
    size_bytes: file.sizeBytes,
    supplied_as: file.displayPath,
    title: file.type.title,
    told_by: file.detectedBy,
    type: file.type.id,
  }
}

function countsOf(
  files: readonly ExaminedFile[],
  nameOf: (file: ExaminedFile) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const file of files) {
    const name = nameOf(file)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
