import { readFileSync } from 'node:fs'
import { type Certificate, parseCertificates } from '@kitseal/kit/internal'
import type { ProofConfig } from '../settings/config.ts'
import type { TimeStampAuthorities } from './ask-authorities.ts'

/** The file that KITSEAL_TSA_ROOTS names cannot be used. */
export class TimeStampRootsError extends Error {
  override readonly name = 'TimeStampRootsError'

  constructor(file: string, problem: string) {
    super(`the certificates in ${file} (KITSEAL_TSA_ROOTS) cannot be used: ${problem}`)
  }
}

/** Undefined if none are configured. Throws TimeStampRootsError. */
export function readAuthorities({
  authorities: urls,
  authorityRoots: file,
}: Pick<ProofConfig, 'authorities' | 'authorityRoots'>): TimeStampAuthorities | undefined {
  if (urls.length === 0) return undefined
  return { urls, roots: file === undefined ? undefined : readRoots(file) }
}

function readRoots(file: string): readonly Certificate[] {
  try {
    return parseCertificates(readFileSync(file))
  } catch (error) {
    throw new TimeStampRootsError(file, (error as Error).message)
  }
}
