import { existsSync } from 'node:fs'
import path from 'node:path'

/** Programs that a test may use and a machine need not have, with the Debian package of each. */
export const PACKAGES = {
  '7z': 'p7zip-full',
  curl: 'curl',
  'g++': 'g++',
  jar: 'default-jdk-headless',
  jq: 'jq',
  openssl: 'openssl',
  pdfinfo: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pg_dump: 'postgresql',
  promtool: 'prometheus',
  psql: 'postgresql',
  python3: 'python3',
  qpdf: 'qpdf',
  'softhsm2-util': 'softhsm2',
  'ssh-keygen': 'openssh-client',
  strace: 'strace',
  unzip: 'unzip',
  zip: 'zip',
  zsh: 'zsh',
} as const

export type Tool = keyof typeof PACKAGES

/** The option of a test that uses these programs: it is skipped if one is missing. */
export function needs(...tools: readonly Tool[]): { readonly skip: string | false } {
  const missing = tools.filter((tool) => !isInstalled(tool))
  const reasons = missing.map((tool) => `${tool} is not installed (Debian package: ${PACKAGES[tool]})`)
  return { skip: reasons.length > 0 && reasons.join(', ') }
}

const isInstalled = (tool: Tool): boolean =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => folder !== '' && existsSync(path.join(folder, tool)))
