import { writeFileSync } from 'node:fs'
import { helpPages } from './src/help-pages.ts'
import { COMMANDS } from './src/main.ts'
import description from './package.json' with { type: 'json' }

/** `node cli/make-man.ts` writes the man page from the help of the commands. */
export async function manPage(): Promise<string> {
  const pages = await helpPages(COMMANDS)
  return [
    `.TH KITSEAL 1 "" "kitseal ${description.version}"`,
    '.SH NAME',
    'kitseal \\- seal evidence into kits that anyone can check',
    '.SH SYNOPSIS',
    '.B kitseal',
    'COMMAND \\&...',
    '.SH DESCRIPTION',
    'A kit contains evidence files, unchanged, a manifest with their SHA\\-256 hashes, a receipt signed with Ed25519 and a',
    'verifier page. Anyone can verify it offline. The result is PASS or FAIL.',
    '.PP',
    'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.',
    '.SH COMMANDS',
    ...pages.map(({ command, text }) => `.SS kitseal ${command}\n.nf\n${roff(text.trimEnd())}\n.fi`),
    '.SH EXIT STATUS',
    '.TP',
    '0',
    'success, or PASS',
    '.TP',
    '1',
    'FAIL',
    '.TP',
    '2',
    'wrong usage, or unreadable input',
    '.TP',
    '3',
    'the files of a kit are intact, but its sender is not confirmed',
    '.TP',
    '4',
    'the service refused the call',
    '',
  ].join('\n')
}

function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '\\&...')
    .replaceAll(/^(?=[.'])/gm, '\\&')
}

if (import.meta.main) writeFileSync(new URL('./man/kitseal.1', import.meta.url), await manPage())
