import { hex, type Reason } from '@kitseal/kit/internal'
import { type Finding, detailOf, type PlainDetail } from '../rules.ts'
import { shellEndingOf } from './file-endings.ts'
import { utf16Encoding, utf8MarkBytes } from './text-encoding.ts'

/** Signatures in hex. */
const PROGRAMS: readonly (readonly [signature: string, what: PlainDetail])[] = [
  ['7f454c46', 'detail.linuxProgram'],
  ['feedface', 'detail.macProgram'],
  ['feedfacf', 'detail.macProgram'],
  ['cefaedfe', 'detail.macProgram'],
  ['cffaedfe', 'detail.macProgram'],
  ['cafebabe', 'detail.javaOrMac'],
  ['6465780a30', 'detail.androidProgram'],
  ['0061736d', 'detail.webAssembly'],
  ['4c0000000114020000000000c000000000000046', 'detail.windowsShortcut'],
  ['1b4c7561', 'detail.compiledLua'],
  ['4243c0de', 'detail.llvmBitcode'],
  ['4954534603000000', 'detail.windowsHelp'],
  ['4954534602000000', 'detail.windowsHelp'],
  ['213c617263683e0a64656269616e', 'detail.debian'],
  ['edabeedb', 'detail.rpm'],
]

const FIRST_BYTES = new Set(PROGRAMS.map(([signature]) => Number.parseInt(signature.slice(0, 2), 16)))

/** Names the kind of program that the content is, if it is one. */
export function programIn(file: Uint8Array): PlainDetail | undefined {
  const head = file.subarray(blankBytes(file))
  if (head[0] === 0x4d && head[1] === 0x5a && isWindowsProgram(head)) return 'detail.windowsProgram'
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

const SCRIPTS: readonly (readonly [start: RegExp, why: PlainDetail])[] = [
  [/^<\?php\b/i, 'detail.script.php'],
  [/^#@~\^/, 'detail.script.encoded'],
  [/^(?:Windows Registry Editor Version 5|REGEDIT4)/, 'detail.script.registry'],
  [/^WEB\s+1\s+(?:https?|ftp|file):/i, 'detail.script.webQuery'],
  [/^XLODBC\s/i, 'detail.script.databaseQuery'],
  [/^(?:\[[^\]\n]{0,200}\][^[]*){0,5}?\[(?:Desktop Entry|InternetShortcut)\]/i, 'detail.script.shortcut'],
  [/^\[Shell\]\s+Command=/i, 'detail.script.shellCommand'],
  [/^\[oledb\]/i, 'detail.script.opensDatabase'],
  [
    /^(?:[\w ]+:[isb]:[^\n]*\n){0,40}(?:full address|alternate full address|remoteapplicationprogram|screen mode id|drivestoredirect):[isb]:/i,
    'detail.script.rdp',
  ],
  [/^(?:<[^>]{0,200}>\s*){0,5}<HTA:APPLICATION\b/i, 'detail.script.hta'],
  [/^(?:<[^>]{0,200}>\s*){0,5}<PCSettings>/i, 'detail.script.windowsSettings'],
]

/** XML that programs of the system open and act upon, by its root or by two marks. */
const XML_SCRIPTS: readonly (readonly [mark: RegExp, why: PlainDetail])[] = [
  [/<MMC_ConsoleFile\b/i, 'detail.script.console'],
  [/<jnlp\b/i, 'detail.script.jnlp'],
  [/asm\.v\d[^]*<(?:\w+:)?(?:deployment|entryPoint)\b/i, 'detail.script.clickOnce'],
  [/<(?:libraryDescription|persistedQuery|searchConnectorDescription)\b/i, 'detail.script.remoteFiles'],
  [/<Configuration>[^]*<(?:LogonCommand|MappedFolders?|VGpu|Networking)>/i, 'detail.script.sandbox'],
  [/<AppInstaller\b/i, 'detail.script.installs'],
  [
    /<plist\b[^>]*>\s*<dict>\s*<key>URL<\/key>|<plist\b[^]*<key>(?:CommandString|PayloadContent)<\/key>/i,
    'detail.script.macShortcut',
  ],
  [/<plist\b[^]*<string>Window Settings<\/string>/i, 'detail.script.terminal'],
  [/<(?:scriptlet|package|component|job)\b[^]*<script\b/i, 'detail.script.windows'],
]

/** Says why a text is a script, or opens something, judging by its start. */
export function scriptIn(head: Uint8Array): Reason | undefined {
  const text = textOf(head).trimStart()
  const line = text.split(/[\r\n]/, 1)[0] ?? ''
  if (/^#! ?\//.test(line)) return detailOf('detail.firstLine', { line: line.slice(0, 60) })
  if (/^@?echo off\b/i.test(afterRemarks(text))) return detailOf('detail.script.batch')
  const isXml = /^<(?:\?xml\b|[a-z!])/i.test(text)
  const found = [...SCRIPTS, ...(isXml ? XML_SCRIPTS : [])].find(([start]) => start.test(text))
  return found && detailOf(found[1])
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
    return { code: 'executable_content', detail: detailOf('detail.endsInClassId') }
  }
  const ending = shellEndingOf(path) ?? ''
  const runs = RUN_BY_NAME.has(ending) || (!isText && PROGRAM_ENDINGS.has(ending))
  return runs
    ? { code: 'executable_content', detail: detailOf('detail.endsIn', { extension: ending }) }
    : undefined
}
