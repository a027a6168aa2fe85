import { BOUNDARY, type JsonObject, type JsonValue } from '@kitseal/kit'
import type { Examined, FilesToExamine } from './examine-files.ts'
import type { ExaminedFile } from './examined-file.ts'
import type { EvidenceKit } from './kits/evidence-kit.ts'
import type { ItemReport } from './profile/match-profile.ts'
import { escapeInvisible } from './findings.ts'
import { bothPolicies, OPEN_POLICY } from './policy.ts'
import { RULES } from './rules.ts'

/** reports/intake_report.json: what was supplied, required and found. */
export function intakeReport(input: FilesToExamine, examined: Examined): JsonValue {
  const { blockers, findings, files, leftOut, checksums, profile, scanned, kits } = examined
  const filesFrom = countsOf(files, ({ from }) => from)
  return {
    report: 'intake',
    examined_at: input.now,
    outcome: blockers.length === 0 ? 'PASS' : 'FAIL',
    supplied: input.files.map((supplied) => ({
      name: supplied.name,
      size_bytes: supplied.source.sizeBytes,
      ...(supplied.sha256 === undefined ? {} : { sha256: supplied.sha256 }),
      files: filesFrom.get(supplied.name) ?? 0,
    })),
    files_recorded: files.length,
    bytes_recorded: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    left_out: leftOut.map(({ path, sizeBytes }) => ({
      path: escapeInvisible(path),
      size_bytes: sizeBytes,
      reason: 'created by an operating system or office program',
    })),
    checksums: checksums.map(({ list, checked, mismatched, missing, unlisted, notes }) => ({
      list,
      checked,
      mismatched,
      missing,
      unlisted,
      notes,
    })),
    profile: { profile: profile.profile, title: profile.title, items: profile.items.map(itemMembers) },
    rules: Object.keys(RULES).filter((code) => !code.startsWith('more_')),
    limits: {
      entries: input.limits.entries,
      unpacked_bytes: input.limits.unpackedBytes,
      ratio: input.limits.ratio,
      nesting: input.limits.nesting,
    },
    ...(kits.length === 0 ? {} : { kits: kits.map(kitMembers) }),
    virus_scanner: scanned
      ? 'each file was scanned'
      : 'not configured; files were searched for the EICAR test string only',
    blockers: blockers.map(({ code, path, message, remedy }) => ({ code, path, message, remedy })),
    accept: input.accept,
    ...policyMembers(input),
    findings: findings as unknown as JsonValue,
    statement: STATEMENT,
    boundary: BOUNDARY,
  }
}

const STATEMENT =
  'The supplied files were recorded byte for byte. Archives were unpacked, and names converted to Unicode normalization ' +
  'form C. Types were detected from content and name. Dates are taken from file names. The statements in the files were ' +
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

function itemMembers({ item, matched, isMet, missing }: ItemReport): JsonValue {
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
    ...(missing === undefined ? {} : { missing }),
  }
}

/** reports/classification_report.json: the type of each file, and how it was detected. */
export function classificationReport({ files }: Examined): JsonValue {
  return {
    report: 'classification',
    files: files.map(fileMembers),
    types: Object.fromEntries(countsOf(files, ({ type }) => type.id)),
    boundary: BOUNDARY,
  }
}

function fileMembers(file: ExaminedFile): JsonValue {
  return {
    path: file.path,
    type: file.type.id,
    title: file.type.title,
    media_type: file.type.mediaType,
    told_by: file.detectedBy,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    supplied_as: file.displayPath,
    notes: file.notes,
    ...(file.inside === undefined ? {} : { inside: { files: file.inside.files, bytes: file.inside.bytes } }),
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
