import type { RecognisedOutput } from '@kitseal/kit'

export type { RecognisedOutput } from '@kitseal/kit'

/** Whether the file lists secrets that a scanner found, which it quotes. */
export function isSecretScanner(recognised: RecognisedOutput | undefined): boolean {
  if (recognised === undefined) return false
  if (SECRET_SCANNERS.has(recognised.format)) return true
  return recognised.format === 'Trivy' && recognised.counts.some(({ name }) => name === 'secrets')
}

const SECRET_SCANNERS = new Set(['gitleaks', 'trufflehog', 'GitHub secret scanning alerts'])
