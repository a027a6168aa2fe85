import { writeFileSync } from 'node:fs'
import { helpPages } from './src/help-tree.ts'
import description from './package.json' with { type: 'json' }

/** `node cli/make-man.ts`: the man page, made from the commands' own help. */
export async function manPage(): Promise<string> {
  const pages = await helpPages()
  return [
    `.TH KITSEAL 1 "" "kitseal ${description.version}"`,
    '.SH NAME',
    'kitseal \\- seal evidence into kits that anyone can check',
    '.SH SYNOPSIS',
    '.B kitseal',
    'COMMAND \\&...',
    '.SH DESCRIPTION',
    'A kit holds evidence byte for byte, a manifest of SHA\\-256 hashes, a receipt signed with Ed25519, and the means to',
    'check it all offline. Verification fails closed: PASS or FAIL.',
    '.PP',
    'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.',
    '.SH COMMANDS',
    ...pages.map(({ words, text }) => `.SS kitseal ${words}\n.nf\n${roff(text.trimEnd())}\n.fi`),
    '.SH EXIT STATUS',
    '.TP',
    '0',
    'done, or PASS',
    '.TP',
    '1',
    'FAIL, or refused',
    '.TP',
    '2',
    'wrong usage, or input that cannot be read',
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
