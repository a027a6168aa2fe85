import type { VerificationReport } from '../src/report.ts'
import { counted } from './elements.ts'

/** How the verdict is shown: a kit whose signer was not looked at must never look like one that passed in full. */
export interface Verdict {
  readonly tone: 'pass' | 'fail' | 'integrity'
  readonly word: 'PASS' | 'FAIL'
  readonly qualifier?: string
  readonly sentence: string
}

export function verdictOf(report: VerificationReport): Verdict {
  const { status: word, signer } = report
  if (word === 'PASS' && signer.trust !== 'kit' && signer.trust !== 'none') {
    return {
      tone: 'pass',
      word,
      sentence: 'Every check held. The kit is byte for byte what the owner of the trusted key issued.',
    }
  }
  if (word === 'PASS') {
    return {
      tone: 'integrity',
      word,
      qualifier: 'INTEGRITY ONLY: the signer was not checked',
      sentence:
        'The files are intact under the key that came with the kit. Anyone can make such a key, so this says nothing about who made the kit.',
    }
  }
  return { tone: 'fail', word, sentence: failSentence(report) }
}

function failSentence(report: VerificationReport): string {
  if (onlyTrustIsMissing(report))
    return 'No fault was found in the files, but you have not said whose key you trust, so the signature could not be checked.'
  const failed = report.checks.filter(({ result }) => result === 'fail').length
  const notRun = report.checks.filter(({ result }) => result === 'not_run').length
  const rest = notRun > 0 ? `, ${counted(notRun, 'check')} could not be run` : ''
  return `${counted(failed, 'check')} failed${rest}. Do not rely on this kit.`
}

function onlyTrustIsMissing(report: VerificationReport): boolean {
  return report.errors.length > 0 && report.errors.every((error) => codeOf(error) === 'signer_not_trusted')
}

export const codeOf = (error: string): string => error.split(':', 1)[0] ?? ''

export interface Advice {
  readonly title: string
  readonly steps: readonly string[]
}

/** What to do next, in plain words, where there is something to do. */
export function adviceFor(report: VerificationReport, kind: 'zip' | 'folder'): Advice | undefined {
  const codes = new Set(report.errors.map(codeOf))
  if (report.signer.trust === 'kit') return INTEGRITY_ONLY
  if (onlyTrustIsMissing(report)) return NO_ANCHOR
  if (codes.has('key_id_mismatch') || codes.has('key_not_in_jwks')) return OTHER_KEY
  if (kind === 'folder' && codes.has('artifact_unlisted')) return ADDED_TO_FOLDER
  return undefined
}

const NO_ANCHOR: Advice = {
  title: 'Say whose key you trust',
  steps: [
    'Get the issuer’s key ID, or its jwks.json, from the issuer itself and not from this kit: by phone, from a contract, or from the address where it publishes its keys (/.well-known/jwks.json).',
    'Compare it with the key ID above. If they differ, the kit was not signed by that issuer.',
    'Give what the issuer gave you in step 2 of this page, and verify again.',
  ],
}

const OTHER_KEY: Advice = {
  title: 'The kit names another key than the one you gave',
  steps: [
    'Check that you gave the key ID or the key set of the issuer that the receipt names.',
    'Issuers change keys: ask for the current key set, which also holds the retired keys.',
    'If the issuer does not know the key ID above, the kit is not from that issuer.',
  ],
}

const ADDED_TO_FOLDER: Advice = {
  title: 'Files were added to the folder',
  steps: [
    'Some systems add files such as .DS_Store, Thumbs.db or desktop.ini when a folder is opened.',
    'If you have the kit.zip, verify that instead: it is the kit as it was issued.',
  ],
}

const INTEGRITY_ONLY: Advice = {
  title: 'The signer was not checked',
  steps: [
    'To learn who made the kit, untick “integrity only”, give the issuer’s key ID or jwks.json, and verify again.',
  ],
}
