/** What a file says about itself: the output of a tool in a format that is known. Nobody checked it. */
export interface RecognisedOutput {
  /** The name of the format, such as `SARIF`. */
  readonly format: string
  readonly tool?: string
  readonly version?: string
  /** What was looked at: an account, a host, an image. */
  readonly target?: string
  /** RFC 3339 if the file says the time zone, else the local time as written. */
  readonly time?: string
  readonly counts: readonly { readonly name: string; readonly count: number }[]
  /** All of it in one line: `Prowler 5.9 · account 123456789012 · 12 Nov 2026 · 412 pass, 9 fail`. */
  readonly summary: string
}

/** Whether the file lists secrets that a scanner found, which it quotes. */
export function isSecretScanner(recognised: RecognisedOutput | undefined): boolean {
  if (recognised === undefined) return false
  if (SECRET_SCANNERS.has(recognised.format)) return true
  return recognised.format === 'Trivy' && recognised.counts.some(({ name }) => name === 'secrets')
}

const SECRET_SCANNERS = new Set(['gitleaks', 'trufflehog', 'GitHub secret scanning alerts'])
