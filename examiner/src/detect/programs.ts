import { hex } from '@kitseal/kit/internal'
import type { Finding } from '../rules.ts'
import { shellEndingOf } from './file-endings.ts'
import { utf16Encoding, utf8MarkBytes } from './text-encoding.ts'

/** Signatures in hex. */
const PROGRAMS: readonly (readonly [signature: string, title: string])[] = [
  ['7f454c46', 'a Linux program (ELF)'],
  ['feedface', 'a macOS program (Mach-O)'],
  ['feedfacf', 'a macOS program (Mach-O)'],
  ['cefaedfe', 'a macOS program (Mach-O)'],
  ['cffaedfe', 'a macOS program (Mach-O)'],
  ['cafebabe', 'a Java class or a macOS program'],
  ['6465780a30', 'an Android program (DEX)'],
  ['0061736d', 'a WebAssembly module'],
  ['4c0000000114020000000000c000000000000046', 'a Windows shortcut (LNK)'],
  ['1b4c7561', 'compiled Lua'],
  ['4243c0de', 'LLVM bitcode'],
  ['4954534603000000', 'a Windows help file that can run scripts (CHM)'],
  ['4954534602000000', 'a Windows help file that can run scripts (CHM)'],
  ['213c617263683e0a64656269616e', 'a Debian package'],
  ['edabeedb', 'an RPM package'],
]

const FIRST_BYTES = new Set(PROGRAMS.map(([signature]) => Number.parseInt(signature.slice(0, 2), 16)))

/** Names the kind of program that the content is, if it is one. */
export function programIn(file: Uint8Array): string | undefined {
  const head = file.subarray(blankBytes(file))
  if (head[0] === 0x4d && head[1] === 0x5a && isWindowsProgram(head)) return 'a Windows program (EXE, DLL)'
  if (!FIRST_BYTES.has(head[0] ?? 0)) return undefined
  const start = hex(head.subarray(0, 24))
  return PROGRAMS.find(([signature]) => start.startsWith(signature))?.[1]
}

const MAX_BLANK_BYTES = 64

/** A byte order mark and white space before a program, which hide it. */
function blankBytes(head: Uint8Array): number {
  let at = utf8MarkBytes(head)
  while (at < MAX_BLANK_BYTES && BLANK.has(head[at] ?? 0)) at++
  return at
}

const BLANK = new Set([9, 10, 13, 32])

export function isProgram(head: Uint8Array): boolean {
  return programIn(head) !== undefined
}

/** Text can start with "MZ" as well; in a program, binary fields follow. */
function isWindowsProgram(head: Uint8Array): boolean {
  return head.subarray(2, 64).some((byte) => byte < 9)
}

const SCRIPTS: readonly (readonly [start: RegExp, why: string])[] = [
  [/^<\?php\b/i, 'it starts like PHP'],
  [/^#@~\^/, 'it is an encoded script'],
  [/^(?:Windows Registry Editor Version 5|REGEDIT4)/, 'it changes the Windows registry'],
  [/^WEB\s+1\s+(?:https?|ftp|file):/i, 'it is a web query, which Excel runs'],
  [/^XLODBC\s/i, 'it is a database query, which Excel runs'],
  [/^(?:\[[^\]\n]{0,200}\][^[]*){0,5}?\[(?:Desktop Entry|InternetShortcut)\]/i, 'it is a shortcut'],
  [/^\[Shell\]\s+Command=/i, 'it is a command of the Windows shell'],
  [/^\[oledb\]/i, 'it opens a database'],
  [
    /^(?:[\w ]+:[isb]:[^\n]*\n){0,40}(?:full address|alternate full address|remoteapplicationprogram|screen mode id|drivestoredirect):[isb]:/i,
    'it opens a connection to another computer (RDP)',
  ],
  [/^(?:<[^>]{0,200}>\s*){0,5}<HTA:APPLICATION\b/i, 'it is an HTML application'],
  [/^(?:<[^>]{0,200}>\s*){0,5}<PCSettings>/i, 'it is a shortcut to Windows settings'],
]

/** XML that programs of the system open and act upon, by its root or by two marks. */
const XML_SCRIPTS: readonly (readonly [mark: RegExp, why: string])[] = [
  [/<MMC_ConsoleFile\b/i, 'it is a Windows management console'],
  [/<jnlp\b/i, 'it starts a Java program (JNLP)'],
  [/asm\.v\d[^]*<(?:\w+:)?(?:deployment|entryPoint)\b/i, 'it installs a program (ClickOnce)'],
  [
    /<(?:libraryDescription|persistedQuery|searchConnectorDescription)\b/i,
    'it shows files of another computer',
  ],
  [/<Configuration>[^]*<(?:LogonCommand|MappedFolders?|VGpu|Networking)>/i, 'it starts a Windows sandbox'],
  [/<AppInstaller\b/i, 'it installs a program'],
  [
    /<plist\b[^>]*>\s*<dict>\s*<key>URL<\/key>|<plist\b[^]*<key>(?:CommandString|PayloadContent)<\/key>/i,
    'it is a shortcut or configuration of macOS',
  ],
  [/<plist\b[^]*<string>Window Settings<\/string>/i, 'it opens a terminal of macOS'],
  [/<(?:scriptlet|package|component|job)\b[^]*<script\b/i, 'it is a Windows script'],
]

/** Says why a text is a script, or opens something, judging by its start. */
export function scriptIn(head: Uint8Array): string | undefined {
  const text = textOf(head).trimStart()
  const line = text.split(/[\r\n]/, 1)[0] ?? ''
  if (/^#! ?\//.test(line)) return `the first line is ${line.slice(0, 60)}`
  if (/^@?echo off\b/i.test(afterRemarks(text))) return 'it starts like a batch file'
  const isXml = /^<(?:\?xml\b|[a-z!])/i.test(text)
  return [...SCRIPTS, ...(isXml ? XML_SCRIPTS : [])].find(([start]) => start.test(text))?.[1]
}

/** Without the remarks that a batch file starts with. */
function afterRemarks(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => !/^\s*(?:@?rem\b|::|$)/i.test(line))
      ?.trimStart() ?? ''
  )
}

const SCRIPT_BYTES = 4096

function textOf(head: Uint8Array): string {
  const encoding = utf16Encoding(head)
  if (encoding !== undefined) return new TextDecoder(encoding).decode(head.subarray(0, 2 * SCRIPT_BYTES))
  return new TextDecoder('latin1').decode(head.subarray(utf8MarkBytes(head), SCRIPT_BYTES))
}

/** Windows runs these by their name, whatever the content is. */
const RUN_BY_NAME = new Set(
  'exe dll scr pif msi msp mst cpl ocx drv lnk hta chm gadget xll msix appx'.split(' '),
)

/** Programs and packages, unless their content is text. */
const PROGRAM_ENDINGS = new Set(
  'com sys jar class war ear apk ipa dex appimage deb rpm dmg pkg app wasm so dylib elf run vsix crx xpi pyc pyo scpt efi ko'.split(
    ' ',
  ),
)

/** Finds names of programs. A text with such a name is only a text, unless the system runs it by its name. */
export function executableName(name: string, isText: boolean): Finding | undefined {
  // Windows leaves out what is at the end.
  const path = name.replace(/[. ]+$/, '')
  if (/\.\{[\da-f-]{36}\}$/i.test(path)) {
    return { code: 'executable_content', detail: 'the name ends in a class ID, which Windows runs' }
  }
  const ending = shellEndingOf(path) ?? ''
  const runs = RUN_BY_NAME.has(ending) || (!isText && PROGRAM_ENDINGS.has(ending))
  return runs ? { code: 'executable_content', detail: `the name ends in .${ending}` } : undefined
}
