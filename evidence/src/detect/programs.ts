import { hex } from '@kitseal/kit'
import type { Finding } from '../rules.ts'
import { shellEndingOf } from './file-endings.ts'
import { utf8MarkBytes } from './text-encoding.ts'

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
  [/^@echo off\b/i, 'it starts like a batch file'],
  [/^WEB\s+1\s+(?:https?|ftp|file):/i, 'it is a web query, which Excel runs'],
  [/^\[Desktop Entry\]/, 'it is a desktop shortcut'],
  [/^\[InternetShortcut\]/i, 'it is an Internet shortcut'],
  [/^\[Shell\]\s+Command=/i, 'it is a command of the Windows shell'],
  [/^(?:<[^>]{0,200}>\s*){0,5}<HTA:APPLICATION\b/i, 'it is an HTML application'],
  [/^(?:<[^>]{0,200}>\s*){0,5}<PCSettings>/i, 'it is a shortcut to Windows settings'],
]

/** Says why a text is a script, judging by its start. */
export function scriptIn(head: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(head.subarray(utf8MarkBytes(head), 512)).trimStart()
  const line = text.split(/[\r\n]/, 1)[0] ?? ''
  if (/^#! ?\//.test(line)) return `the first line is ${line.slice(0, 60)}`
  return SCRIPTS.find(([start]) => start.test(text))?.[1]
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
export function executableName(path: string, isText: boolean): Finding | undefined {
  if (/\.\{[\da-f-]{36}\}$/i.test(path)) {
    return { code: 'executable_content', detail: 'the name ends in a class ID, which Windows runs' }
  }
  const ending = shellEndingOf(path) ?? ''
  const runs = RUN_BY_NAME.has(ending) || (!isText && PROGRAM_ENDINGS.has(ending))
  return runs ? { code: 'executable_content', detail: `the name ends in .${ending}` } : undefined
}

const OPENED_AND_RUN =
  /\.(?:exe|scr|pif|msi|dll|cpl|lnk|hta|chm|bat|cmd|ps1|psm1|vbs|vbe|js|jse|wsf|wsh|reg|jar|sh|command|scpt|url|desktop|settingcontent-ms)$/i
const RUNNERS = /^(?:cmd|powershell|pwsh|wscript|cscript|mshta|rundll32|regsvr32|bash|sh)$/i

/** Whether the system runs a file with this name, or a script in it, when a document opens it. */
export function runsWhenOpened(name: string): boolean {
  return OPENED_AND_RUN.test(name) || RUNNERS.test(name)
}
